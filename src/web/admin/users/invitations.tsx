import { randomUUID } from 'node:crypto'
import type { Invitation, IssuedInvitation } from '#platform/auth/invitations/schema.ts'
import type { ResetLink } from '#platform/auth/password-resets/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { formatDateTime } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { formatActor } from '../activity/describe-activity.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { ActionButton, Form, toFormErrors } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { buildIssuedLinkPage } from './issued-link.tsx'
import { UserFields } from './user-fields.tsx'

const menu = '/admin/users'

/** Links for invitations and password resets. Admins only. */
export function registerInvitationRoutes(pages: AdminRouter): void {
  pages.get('/admin/invitations/new', [], async context => buildFormPage(context))

  pages.post('/admin/invitations', [], async context => {
    const fields = Object.fromEntries(
      ['name', 'email', 'role', 'language'].map(name => [name, getFormField(context, name)])
    )
    try {
      const { body } = await context.api.post<IssuedInvitation>('/invitations', fields, getIdempotencyHeader(context))
      return buildInvitedPage(context, body)
    } catch (error) {
      return buildFormPage(context, toFormErrors(error))
    }
  })

  pages.post('/admin/invitations/:id/link', [], async context => {
    const { id } = await findInvitation(context)
    const { body } = await context.api.post<IssuedInvitation>(
      `/invitations/${id}/link`,
      undefined,
      getIdempotencyHeader(context)
    )
    return buildInvitedPage(context, body)
  })

  pages.get('/admin/invitations/:id/withdraw', [], async context => {
    const strings = getMessages('accounts', context.language)
    const { id, name } = await findInvitation(context)
    return buildConfirmPage(context, {
      title: strings.withdrawTitle({ name }),
      text: strings.withdrawText,
      menu,
      action: `/admin/invitations/${id}/withdraw`,
      yes: strings.withdraw,
      no: { label: strings.keepInvitation, href: menu }
    })
  })

  pages.post('/admin/invitations/:id/withdraw', [], async context => {
    const { id, name } = await findInvitation(context)
    await context.api.delete(`/invitations/${id}`)
    context.flash({ text: getMessages('accounts', context.language).withdrawn({ name }) })
    return redirect(menu, 303)
  })

  pages.post('/admin/users/:id/reset-link', [], async context => {
    const { body: user } = await context.api.get<User>(`/users/${encodeURIComponent(context.params.id ?? '')}`)
    const { body } = await context.api.post<ResetLink>(
      `/users/${user.id}/reset-link`,
      undefined,
      getIdempotencyHeader(context)
    )
    return buildIssuedLinkPage(context, { name: user.name, ...body })
  })
}

/** The link is shown in the response to a POST: reloading sends the form again and returns the same link. */
function getIdempotencyHeader(context: AdminContext): Record<string, string> {
  return { 'idempotency-key': getFormField(context, 'idempotencyKey') || randomUUID() }
}

function buildInvitedPage(
  context: AdminContext,
  { name, email, link, expiresAt, mailed }: IssuedInvitation
): AdminPage {
  return buildIssuedLinkPage(context, { name, link, expiresAt, mailedTo: mailed ? email : undefined })
}

/** The API lists invitations, but has no endpoint for a single one. */
async function findInvitation(context: AdminContext): Promise<Invitation> {
  const { body } = await context.api.get<Invitation[]>('/invitations')
  const invitation = body.find(({ id }) => String(id) === context.params.id)
  if (invitation === undefined) throw new ApiError(404, 'invitation-not-found')
  return invitation
}

function buildFormPage(
  context: AdminContext,
  refused: ReturnType<typeof toFormErrors> = { fields: {}, general: undefined }
): AdminPage {
  const { language } = context
  const strings = getMessages('accounts', language)
  const ofUsers = getMessages('users-and-keys', language).users
  const general = getMessages('admin', language)
  const labels = { name: ofUsers.name, email: ofUsers.email, role: ofUsers.role }
  const isBadEmail = refused.fields.email?.startsWith('email ') === true
  const errors = toLabelledErrors(
    refused.fields,
    labels,
    isBadEmail ? { email: getMessages('sign-in', language).badEmail } : {}
  )
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  const isSent = context.request.method === 'POST'
  const shown = (name: string, fallback = '') => (isSent ? getFormField(context, name) : fallback)
  return {
    title: strings.inviteTitle,
    menu,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <p>{strings.inviteLead}</p>
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <Form context={context} action="/admin/invitations" class="card">
          <input type="hidden" name="idempotencyKey" value={randomUUID()} />
          <UserFields context={context} shown={shown} errors={errors} />
          <div class="actions">
            <button type="submit">{strings.inviteAction}</button>
            <a class="button quiet" href={menu}>
              {general.cancel}
            </a>
          </div>
        </Form>
        <p>
          <a href="/admin/users/new">{strings.withPassword}</a>
        </p>
      </div>
    )
  }
}

/** Invitations that were not accepted yet. */
export function OpenInvitations({ context, invitations }: { context: AdminContext; invitations: Invitation[] }) {
  const { language, now, site } = context
  const strings = getMessages('accounts', language)
  const ofUsers = getMessages('users-and-keys', language).users
  const general = getMessages('admin', language)
  if (invitations.length === 0) return null
  return (
    <div>
      <h2>{strings.invited}</h2>
      <Table
        context={context}
        caption={strings.invited}
        empty={null}
        rows={invitations}
        columns={[
          { label: ofUsers.name, isHead: true, cell: one => one.name },
          { label: ofUsers.email, cell: one => one.email },
          { label: ofUsers.role, cell: one => general.roles[one.role] },
          { label: strings.invitedBy, isNamed: true, cell: one => formatActor(language, one.invitedBy) },
          {
            label: strings.expires,
            isNamed: true,
            cell: one =>
              Date.parse(one.expiresAt) <= now.getTime() ? (
                <span class="badge bad">{strings.expired}</span>
              ) : (
                formatDateTime(language, one.expiresAt, site.timezone)
              )
          },
          {
            label: <span class="visually-hidden">{general.actions}</span>,
            cell: one => (
              <div class="actions">
                <ActionButton
                  context={context}
                  action={`/admin/invitations/${one.id}/link`}
                  fields={{ idempotencyKey: randomUUID() }}
                  label={
                    <>
                      {strings.newLink}
                      <span class="visually-hidden"> {one.name}</span>
                    </>
                  }
                />
                <a class="button small quiet" href={`/admin/invitations/${one.id}/withdraw`}>
                  {strings.withdraw}
                  <span class="visually-hidden"> {one.name}</span>
                </a>
              </div>
            )
          }
        ]}
      />
    </div>
  )
}
