import type { ListedSession } from '#platform/auth/sessions/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatRelativeTime } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import type { AdminContext, AdminRole, AdminRouter } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'

const everybody: AdminRole[] = ['editor', 'treasurer', 'viewer']

/** Users end their own sessions, admins those of others. */
export function registerSessionRoutes(pages: AdminRouter): void {
  pages.post('/admin/account/sessions/others', everybody, async context => {
    await context.api.delete('/sessions')
    context.flash({ text: getMessages('reauthentication', context.language).sessions.othersEnded })
    return redirect('/admin/account', 303)
  })

  pages.post('/admin/account/sessions/:id', everybody, async context => {
    await context.api.delete(`/sessions/${encodeURIComponent(context.params.id ?? '')}`)
    context.flash({ text: getMessages('reauthentication', context.language).sessions.ended })
    return redirect('/admin/account', 303)
  })

  pages.post('/admin/users/:id/sign-out', [], async context => {
    const { body: user } = await context.api.get<User>(`/users/${encodeURIComponent(context.params.id ?? '')}`)
    await context.api.delete(`/users/${user.id}/sessions`)
    context.flash({ text: getMessages('reauthentication', context.language).signOut.done({ name: user.name }) })
    return redirect(`/admin/users/${user.id}`, 303)
  })
}

/** Active sessions of a user. */
export function SessionList({ context, sessions }: { context: AdminContext; sessions: ListedSession[] }) {
  const { language, now, site } = context
  const strings = getMessages('reauthentication', language).sessions
  return (
    <div class="card">
      <h2>{strings.title}</h2>
      <p class="hint">{strings.lead}</p>
      <Table
        context={context}
        caption={strings.title}
        empty={null}
        rows={sessions}
        columns={[
          {
            label: strings.device,
            isHead: true,
            cell: one => (
              <>
                {formatDevice(context, one)} {one.isCurrent ? <span class="badge plain">{strings.current}</span> : null}
              </>
            )
          },
          {
            label: strings.started,
            isNamed: true,
            cell: one => formatDateTime(language, one.createdAt, site.timezone)
          },
          {
            label: strings.used,
            isNamed: true,
            cell: one => (one.isCurrent ? strings.now : formatRelativeTime(language, one.lastUsedAt, now))
          },
          {
            label: <span class="visually-hidden">{getMessages('admin', language).actions}</span>,
            cell: one =>
              one.isCurrent ? null : (
                <ActionButton
                  context={context}
                  action={`/admin/account/sessions/${one.id}`}
                  label={
                    <>
                      {strings.end}
                      <span class="visually-hidden"> {formatDevice(context, one)}</span>
                    </>
                  }
                />
              )
          }
        ]}
      />
      {sessions.length < 2 ? null : (
        <div class="actions">
          <ActionButton
            context={context}
            action="/admin/account/sessions/others"
            label={strings.endOthers}
            look="quiet"
          />
        </div>
      )}
    </div>
  )
}

/** Browser and system by name: Firefox on Windows. */
function formatDevice({ language }: AdminContext, { browser, system }: ListedSession): string {
  const strings = getMessages('reauthentication', language).sessions
  if (browser !== null && system !== null) return strings.on({ browser, system })
  return browser ?? system ?? strings.unknown
}

/** Lets an admin end another user's sessions, such as after a lost device. */
export function SignOutUser({ context, user }: { context: AdminContext; user: User }) {
  const strings = getMessages('reauthentication', context.language).signOut
  return (
    <section class="card" aria-labelledby="sign-out">
      <h2 id="sign-out">{strings.title}</h2>
      <p>{strings.text}</p>
      <ActionButton context={context} action={`/admin/users/${user.id}/sign-out`} label={strings.action} look="quiet" />
    </section>
  )
}
