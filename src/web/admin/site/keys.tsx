import { randomUUID } from 'node:crypto'
import type { IssuedKey, Key } from '#platform/keys/schema.ts'
import { Refused } from '../../api.ts'
import { ago, dayIn, plainDay } from '../../format.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { frameWords } from '../../text/frame.ts'
import { peopleWords } from '../../text/people.ts'
import { ErrorSummary, Field, FieldError, tiedTo } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import { clockIn } from '../../zone.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { questionPage } from '../question.tsx'
import { spoken } from '../spoken.ts'
import { Table } from '../table.tsx'

const roles = ['editor', 'treasurer', 'viewer', 'author', 'contributor', 'admin'] as const
const menu = '/admin/keys'

/** Keys for programs. Only admins come here. */
export function keyPages(pages: Console): void {
  pages.show(menu, [], async desk => {
    const { body } = await desk.api.get<Key[]>('/keys')
    return listPage(desk, body)
  })

  pages.show('/admin/keys/new', [], async desk => formPage(desk))

  pages.take(menu, [], async desk => {
    const day = field(desk, 'expires')
    try {
      const { body } = await desk.api.post<IssuedKey>(
        '/keys',
        {
          name: field(desk, 'name'),
          role: field(desk, 'role'),
          expiresAt: day === '' ? null : endOf(day, desk.site.timezone)
        },
        // The page with the key is the answer to a form: who reloads it sends the form again, and gets the same key.
        { 'idempotency-key': field(desk, 'once') || randomUUID() }
      )
      return issuedPage(desk, body)
    } catch (error) {
      return formPage(desk, refusedForm(error))
    }
  })

  pages.show('/admin/keys/:id/revoke', [], async desk => {
    const words = peopleWords[desk.language].keys
    const key = await find(desk)
    return questionPage(desk, {
      title: words.revokeTitle(key.name),
      text: words.revokeText,
      menu,
      action: `/admin/keys/${key.id}/revoke`,
      yes: words.revoke,
      no: { label: words.keep, href: menu }
    })
  })

  pages.take('/admin/keys/:id/revoke', [], async desk => {
    const key = await find(desk)
    await desk.api.delete(`/keys/${key.id}`)
    desk.say({ text: peopleWords[desk.language].keys.revoked(key.name) })
    return redirect(menu, 303)
  })
}

/** The API lists keys and does not read a single one. */
async function find(desk: Desk): Promise<Key> {
  const { body } = await desk.api.get<Key[]>('/keys')
  const key = body.find(({ id }) => String(id) === desk.params.id)
  if (key === undefined) throw new Refused(404, 'key-not-found', '', {})
  return key
}

/** The last second of a day where we are. What is no day is sent as it is, and refused by name. */
function endOf(day: string, timezone: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !(Date.parse(day) > 0)) return day
  return `${clockIn('UTC', `${day} 23:59:59`, timezone)?.replace(' ', 'T')}Z`
}

function listPage(desk: Desk, keys: Key[]): ConsolePage {
  const { language, now } = desk
  const words = peopleWords[language].keys
  return {
    title: words.title,
    menu,
    actions: (
      <a class="button" href="/admin/keys/new">
        {words.create}
      </a>
    ),
    body: (
      <>
        <p class="faded narrow">{words.lead}</p>
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={keys}
          columns={[
            { label: words.name, isHead: true, cell: key => key.name },
            { label: words.role, cell: key => consoleWords[language].roles[key.role] },
            { label: words.created, isNamed: true, cell: key => dayOf(desk, key.createdAt) },
            { label: words.madeBy, isNamed: true, cell: key => key.madeBy?.name ?? words.noMaker },
            {
              label: words.lastUsed,
              isNamed: true,
              cell: key => (key.lastUsedAt === null ? words.unused : ago(language, key.lastUsedAt, now))
            },
            { label: words.expires, isNamed: true, cell: key => <Expiry desk={desk} expiresAt={key.expiresAt} /> },
            {
              label: <span class="visually-hidden">{consoleWords[language].actions}</span>,
              cell: key => (
                <div class="actions">
                  <a class="button small quiet" href={`/admin/keys/${key.id}/revoke`}>
                    {words.revoke}
                    <span class="visually-hidden"> {key.name}</span>
                  </a>
                </div>
              )
            }
          ]}
        />
      </>
    )
  }
}

function Expiry({ desk, expiresAt }: { desk: Desk; expiresAt: string | null }) {
  const words = peopleWords[desk.language].keys
  if (expiresAt === null) return <>{words.noEnd}</>
  if (Date.parse(expiresAt) <= desk.now.getTime()) return <span class="badge bad">{words.expired}</span>
  return <>{dayOf(desk, expiresAt)}</>
}

function dayOf({ language, site }: Desk, instant: string): string {
  return plainDay(language, dayIn(site.timezone, new Date(instant)))
}

function formPage(
  desk: Desk,
  refused: ReturnType<typeof refusedForm> = { fields: {}, general: undefined }
): ConsolePage {
  const { language } = desk
  const words = peopleWords[language].keys
  const general = consoleWords[language]
  const isSent = desk.request.method === 'POST'
  const { expiresAt, ...others } = refused.fields
  const errors = spoken(expiresAt === undefined ? others : { ...others, expires: expiresAt }, {
    name: words.name,
    role: words.role
  })
  if (errors.expires !== undefined) errors.expires = errors.expires.replace(/^expiresAt/, words.expires)
  const chosen = isSent ? field(desk, 'role') : 'editor'
  const role = tiedTo('role', false, errors.role)
  return {
    title: words.createTitle,
    menu,
    status: Object.keys(errors).length > 0 || refused.general !== undefined ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <Form desk={desk} action={menu} class="card">
          <input type="hidden" name="once" value={randomUUID()} />
          <Field
            name="name"
            label={words.name}
            hint={words.nameHint}
            value={field(desk, 'name')}
            error={errors.name}
            autocomplete="off"
            maxLength={100}
            required
          />
          <fieldset class="field choices" id={role.id}>
            <legend>{words.role}</legend>
            {roles.map(one => (
              <label key={one} class="check">
                <input type="radio" name="role" value={one} checked={one === chosen} />
                <span>
                  {general.roles[one]} <span class="hint">{words.roleHints[one]}</span>
                </span>
              </label>
            ))}
            <FieldError of={role.id} error={errors.role} />
          </fieldset>
          <Field
            name="expires"
            type="date"
            label={words.expires}
            hint={words.expiresHint}
            value={field(desk, 'expires')}
            error={errors.expires}
          />
          <div class="actions">
            <button type="submit">{general.create}</button>
            <a class="button quiet" href={menu}>
              {general.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

function issuedPage(desk: Desk, issued: IssuedKey): ConsolePage {
  const { language, origin } = desk
  const words = peopleWords[language].keys
  const copy = frameWords[language]
  const line = `curl -H "Authorization: Bearer ${issued.key}" ${origin}/calendar/events/v1/events`
  return {
    title: words.madeTitle,
    menu,
    islands: ['copy'],
    body: (
      <div class="narrow">
        <p class="notice warn">{words.once}</p>
        <section class="card" aria-label={issued.name}>
          <p class="faded">
            {issued.name} · {consoleWords[language].roles[issued.role]}
          </p>
          <div class="secret">
            <code id="key">{issued.key}</code>
            <button type="button" class="small" data-copy="#key" data-copied={copy.copied} hidden>
              {copy.copy}
            </button>
          </div>
          <p>{words.wordpress}</p>
          <p>{words.tryIt}</p>
          <pre>
            <code id="line">{line}</code>
          </pre>
          <div class="actions">
            <a class="button" href={menu}>
              {words.done}
            </a>
            <button type="button" class="quiet" data-copy="#line" data-copied={copy.copied} hidden>
              {copy.copy}: curl
            </button>
          </div>
        </section>
      </div>
    )
  }
}
