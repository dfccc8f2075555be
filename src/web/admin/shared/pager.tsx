import { getMessages } from '#platform/messages/messages.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from './context.ts'

/** Page links that keep the filters of the URL: previous and next, the first, the last and the neighbours. */
export function Pager({ context, page, pages }: { context: AdminContext; page: number; pages: number }) {
  if (pages < 2) return null
  const strings = getMessages('admin', context.language)
  const to = (target: number) => withQuery(context.path, { ...context.query, page: target })
  return (
    <nav class="pager" aria-label={strings.page({ page, of: pages })}>
      {page > 1 ? (
        <a class="button quiet small" rel="prev" href={to(page - 1)}>
          {strings.previous}
        </a>
      ) : (
        <span />
      )}
      <div class="pager-pages">
        <ul>
          {listShownPages(page, pages).map((shown, index, all) => (
            <li key={shown} class={shown - (all[index - 1] ?? shown) > 1 ? 'after-gap' : undefined}>
              <a
                href={to(shown)}
                aria-label={strings.page({ page: shown, of: pages })}
                {...(shown === page ? { 'aria-current': 'page' as const } : {})}
              >
                {shown}
              </a>
            </li>
          ))}
        </ul>
        <span class="small muted">{strings.page({ page, of: pages })}</span>
      </div>
      {page < pages ? (
        <a class="button quiet small" rel="next" href={to(page + 1)}>
          {strings.next}
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

/** A gap of one page is filled: its number takes no more room than the gap. */
export function listShownPages(page: number, pages: number): number[] {
  const shown = [1, page - 1, page, page + 1, pages].filter(one => one >= 1 && one <= pages)
  const filled = [...shown, ...(page - 1 === 3 ? [2] : []), ...(page + 1 === pages - 2 ? [pages - 1] : [])]
  return [...new Set(filled)].sort((one, other) => one - other)
}
