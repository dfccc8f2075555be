import { randomUUID } from 'node:crypto'
import type { Invitation, IssuedInvitation } from '#platform/invitations/schema.ts'
import type { ResetLink } from '#platform/password-resets/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { Refused } from '../../api.ts'
import { shortMoment } from '../../format.ts'
import { redirect } from '../../page.ts'
import { accountsWords } from '../../text/accounts.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { peopleWords } from '../../text/people.ts'
import { ErrorSummary } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Act, Form, refusedForm } from '../form.tsx'
import { questionPage } from '../question.tsx'
import { actorOf } from '../site/activity-words.ts'
import { spoken } from '../spoken.ts'
import { Table } from '../table.tsx'
import { issuedLinkPage } from './issued-link.tsx'
import { PersonFields } from './person-fields.tsx'

const menu = '/admin/users'

/** Links with which people get an account, or a new password. Only admins come here. */
export function invitationPages(pages: Console): void {
  pages.show('/admin/invitations/new', [], async desk => formPage(desk))

  pages.take('/admin/invitations', [], async desk => {
    const fields = Object.fromEntries(['name', 'email', 'role', 'language'].map(name => [name, field(desk, name)]))
    try {
      const { body } = await desk.api.post<IssuedInvitation>('/invitations', fields, onceHeader(desk))
      return invitedPage(desk, body)
    } catch (error) {
      return formPage(desk, refusedForm(error))
    }
  })

  pages.take('/admin/invitations/:id/link', [], async desk => {
    const { id } = await find(desk)
    const { body } = await desk.api.post<IssuedInvitation>(`/invitations/${id}/link`, undefined, onceHeader(desk))
    return invitedPage(desk, body)
  })

  pages.show('/admin/invitations/:id/withdraw', [], async desk => {
    const words = accountsWords[desk.language]
    const { id, name } = await find(desk)
    return questionPage(desk, {
      title: words.withdrawTitle(name),
      text: words.withdrawText,
      menu,
      action: `/admin/invitations/${id}/withdraw`,
      yes: words.withdraw,
      no: { label: words.keepInvitation, href: menu }
    })
  })

  pages.take('/admin/invitations/:id/withdraw', [], async desk => {
    const { id, name } = await find(desk)
    await desk.api.delete(`/invitations/${id}`)
    desk.say({ text: accountsWords[desk.language].withdrawn(name) })
    return redirect(menu, 303)
  })

  pages.take('/admin/users/:id/reset-link', [], async desk => {
    const { body: user } = await desk.api.get<User>(`/users/${encodeURIComponent(desk.params.id ?? '')}`)
    const { body } = await desk.api.post<ResetLink>(`/users/${user.id}/reset-link`, undefined, onceHeader(desk))
    return issuedLinkPage(desk, { name: user.name, ...body })
  })
}

/** The page with a link is the answer to a form: who reloads it sends the form again, and gets the same link. */
function onceHeader(desk: Desk): Record<string, string> {
  return { 'idempotency-key': field(desk, 'once') || randomUUID() }
}

function invitedPage(desk: Desk, { name, email, link, expiresAt, mailed }: IssuedInvitation): ConsolePage {
  return issuedLinkPage(desk, { name, link, expiresAt, mailedTo: mailed ? email : undefined })
}

/** The API lists invitations and does not read a single one. */
async function find(desk: Desk): Promise<Invitation> {
  const { body } = await desk.api.get<Invitation[]>('/invitations')
  const invitation = body.find(({ id }) => String(id) === desk.params.id)
  if (invitation === undefined) throw new Refused(404, 'invitation-not-found', '', {})
  return invitation
}

function formPage(
  desk: Desk,
  refused: ReturnType<typeof refusedForm> = { fields: {}, general: undefined }
): ConsolePage {
  const { language } = desk
  const words = accountsWords[language]
  const ofUsers = peopleWords[language].users
  const general = consoleWords[language]
  const labels = { name: ofUsers.name, email: ofUsers.email, role: ofUsers.role }
  const isBadEmail = refused.fields.email?.startsWith('email ') === true
  const errors = spoken(refused.fields, labels, isBadEmail ? { email: doorWords[language].badEmail } : {})
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  const isSent = desk.request.method === 'POST'
  const shown = (name: string, fallback = '') => (isSent ? field(desk, name) : fallback)
  return {
    title: words.inviteTitle,
    menu,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <p>{words.inviteLead}</p>
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <Form desk={desk} action="/admin/invitations" class="card">
          <input type="hidden" name="once" value={randomUUID()} />
          <PersonFields desk={desk} shown={shown} errors={errors} />
          <div class="actions">
            <button type="submit">{words.inviteAction}</button>
            <a class="button quiet" href={menu}>
              {general.cancel}
            </a>
          </div>
        </Form>
        <p>
          <a href="/admin/users/new">{words.withPassword}</a>
        </p>
      </div>
    )
  }
}

/** Who is invited and has not come yet. */
export function OpenInvitations({ desk, invitations }: { desk: Desk; invitations: Invitation[] }) {
  const { language, now, site } = desk
  const words = accountsWords[language]
  const ofUsers = peopleWords[language].users
  const general = consoleWords[language]
  if (invitations.length === 0) return null
  return (
    <div>
      <h2>{words.invited}</h2>
      <Table
        desk={desk}
        caption={words.invited}
        empty={null}
        rows={invitations}
        columns={[
          { label: ofUsers.name, isHead: true, cell: one => one.name },
          { label: ofUsers.email, cell: one => one.email },
          { label: ofUsers.role, cell: one => general.roles[one.role] },
          { label: words.invitedBy, isNamed: true, cell: one => actorOf(language, one.invitedBy) },
          {
            label: words.expires,
            isNamed: true,
            cell: one =>
              Date.parse(one.expiresAt) <= now.getTime() ? (
                <span class="badge bad">{words.expired}</span>
              ) : (
                shortMoment(language, one.expiresAt, site.timezone)
              )
          },
          {
            label: <span class="visually-hidden">{general.actions}</span>,
            cell: one => (
              <div class="actions">
                <Act
                  desk={desk}
                  action={`/admin/invitations/${one.id}/link`}
                  fields={{ once: randomUUID() }}
                  label={
                    <>
                      {words.newLink}
                      <span class="visually-hidden"> {one.name}</span>
                    </>
                  }
                />
                <a class="button small quiet" href={`/admin/invitations/${one.id}/withdraw`}>
                  {words.withdraw}
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
