import type { AccountChange } from '#fundraising/campaigns/account-changes/schema.ts'
import { formatDateTime } from '../../format/format.ts'
import { abuseProtectionStrings } from '../../strings/abuse-protection.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'

/** For so long everybody who works here is told of it. */
const noticeMs = 14 * 24 * 3_600_000

/** Changes of any account that are still news. */
export async function listRecentAccountChanges({ api, now }: AdminContext): Promise<AccountChange[]> {
  const since = new Date(now.getTime() - noticeMs).toISOString()
  return (await api.get<AccountChange[]>('/account-changes', { since, limit: 5 })).body
}

export async function listAccountChanges({ api }: AdminContext, campaignId: number): Promise<AccountChange[]> {
  return (await api.get<AccountChange[]>('/account-changes', { campaignId, limit: 20 })).body
}

/** Says that money goes elsewhere than before, for as long as that is news. */
export function AccountNotices({
  context,
  changes,
  withLink = false
}: {
  context: AdminContext
  changes: AccountChange[]
  /** Where it is not said on the page of the campaign itself. */
  withLink?: boolean
}) {
  const { language, site, now } = context
  const strings = abuseProtectionStrings[language].account
  return (
    <>
      {changes
        .filter(({ at }) => now.getTime() - Date.parse(at) < noticeMs)
        // Of several changes of one account the last is the news; the others stand in its history.
        .filter(({ campaignId }, index, all) => all.findIndex(one => one.campaignId === campaignId) === index)
        .map(({ at, actor, campaignId, campaignName, before, after }) => {
          const when = formatDateTime(language, at, site.timezone)
          const [from, to] = [before ?? strings.none, after ?? strings.none]
          const who = formatActor(language, actor)
          return (
            <p key={at} class="notice warn">
              {campaignId === null
                ? strings.siteChanged(when, who, from, to)
                : strings.changed(campaignName ?? String(campaignId), when, who, from, to)}{' '}
              {strings.check}{' '}
              {withLink ? (
                <a href={campaignId === null ? '/admin/settings' : `/admin/campaigns/${campaignId}`}>{strings.look}</a>
              ) : null}
            </p>
          )
        })}
    </>
  )
}

/** Every account that a campaign has had, newest first. */
export function AccountHistory({ context, changes }: { context: AdminContext; changes: AccountChange[] }) {
  const { language, site } = context
  const strings = abuseProtectionStrings[language].account
  if (changes.length === 0) return null
  return (
    <details class="account-history">
      <summary>{strings.history}</summary>
      <p class="hint">{strings.historyHint}</p>
      <ol class="history">
        {changes.map(({ at, actor, before, after }) => (
          <li key={at}>
            <strong>{strings.line(before ?? strings.none, after ?? strings.none)}</strong>
            <span class="below">
              <time dateTime={at}>{formatDateTime(language, at, site.timezone)}</time>{' '}
              {strings.by(formatActor(language, actor))}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
