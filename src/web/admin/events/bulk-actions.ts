import type { BulkResultJson } from '#calendar/events/bulk/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath } from '../../server/calendar-api.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { fetchListPage } from '../shared/calendar/lists.ts'
import type { AdminContext } from '../shared/context.ts'
import { getListPath, perPage } from '../shared/list-query.ts'

const bulkPath = `${calendarPath}/events/bulk`

/** Applies the chosen action to the selected events, and offers to undo it. */
export async function applyBulkAction(context: AdminContext): Promise<Redirect> {
  const { bulk } = getMessages('daily-work', context.language)
  const back = getFormField(context, 'back')
  const action = getFormField(context, 'action')
  const ids = getFormFieldValues(context, 'ids').slice(0, perPage)
  const params = readParams(context, action)
  const missing = ids.length === 0 || !(action in bulk.actions) ? bulk.nothingSelected : findMissing(context, action)
  if (missing !== undefined) {
    context.flash({ text: missing, tone: 'bad' })
    return redirect(getListPath('/admin/events', back), 303)
  }
  try {
    const { body } = await context.api.post<BulkResultJson>(bulkPath, { ids, action, ...params })
    context.flash({
      text: await describeResult(
        context,
        body,
        (bulk.done as Partial<Record<string, typeof bulk.changed>>)[action] ?? bulk.changed
      ),
      tone: body.changed.length > 0 ? 'good' : 'bad',
      ...(body.changed.length === 0
        ? {}
        : { undo: { kind: 'undo-bulk-action', params: { id: String(body.id) }, fields: { back: back.slice(0, 500) } } })
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    const messages = Object.values(error.fields)
    context.flash({ text: messages.length > 0 ? messages.join(' ') : error.message, tone: 'bad' })
  }
  return redirect(getListPath('/admin/events', back), 303)
}

/** The parameters that the action needs; fields of other actions are ignored. */
function readParams(context: AdminContext, action: string): Record<string, string | undefined> {
  const given = (name: string) => getFormField(context, name).trim() || undefined
  if (action === 'shift') return { days: given('days'), minutes: given('minutes') }
  if (action === 'set_venue') return { venue: given('bulk_venue') }
  if (/_category$/.test(action)) return { term: given('bulk_category') }
  return /_tag$/.test(action) ? { term: given('bulk_tag') } : {}
}

/** What the action still needs, in words for the user. */
function findMissing(context: AdminContext, action: string): string | undefined {
  const { bulk } = getMessages('daily-work', context.language)
  const { days, minutes, term } = readParams(context, action)
  if (action === 'shift') return Number(days ?? 0) === 0 && Number(minutes ?? 0) === 0 ? bulk.timeNeeded : undefined
  return /_(?:category|tag)$/.test(action) && term === undefined ? bulk.termNeeded : undefined
}

export async function undoBulkAction(context: AdminContext): Promise<Redirect> {
  const { body } = await context.api.post<BulkResultJson>(
    `${bulkPath}/${encodeURIComponent(context.params.id ?? '')}/undo`
  )
  context.flash({
    text: await describeResult(context, body, getMessages('daily-work', context.language).bulk.undone),
    tone: body.changed.length > 0 ? 'good' : 'bad'
  })
  return redirect(getListPath('/admin/events', getFormField(context, 'back')), 303)
}

/** Limited by the size of the flash cookie. */
const reasonsMax = 3
const titleLengthMax = 60

/** 18 events were moved. 2 events stayed as they are. “Title”: reason. */
async function describeResult(
  context: AdminContext,
  { changed, unchanged }: BulkResultJson,
  done: (values: { count: number }) => string
): Promise<string> {
  const { language } = context
  const { bulk } = getMessages('daily-work', language)
  const named = unchanged.slice(0, reasonsMax)
  const titles = await readTitles(
    context,
    named.map(({ id }) => id)
  )
  return [
    ...(changed.length === 0 ? [] : [done({ count: changed.length })]),
    ...(unchanged.length === 0 ? [] : [bulk.unchanged({ count: unchanged.length })]),
    ...named.map(({ id, reason }) => `${titles.get(id) ?? `#${id}`}: ${reason}`),
    ...(unchanged.length > reasonsMax
      ? [bulk.more({ count: formatNumber(language, unchanged.length - reasonsMax) })]
      : [])
  ].join(' ')
}

async function readTitles(context: AdminContext, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { items } = await fetchListPage<CalendarEvent>(
    context.api,
    'events',
    {
      include: ids.join(','),
      status: 'publish,draft,pending,private,future,trash',
      language: context.language
    },
    { page: 1 }
  )
  return new Map(items.map(({ id, title }) => [id, title.slice(0, titleLengthMax)]))
}
