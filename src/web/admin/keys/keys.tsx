import { randomUUID } from 'node:crypto'
import type { IssuedKey, Key } from '#platform/auth/keys/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field, FieldError, getFieldAttributes } from '../../components/field.tsx'
import { formatDay, formatRelativeTime, toLocalDay } from '../../format/format.ts'
import { convertClock } from '../../format/time-zone.ts'
import { redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'

const roles = ['editor', 'treasurer', 'viewer', 'author', 'contributor', 'admin'] as const
const menu = '/admin/keys'

/** API keys. Admins only. */
export function registerKeyRoutes(pages: AdminRouter): void {
  pages.get(menu, [], async context => {
    const { body } = await context.api.get<Key[]>('/keys')
    return buildListPage(context, body)
  })

  pages.get('/admin/keys/new', [], async context => buildFormPage(context))

  pages.post(menu, [], async context => {
    const day = getFormField(context, 'expires')
    try {
      const { body } = await context.api.post<IssuedKey>(
        '/keys',
        {
          name: getFormField(context, 'name'),
          role: getFormField(context, 'role'),
          expiresAt: day === '' ? null : toEndOfDay(day, context.site.timezone)
        },
        // The key is shown in the response to a POST: reloading the page sends the form again and returns the same key.
        { 'idempotency-key': getFormField(context, 'idempotencyKey') || randomUUID() }
      )
      return buildIssuedPage(context, body)
    } catch (error) {
      return buildFormPage(context, toFormErrors(error))
    }
  })

  pages.get('/admin/keys/:id/revoke', [], async context => {
    const strings = getMessages('users-and-keys', context.language).keys
    const key = await findKey(context)
    return buildConfirmPage(context, {
      title: strings.revokeTitle({ name: key.name }),
      text: strings.revokeText,
      menu,
      action: `/admin/keys/${key.id}/revoke`,
      yes: strings.revoke,
      no: { label: strings.keep, href: menu }
    })
  })

  pages.post('/admin/keys/:id/revoke', [], async context => {
    const key = await findKey(context)
    await context.api.delete(`/keys/${key.id}`)
    context.flash({ text: getMessages('users-and-keys', context.language).keys.revoked({ name: key.name }) })
    return redirect(menu, 303)
  })
}

/** The API lists keys, but has no endpoint for a single one. */
async function findKey(context: AdminContext): Promise<Key> {
  const { body } = await context.api.get<Key[]>('/keys')
  const key = body.find(({ id }) => String(id) === context.params.id)
  if (key === undefined) throw new ApiError(404, 'key-not-found')
  return key
}

/** Last second of a day in the site's time zone. An invalid day is sent unchanged, so that the API reports it. */
function toEndOfDay(day: string, timezone: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !(Date.parse(day) > 0)) return day
  return `${convertClock('UTC', `${day} 23:59:59`, timezone)?.replace(' ', 'T')}Z`
}

function buildListPage(context: AdminContext, keys: Key[]): AdminPage {
  const { language, now } = context
  const strings = getMessages('users-and-keys', language).keys
  return {
    title: strings.title,
    menu,
    actions: (
      <a class="button" href="/admin/keys/new">
        {strings.create}
      </a>
    ),
    body: (
      <>
        <p class="muted narrow">{strings.lead}</p>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={keys}
          columns={[
            { label: strings.name, isHead: true, cell: key => key.name },
            { label: strings.role, cell: key => getMessages('admin', language).roles[key.role] },
            { label: strings.created, isNamed: true, cell: key => formatLocalDay(context, key.createdAt) },
            { label: strings.madeBy, isNamed: true, cell: key => key.madeBy?.name ?? strings.noMaker },
            {
              label: strings.lastUsed,
              isNamed: true,
              cell: key =>
                key.lastUsedAt === null ? strings.unused : formatRelativeTime(language, key.lastUsedAt, now)
            },
            {
              label: strings.expires,
              isNamed: true,
              cell: key => <Expiry context={context} expiresAt={key.expiresAt} />
            },
            {
              label: <span class="visually-hidden">{getMessages('admin', language).actions}</span>,
              cell: key => (
                <div class="actions">
                  <a class="button small quiet" href={`/admin/keys/${key.id}/revoke`}>
                    {strings.revoke}
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

function Expiry({ context, expiresAt }: { context: AdminContext; expiresAt: string | null }) {
  const strings = getMessages('users-and-keys', context.language).keys
  if (expiresAt === null) return <>{strings.noEnd}</>
  if (Date.parse(expiresAt) <= context.now.getTime()) return <span class="badge bad">{strings.expired}</span>
  return <>{formatLocalDay(context, expiresAt)}</>
}

function formatLocalDay({ language, site }: AdminContext, instant: string): string {
  return formatDay(language, toLocalDay(site.timezone, new Date(instant)))
}

function buildFormPage(
  context: AdminContext,
  refused: ReturnType<typeof toFormErrors> = { fields: {}, general: undefined }
): AdminPage {
  const { language } = context
  const strings = getMessages('users-and-keys', language).keys
  const general = getMessages('admin', language)
  const isSent = context.request.method === 'POST'
  const { expiresAt, ...others } = refused.fields
  const errors = toLabelledErrors(expiresAt === undefined ? others : { ...others, expires: expiresAt }, {
    name: strings.name,
    role: strings.role
  })
  if (errors.expires !== undefined) errors.expires = errors.expires.replace(/^expiresAt/, strings.expires)
  const chosen = isSent ? getFormField(context, 'role') : 'editor'
  const role = getFieldAttributes('role', false, errors.role)
  return {
    title: strings.createTitle,
    menu,
    status: Object.keys(errors).length > 0 || refused.general !== undefined ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <Form context={context} action={menu} class="card">
          <input type="hidden" name="idempotencyKey" value={randomUUID()} />
          <Field
            name="name"
            label={strings.name}
            hint={strings.nameHint}
            value={getFormField(context, 'name')}
            error={errors.name}
            autocomplete="off"
            maxLength={100}
            required
          />
          <fieldset class="field choices" id={role.id}>
            <legend>{strings.role}</legend>
            {roles.map(one => (
              <label key={one} class="check">
                <input type="radio" name="role" value={one} checked={one === chosen} />
                <span>
                  {general.roles[one]} <span class="hint">{strings.roleHints[one]}</span>
                </span>
              </label>
            ))}
            <FieldError of={role.id} error={errors.role} />
          </fieldset>
          <Field
            name="expires"
            type="date"
            label={strings.expires}
            hint={strings.expiresHint}
            value={getFormField(context, 'expires')}
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

function buildIssuedPage(context: AdminContext, issued: IssuedKey): AdminPage {
  const { language, origin } = context
  const strings = getMessages('users-and-keys', language).keys
  const copy = getMessages('layout', language)
  const line = `curl -H "Authorization: Bearer ${issued.key}" ${origin}/calendar/events/v1/events`
  return {
    title: strings.madeTitle,
    menu,
    scripts: ['copy'],
    body: (
      <div class="narrow">
        <p class="notice warn">{strings.once}</p>
        <section class="card" aria-label={issued.name}>
          <p class="muted">
            {issued.name} · {getMessages('admin', language).roles[issued.role]}
          </p>
          <div class="secret">
            <code id="key">{issued.key}</code>
            <button type="button" class="small" data-copy="#key" data-copied={copy.copied} hidden>
              {copy.copy}
            </button>
          </div>
          <p>{strings.wordpress}</p>
          <p>{strings.tryIt}</p>
          <pre>
            <code id="line">{line}</code>
          </pre>
          <div class="actions">
            <a class="button" href={menu}>
              {strings.done}
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
