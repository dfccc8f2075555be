import type { AccountChange } from '#fundraising/campaigns/account-changes/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'

/** How long all console users see a notice about a changed account. */
const noticeMs = 14 * 24 * 3_600_000

/** Recent changes of any account. */
export async function listRecentAccountChanges({ api, now }: AdminContext): Promise<AccountChange[]> {
  const since = new Date(now.getTime() - noticeMs).toISOString()
  return (await api.get<AccountChange[]>('/account-changes', { since, limit: 5 })).body
}

export async function listAccountChanges({ api }: AdminContext, campaignId: number): Promise<AccountChange[]> {
  return (await api.get<AccountChange[]>('/account-changes', { campaignId, limit: 20 })).body
}

/** Warns that donations go to a different account than before, while the change is recent. */
export function AccountNotices({
  context,
  changes,
  withLink = false
}: {
  context: AdminContext
  changes: AccountChange[]
  /** Adds a link to the campaign, for pages other than its own. */
  withLink?: boolean
}) {
  const { language, site, now } = context
  const strings = getMessages('abuse-protection', language).account
  return (
    <>
      {changes
        .filter(({ at }) => now.getTime() - Date.parse(at) < noticeMs)
        // Only the latest change of each account; the history has the others.
        .filter(({ campaignId }, index, all) => all.findIndex(one => one.campaignId === campaignId) === index)
        .map(({ at, actor, campaignId, campaignName, before, after }) => {
          const change = {
            at: formatDateTime(language, at, site.timezone),
            who: formatActor(language, actor),
            before: before ?? strings.none,
            after: after ?? strings.none
          }
          return (
            <p key={at} class="notice warn">
              {campaignId === null
                ? strings.siteChanged(change)
                : strings.changed({ campaign: campaignName ?? String(campaignId), ...change })}{' '}
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

/** All accounts that a campaign has had, newest first. */
export function AccountHistory({ context, changes }: { context: AdminContext; changes: AccountChange[] }) {
  const { language, site } = context
  const strings = getMessages('abuse-protection', language).account
  if (changes.length === 0) return null
  return (
    <details class="account-history">
      <summary>{strings.history}</summary>
      <p class="hint">{strings.historyHint}</p>
      <ol class="history">
        {changes.map(({ at, actor, before, after }) => (
          <li key={at}>
            <strong>{strings.line({ before: before ?? strings.none, after: after ?? strings.none })}</strong>
            <span class="below">
              <time dateTime={at}>{formatDateTime(language, at, site.timezone)}</time>{' '}
              {strings.by({ who: formatActor(language, actor) })}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
