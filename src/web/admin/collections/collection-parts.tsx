import type { CollectionStatus, Warning } from '#fundraising/direct-debit/collections/schema.ts'
import { withQuery } from '../../api.ts'
import { number } from '../../format.ts'
import { collectionWords } from '../../text/collections.ts'
import type { Desk } from '../console.ts'

/** The entry of the menu that all of these pages belong to. */
export const menu = '/admin/collections'

const looks: Record<CollectionStatus, string> = { made: 'warn', submitted: 'warn', done: 'good', cancelled: 'plain' }

export function StatusBadge({ desk, status }: { desk: Desk; status: CollectionStatus }) {
  return <span class={`badge ${looks[status]}`}>{collectionWords[desk.language].statuses[status]}</span>
}

/** What somebody should know, with the references that can be looked for. */
export function Warnings({ desk, warnings }: { desk: Desk; warnings: Warning[] }) {
  const { language } = desk
  const words = collectionWords[language]
  if (warnings.length === 0) return null
  return (
    <section class="notice warn collection-warnings" aria-label={words.warnings}>
      <ul>
        {warnings.map(({ code, message, count, references }) => (
          <li key={code}>
            <strong>{words.concerning(number(language, count))}.</strong> {message}
            {references.length === 0 ? null : (
              <span class="below">
                {references.map((reference, index) => (
                  <>
                    {index === 0 ? '' : ', '}
                    <a href={withQuery('/admin/donations', { search: reference })}>{reference}</a>
                  </>
                ))}
                {count > references.length ? ` ${words.andMore(number(language, count - references.length))}` : ''}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The way on in a list that is read from a place on. */
export function More({ desk, link, label }: { desk: Desk; link: string; label: string }) {
  const words = collectionWords[desk.language]
  const cursor = /[?&]cursor=([\w-]{1,100})/.exec(link)?.[1]
  const isBegun = (desk.query.cursor ?? '') !== ''
  if (cursor === undefined && !isBegun) return null
  return (
    <nav class="pager" aria-label={label}>
      {isBegun ? (
        <a class="button quiet small" href={desk.path}>
          {words.first}
        </a>
      ) : (
        <span />
      )}
      {cursor === undefined ? null : (
        <a class="button quiet small" rel="next" href={withQuery(desk.path, { cursor })}>
          {words.next}
        </a>
      )}
    </nav>
  )
}
