/** A view of the calendar in a path of The Events Calendar: `category/music/2027-03`, `list/page/2`, `day/2027-03-01`. */
export interface OldView {
  view: 'list' | 'month' | 'day' | 'today' | 'week' | undefined
  /** 2027-03 or 2027-03-01. */
  date: string | undefined
  format: 'ical' | 'feed' | undefined
  /** What comes before: nothing, `category` and slugs, or `tag` and a slug. */
  parts: string[]
}

const views = ['list', 'month', 'day', 'today', 'week'] as const
const datePattern = /^\d{4}-\d{2}(?:-\d{2})?$/

/** Reads a path below `/events/` from its end, because categories can be nested to any depth. */
export function parseOldView(path: string): OldView {
  const parts = path.split('/').filter(part => part !== '')
  const takeLast = (accept: (part: string) => boolean) => {
    const last = parts.at(-1)
    return last !== undefined && accept(last) ? parts.pop() : undefined
  }
  const format = (['ical', 'feed'] as const).find(one => takeLast(part => part === one) !== undefined)
  if (parts.at(-2) === 'page' && takeLast(part => /^\d{1,9}$/.test(part)) !== undefined) parts.pop()
  const date = takeLast(part => datePattern.test(part))
  const isSlug = parts.length === 2 && parts[0] === 'tag'
  const view = isSlug ? undefined : views.find(one => takeLast(part => part === one) !== undefined)
  return { view, date, format, parts }
}
