import { randomUUID } from 'node:crypto'
import type { Invitation } from '#platform/invitations/schema.ts'
import type { Key } from '#platform/keys/schema.ts'
import type { Identity } from '#platform/openid/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { ago } from '../../format.ts'
import { redirect } from '../../page.ts'
import { accountsWords } from '../../text/accounts.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { openIdWords } from '../../text/openid.ts'
import { peopleWords } from '../../text/people.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Act, Form, isConflict, refusedForm } from '../form.tsx'
import { questionPage } from '../question.tsx'
import { spoken } from '../spoken.ts'
import { Table } from '../table.tsx'
import { OpenInvitations } from './invitations.tsx'
import { chosenForKeys, KeysChoice, KeysNote, listKeysOf } from './keys-of-person.tsx'
import { type PersonField, PersonFields } from './person-fields.tsx'
import { SignOutPerson } from './sessions.tsx'

const menu = '/admin/users'

/** Who may sign in. Only admins come here. */
export function userPages(pages: Console): void {
  pages.show(menu, [], async desk => {
    const [users, invitations] = await Promise.all([
      desk.api.get<User[]>('/users'),
      desk.api.get<Invitation[]>('/invitations')
    ])
    return listPage(desk, users.body, invitations.body)
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

  pages.show('/admin/users/:id/remove', [], async desk => await removalPage(desk, (await find(desk)).user))

  pages.take('/admin/users/:id/remove', [], async desk => {
    const { user } = await find(desk)
    try {
      await desk.api.delete(`/users/${user.id}${chosenForKeys(desk)}`)
    } catch (error) {
      return await removalPage(desk, user, refusedForm(error).general)
    }
    desk.say({ text: peopleWords[desk.language].users.removed(user.name) })
    return redirect(menu, 303)
  })
}

interface Found {
  user: User
  keys: Key[]
  identities: Identity[]
  etag: string
}

function idOf({ params }: Desk): string {
  return encodeURIComponent(params.id ?? '')
}

async function find(desk: Desk): Promise<Found> {
  const { body, etag } = await desk.api.get<User>(`/users/${idOf(desk)}`)
  const [keys, identities] = await Promise.all([
    listKeysOf(desk, body),
    desk.api.get<Identity[]>(`/users/${body.id}/identities`)
  ])
  return { user: body, keys, identities: identities.body, etag }
}

function fieldsIn(desk: Desk): Record<string, string> {
  return Object.fromEntries(['name', 'email', 'role', 'language'].map(name => [name, field(desk, name)]))
}

function listPage(desk: Desk, users: User[], invitations: Invitation[]): ConsolePage {
  const { language, now } = desk
  const words = peopleWords[language].users
  const general = consoleWords[language]
  return {
    title: words.title,
    menu,
    actions: (
      <>
        <a class="button quiet" href="/admin/users/sign-in-policy">
          {secondFactorWords[language].policy.link}
        </a>
        <a class="button" href="/admin/invitations/new">
          {accountsWords[language].invite}
        </a>
      </>
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
        <OpenInvitations desk={desk} invitations={invitations} />
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
  const shown = (name: PersonField, fallback = '') => (isSent ? field(desk, name) : (found?.user[name] ?? fallback))
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
          <PersonFields desk={desk} shown={shown} errors={errors} />
          <KeysNote desk={desk} keys={found?.keys ?? []} />
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
          <section class="card" aria-labelledby="reset-link">
            <h2 id="reset-link">{accountsWords[language].resetTitle}</h2>
            <p>{accountsWords[language].resetHint}</p>
            <Act
              desk={desk}
              action={`/admin/users/${found.user.id}/reset-link`}
              fields={{ once: randomUUID() }}
              label={accountsWords[language].resetLink}
              look="quiet"
            />
          </section>
        )}
        {found === undefined ? null : <SignOutPerson desk={desk} user={found.user} />}
        {found === undefined ? null : (
          <p class="danger-zone">
            <a class="button quiet small" href={`/admin/users/${found.user.id}/factors`}>
              {secondFactorWords[language].policy.lost}
            </a>{' '}
            {found.identities.length === 0 ? null : (
              <>
                <a class="button quiet small" href={`/admin/users/${found.user.id}/identities`}>
                  {openIdWords[language].person.link}
                </a>{' '}
              </>
            )}
            <a class="button danger small" href={`/admin/users/${found.user.id}/remove`}>
              {words.danger}
            </a>
          </p>
        )}
      </div>
    )
  }
}

async function removalPage(desk: Desk, user: User, refused?: string): Promise<ConsolePage> {
  const words = peopleWords[desk.language].users
  return questionPage(desk, {
    title: words.removeTitle(user.name),
    text: words.removeText,
    menu,
    action: `/admin/users/${user.id}/remove`,
    yes: words.remove,
    no: { label: words.keep, href: `/admin/users/${user.id}` },
    fields: <KeysChoice desk={desk} keys={await listKeysOf(desk, user)} />,
    refused
  })
}
