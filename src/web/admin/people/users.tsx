import { languages } from '#platform/language.ts'
import type { User } from '#platform/users/schema.ts'
import { ago } from '../../format.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { peopleWords } from '../../text/people.ts'
import { ErrorSummary, Field, FieldError, tiedTo } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Form, isConflict, refusedForm } from '../form.tsx'
import { questionPage } from '../question.tsx'
import { spoken } from '../spoken.ts'
import { Table } from '../table.tsx'

const roles = ['admin', 'editor', 'treasurer', 'viewer'] as const
const menu = '/admin/users'

/** Who may sign in. Only admins come here. */
export function userPages(pages: Console): void {
  pages.show(menu, [], async desk => {
    const { body } = await desk.api.get<User[]>('/users')
    return listPage(desk, body)
  })

  pages.show('/admin/users/new', [], async desk => formPage(desk, undefined))

  pages.take(menu, [], async desk => {
    const { password = '' } = desk.form
    try {
      const { body } = await desk.api.post<User>('/users', { ...fieldsIn(desk), password: String(password) })
      desk.say({ text: peopleWords[desk.language].users.created(body.name) })
      return redirect(menu, 303)
    } catch (error) {
      return formPage(desk, undefined, refusedForm(error))
    }
  })

  pages.show('/admin/users/:id', [], async desk => formPage(desk, await find(desk)))

  pages.take('/admin/users/:id', [], async desk => {
    const { password = '' } = desk.form
    try {
      await desk.api.patch<User>(
        `/users/${idOf(desk)}`,
        { ...fieldsIn(desk), ...(password === '' ? {} : { password: String(password) }) },
        { 'if-match': field(desk, 'etag') }
      )
      desk.say({ text: consoleWords[desk.language].saved })
      return redirect(menu, 303)
    } catch (error) {
      if (isConflict(error)) return formPage(desk, await find(desk), undefined, 'conflict')
      return formPage(desk, await find(desk), refusedForm(error))
    }
  })

  pages.show('/admin/users/:id/remove', [], async desk => removalPage(desk, (await find(desk)).user))

  pages.take('/admin/users/:id/remove', [], async desk => {
    const { user } = await find(desk)
    try {
      await desk.api.delete(`/users/${user.id}`)
    } catch (error) {
      return removalPage(desk, user, refusedForm(error).general)
    }
    desk.say({ text: peopleWords[desk.language].users.removed(user.name) })
    return redirect(menu, 303)
  })
}

interface Found {
  user: User
  etag: string
}

function idOf({ params }: Desk): string {
  return encodeURIComponent(params.id ?? '')
}

async function find(desk: Desk): Promise<Found> {
  const { body, etag } = await desk.api.get<User>(`/users/${idOf(desk)}`)
  return { user: body, etag }
}

function fieldsIn(desk: Desk): Record<string, string> {
  return Object.fromEntries(['name', 'email', 'role', 'language'].map(name => [name, field(desk, name)]))
}

function listPage(desk: Desk, users: User[]): ConsolePage {
  const { language, now } = desk
  const words = peopleWords[language].users
  const general = consoleWords[language]
  return {
    title: words.title,
    menu,
    actions: (
      <a class="button" href="/admin/users/new">
        {words.invite}
      </a>
    ),
    body: (
      <>
        <p class="faded">{words.lead}</p>
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={users}
          columns={[
            {
              label: words.name,
              isHead: true,
              cell: user => (
                <>
                  <a href={`/admin/users/${user.id}`}>{user.name}</a>{' '}
                  {user.id === desk.user.id ? <span class="badge plain">{words.you}</span> : null}
                </>
              )
            },
            { label: words.email, cell: user => user.email },
            { label: words.role, cell: user => general.roles[user.role] },
            { label: words.language, cell: user => general.languages[user.language] },
            {
              label: words.lastSeen,
              isNamed: true,
              cell: user => (user.lastSeenAt === null ? words.never : ago(language, user.lastSeenAt, now))
            }
          ]}
        />
      </>
    )
  }
}

function formPage(
  desk: Desk,
  found: Found | undefined,
  refused: ReturnType<typeof refusedForm> = { fields: {}, general: undefined },
  conflict?: 'conflict'
): ConsolePage {
  const { language } = desk
  const words = peopleWords[language].users
  const general = consoleWords[language]
  const isSent = desk.request.method === 'POST'
  const shown = (name: 'name' | 'email' | 'role' | 'language', fallback = '') =>
    isSent ? field(desk, name) : (found?.user[name] ?? fallback)
  const labels = { name: words.name, email: words.email, role: words.role, password: words.password }
  const isBadEmail = refused.fields.email?.startsWith('email ') === true
  const errors = spoken(refused.fields, labels, isBadEmail ? { email: doorWords[language].badEmail } : {})
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  return {
    title: found?.user.name ?? words.inviteTitle,
    menu,
    status: conflict === undefined ? (hasFailed ? 422 : 200) : 412,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        {conflict === undefined || found === undefined ? null : (
          <div class="notice warn" role="alert" tabIndex={-1} data-focus>
            <p>
              <strong>{general.conflict.title}</strong>
            </p>
            <p>
              {general.conflict.theirs}: {found.user.name}, {found.user.email}, {general.roles[found.user.role]},{' '}
              {general.languages[found.user.language]}
            </p>
            <p>{general.conflict.text}</p>
          </div>
        )}
        <Form desk={desk} action={found === undefined ? menu : `/admin/users/${found.user.id}`} class="card">
          {found === undefined ? null : <input type="hidden" name="etag" value={found.etag} />}
          <Field
            name="name"
            label={words.name}
            value={shown('name')}
            error={errors.name}
            autocomplete="off"
            maxLength={100}
            required
          />
          <Field
            name="email"
            type="email"
            label={words.email}
            value={shown('email')}
            error={errors.email}
            autocomplete="off"
            maxLength={254}
            required
          />
          <RoleField desk={desk} chosen={shown('role', 'editor')} error={errors.role} />
          <Field name="language" label={words.language} error={errors.language}>
            {tied => (
              <select {...tied}>
                {languages.map(one => (
                  <option key={one} value={one} selected={one === shown('language', language)}>
                    {general.languages[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            name="password"
            type="password"
            label={found === undefined ? words.password : words.newPassword}
            hint={found === undefined ? words.passwordHint : words.newPasswordHint}
            error={errors.password}
            autocomplete="new-password"
            minLength={10}
            maxLength={200}
            required={found === undefined}
          />
          {found === undefined ? <p class="faded">{words.inviteHint}</p> : null}
          <div class="actions">
            <button type="submit">{found === undefined ? general.create : general.save}</button>
            <a class="button quiet" href={menu}>
              {general.cancel}
            </a>
          </div>
        </Form>
        {found === undefined ? null : (
          <p class="danger-zone">
            <a class="button danger small" href={`/admin/users/${found.user.id}/remove`}>
              {words.danger}
            </a>
          </p>
        )}
      </div>
    )
  }
}

function RoleField({ desk, chosen, error }: { desk: Desk; chosen: string; error: string | undefined }) {
  const words = peopleWords[desk.language].users
  const { id } = tiedTo('role', false, error)
  return (
    <fieldset class="field choices" id={id}>
      <legend>{words.role}</legend>
      {roles.map(role => (
        <label key={role} class="check">
          <input type="radio" name="role" value={role} checked={role === chosen} />
          <span>
            {consoleWords[desk.language].roles[role]} <span class="hint">{words.roleHints[role]}</span>
          </span>
        </label>
      ))}
      <FieldError of={id} error={error} />
    </fieldset>
  )
}

function removalPage(desk: Desk, user: User, refused?: string): ConsolePage {
  const words = peopleWords[desk.language].users
  return questionPage(desk, {
    title: words.removeTitle(user.name),
    text: words.removeText,
    menu,
    action: `/admin/users/${user.id}/remove`,
    yes: words.remove,
    no: { label: words.keep, href: `/admin/users/${user.id}` },
    refused
  })
}
