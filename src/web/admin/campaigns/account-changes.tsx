import type { AccountChange } from '#fundraising/account-changes/schema.ts'
import { shortMoment } from '../../format.ts'
import { guardWords } from '../../text/guard.ts'
import type { Desk } from '../console.ts'
import { actorOf } from '../site/activity-words.ts'

/** For so long everybody who works here is told of it. */
const toldForMs = 14 * 24 * 3_600_000

/** Changes of any account that are still news. */
export async function recentAccountChanges({ api, now }: Desk): Promise<AccountChange[]> {
  const since = new Date(now.getTime() - toldForMs).toISOString()
  return (await api.get<AccountChange[]>('/account-changes', { since, limit: 5 })).body
}

export async function accountChangesOf({ api }: Desk, campaignId: number): Promise<AccountChange[]> {
  return (await api.get<AccountChange[]>('/account-changes', { campaignId, limit: 20 })).body
}

/** Says that money goes elsewhere than before, for as long as that is news. */
export function AccountNotices({
  desk,
  changes,
  withLink = false
}: {
  desk: Desk
  changes: AccountChange[]
  /** Where it is not said on the page of the campaign itself. */
  withLink?: boolean
}) {
  const { language, site, now } = desk
  const words = guardWords[language].account
  return (
    <>
      {changes
        .filter(({ at }) => now.getTime() - Date.parse(at) < toldForMs)
        // Of several changes of one account the last is the news; the others stand in its history.
        .filter(({ campaignId }, index, all) => all.findIndex(one => one.campaignId === campaignId) === index)
        .map(({ at, actor, campaignId, campaignName, before, after }) => {
          const when = shortMoment(language, at, site.timezone)
          const [from, to] = [before ?? words.none, after ?? words.none]
          const who = actorOf(language, actor)
          return (
            <p key={at} class="notice warn">
              {campaignId === null
                ? words.siteChanged(when, who, from, to)
                : words.changed(campaignName ?? String(campaignId), when, who, from, to)}{' '}
              {words.check}{' '}
              {withLink ? (
                <a href={campaignId === null ? '/admin/settings' : `/admin/campaigns/${campaignId}`}>{words.look}</a>
              ) : null}
            </p>
          )
        })}
    </>
  )
}

/** Every account that a campaign has had, newest first. */
export function AccountHistory({ desk, changes }: { desk: Desk; changes: AccountChange[] }) {
  const { language, site } = desk
  const words = guardWords[language].account
  if (changes.length === 0) return null
  return (
    <details class="account-history">
      <summary>{words.history}</summary>
      <p class="hint">{words.historyHint}</p>
      <ol class="history">
        {changes.map(({ at, actor, before, after }) => (
          <li key={at}>
            <strong>{words.line(before ?? words.none, after ?? words.none)}</strong>
            <span class="below">
              <time dateTime={at}>{shortMoment(language, at, site.timezone)}</time> {words.by(actorOf(language, actor))}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
