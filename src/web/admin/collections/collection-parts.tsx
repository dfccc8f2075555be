import type { CollectionStatus, Warning } from '#fundraising/payments/direct-debit/collections/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'

/** Menu entry of these pages. */
export const menu = '/admin/collections'

const badgeClasses: Record<CollectionStatus, string> = {
  made: 'warn',
  submitted: 'warn',
  done: 'good',
  cancelled: 'plain'
}

export function StatusBadge({ context, status }: { context: AdminContext; status: CollectionStatus }) {
  return (
    <span class={`badge ${badgeClasses[status]}`}>{getMessages('collection', context.language).statuses[status]}</span>
  )
}

/** Warnings, with the references they concern. */
export function Warnings({ context, warnings }: { context: AdminContext; warnings: Warning[] }) {
  const { language } = context
  const strings = getMessages('collection', language)
  if (warnings.length === 0) return null
  return (
    <section class="notice warn collection-warnings" aria-label={strings.warnings}>
      <ul>
        {warnings.map(({ code, message, count, references }) => (
          <li key={code}>
            <strong>{strings.concerning({ count })}.</strong> {message}
            {references.length === 0 ? null : (
              <span class="below">
                {references.map((reference, index) => (
                  <>
                    {index === 0 ? '' : ', '}
                    <a href={withQuery('/admin/donations', { search: reference })}>{reference}</a>
                  </>
                ))}
                {count > references.length
                  ? ` ${strings.andMore({ count: formatNumber(language, count - references.length) })}`
                  : ''}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Link to the next page of a list with cursor paging. */
export function MoreLink({ context, link, label }: { context: AdminContext; link: string; label: string }) {
  const strings = getMessages('collection', context.language)
  const cursor = /[?&]cursor=([\w-]{1,100})/.exec(link)?.[1]
  const isBegun = (context.query.cursor ?? '') !== ''
  if (cursor === undefined && !isBegun) return null
  return (
    <nav class="pager" aria-label={label}>
      {isBegun ? (
        <a class="button quiet small" href={context.path}>
          {strings.first}
        </a>
      ) : (
        <span />
      )}
      {cursor === undefined ? null : (
        <a class="button quiet small" rel="next" href={withQuery(context.path, { cursor })}>
          {strings.next}
        </a>
      )}
    </nav>
  )
}
