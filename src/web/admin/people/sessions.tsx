import type { ListedSession } from '#platform/sessions/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { ago, shortMoment } from '../../format.ts'
import { redirect } from '../../page.ts'
import { confirmWords } from '../../text/confirm.ts'
import { consoleWords } from '../../text/console.ts'
import type { Console, ConsoleRole, Desk } from '../console.ts'
import { Act } from '../form.tsx'
import { Table } from '../table.tsx'

const everybody: ConsoleRole[] = ['editor', 'treasurer', 'viewer']

/** How people end their own sessions, and admins those of others. */
export function sessionPages(pages: Console): void {
  pages.take('/admin/account/sessions/others', everybody, async desk => {
    await desk.api.delete('/sessions')
    desk.say({ text: confirmWords[desk.language].sessions.othersEnded })
    return redirect('/admin/account', 303)
  })

  pages.take('/admin/account/sessions/:id', everybody, async desk => {
    await desk.api.delete(`/sessions/${encodeURIComponent(desk.params.id ?? '')}`)
    desk.say({ text: confirmWords[desk.language].sessions.ended })
    return redirect('/admin/account', 303)
  })

  pages.take('/admin/users/:id/sign-out', [], async desk => {
    const { body: user } = await desk.api.get<User>(`/users/${encodeURIComponent(desk.params.id ?? '')}`)
    await desk.api.delete(`/users/${user.id}/sessions`)
    desk.say({ text: confirmWords[desk.language].signOut.done(user.name) })
    return redirect(`/admin/users/${user.id}`, 303)
  })
}

/** Where somebody is signed in. */
export function SessionList({ desk, sessions }: { desk: Desk; sessions: ListedSession[] }) {
  const { language, now, site } = desk
  const words = confirmWords[language].sessions
  return (
    <div class="card">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead}</p>
      <Table
        desk={desk}
        caption={words.title}
        empty={null}
        rows={sessions}
        columns={[
          {
            label: words.device,
            isHead: true,
            cell: one => (
              <>
                {deviceName(desk, one)} {one.isCurrent ? <span class="badge plain">{words.current}</span> : null}
              </>
            )
          },
          {
            label: words.started,
            isNamed: true,
            cell: one => shortMoment(language, one.createdAt, site.timezone)
          },
          {
            label: words.used,
            isNamed: true,
            cell: one => (one.isCurrent ? words.now : ago(language, one.lastUsedAt, now))
          },
          {
            label: <span class="visually-hidden">{consoleWords[language].actions}</span>,
            cell: one =>
              one.isCurrent ? null : (
                <Act
                  desk={desk}
                  action={`/admin/account/sessions/${one.id}`}
                  label={
                    <>
                      {words.end}
                      <span class="visually-hidden"> {deviceName(desk, one)}</span>
                    </>
                  }
                />
              )
          }
        ]}
      />
      {sessions.length < 2 ? null : (
        <div class="actions">
          <Act desk={desk} action="/admin/account/sessions/others" label={words.endOthers} look="quiet" />
        </div>
      )}
    </div>
  )
}

/** In plain words: Firefox on Windows. */
function deviceName({ language }: Desk, { browser, system }: ListedSession): string {
  const words = confirmWords[language].sessions
  if (browser !== null && system !== null) return words.on(browser, system)
  return browser ?? system ?? words.unknown
}

/** For a lost device of somebody else's. */
export function SignOutPerson({ desk, user }: { desk: Desk; user: User }) {
  const words = confirmWords[desk.language].signOut
  return (
    <section class="card" aria-labelledby="sign-out">
      <h2 id="sign-out">{words.title}</h2>
      <p>{words.text}</p>
      <Act desk={desk} action={`/admin/users/${user.id}/sign-out`} label={words.action} look="quiet" />
    </section>
  )
}
