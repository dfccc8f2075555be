import type { DifferenceJson } from '#calendar/events/versions/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatLongDay, formatTime } from '../../format/format.ts'
import { toPlainText } from '../../format/plain-text.ts'
import type { AdminContext } from '../shared/context.ts'
import { decodeSlug } from '../shared/forms/field-kinds.ts'
import { getAuthorName, type ListChoices } from './event-filter.ts'
import { compareTexts, shortenUnchanged } from './text-diff.ts'

/** The label of a field of a version, as in the editor. */
export function getVersionFieldLabel(context: AdminContext, field: string): string {
  const { editor } = getMessages('event-admin', context.language)
  const own: Record<string, string> = getMessages('daily-work', context.language).versions.fields
  const shared: Record<string, string> = {
    title: editor.title,
    description: editor.description,
    excerpt: editor.excerpt,
    slug: editor.slug,
    start_date: getMessages('event-admin', context.language).list.start,
    all_day: editor.allDay,
    timezone: editor.timezone,
    venue: editor.venue,
    organizer: editor.organizers,
    categories: editor.categories,
    tags: editor.tags,
    cost: editor.cost,
    website: editor.website,
    event_status: editor.eventStatus,
    image: editor.picture,
    status: editor.status,
    post_password: editor.password,
    hide_from_listings: editor.hidden,
    sticky: editor.sticky,
    featured: editor.featured,
    is_virtual: editor.online
  }
  return shared[field] ?? own[field] ?? field
}

/** A value of a version as text: names instead of ids, dates in the reader's format. */
export function formatVersionValue(
  context: AdminContext,
  choices: ListChoices,
  { field }: Pick<DifferenceJson, 'field'>,
  value: unknown
): string {
  const { language } = context
  const { statuses, happenings } = getMessages('event-admin', language)
  const { versions } = getMessages('daily-work', language)
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? getMessages('admin', language).yes : getMessages('admin', language).no
  switch (field) {
    case 'start_date':
    case 'end_date':
      return formatLocalTime(context, String(value))
    case 'date_utc':
      return `${formatLocalTime(context, String(value))} UTC`
    case 'status':
      return (statuses as Record<string, string>)[String(value)] ?? String(value)
    case 'event_status':
      return (happenings as Record<string, string>)[String(value)] ?? String(value)
    case 'slug':
      return decodeSlug(String(value))
    case 'description':
    case 'excerpt':
      return toLines(String(value))
    case 'author': {
      const known = choices.authors.find(({ id }) => id === value)
      return known === undefined ? `#${value}` : getAuthorName(context, known)
    }
    default:
      return Array.isArray(value)
        ? value.map(id => findName(choices, field, Number(id)) ?? versions.deleted({ id: Number(id) })).join(', ')
        : typeof value === 'number'
          ? `#${value}`
          : String(value)
  }
}

const formatLocalTime = ({ language }: AdminContext, local: string) =>
  `${formatLongDay(language, local)}, ${formatTime(local)}`

function findName(choices: ListChoices, field: string, id: number): string | undefined {
  switch (field) {
    case 'venue':
      return choices.venues.find(venue => venue.id === id)?.venue
    case 'organizer':
      return choices.organizers.find(organizer => organizer.id === id)?.organizer
    case 'categories':
      return choices.categories.find(term => term.id === id)?.name
    default:
      return choices.tags.find(term => term.id === id)?.name
  }
}

/** HTML as text with a line for each paragraph. */
function toLines(html: string): string {
  return html
    .split(/<\/(?:p|h\d|li|blockquote|pre|tr)>|<br\s*\/?>/i)
    .map(toPlainText)
    .filter(line => line !== '')
    .join('\n')
}

/** False for a text that was missing and is empty now, or the other way round: readers see no difference. */
export function isVisibleDifference({ before, now }: DifferenceJson): boolean {
  return (before ?? '') !== (now ?? '')
}

/** Fields whose texts are compared word by word. */
const comparedFields = ['title', 'description', 'excerpt']

/** Both values in one text, with the differences marked, or one beside the other. */
export function VersionDifference({
  context,
  choices,
  difference
}: {
  context: AdminContext
  choices: ListChoices
  difference: DifferenceJson
}) {
  const strings = getMessages('daily-work', context.language).versions
  const [before, now] = [difference.before, difference.now].map(value =>
    formatVersionValue(context, choices, difference, value)
  )
  const isText = comparedFields.includes(difference.field) && before !== '' && now !== ''
  if (isText && before !== now) {
    return (
      <p class="text-diff" lang={difference.language ?? undefined}>
        {shortenUnchanged(compareTexts(before ?? '', now ?? ''), strings.cut).map(({ kind, text }, index) => {
          if (kind === 'same') return text
          return kind === 'removed' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>
        })}
      </p>
    )
  }
  // The same words with another markup.
  const isMarkup = isText && before === now
  const show = (text: unknown) =>
    text === '' || text === undefined ? <em class="muted">{strings.nothing}</em> : String(text)
  return (
    <p class="text-diff" lang={difference.language ?? undefined}>
      <del>{show(isMarkup ? difference.before : before)}</del> <span aria-hidden="true">→</span>{' '}
      <ins>{show(isMarkup ? difference.now : now)}</ins>
    </p>
  )
}
