import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { parseClock } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { type CalendarEvent, calendarPath } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { formatRecurrence, loadSeries } from './load-series.ts'
import { showSeries } from './series-page.tsx'

export function registerSeriesRoutes(console: AdminRouter): void {
  console.get('/admin/series/:id', ['editor'], showSeries)
  console.get('/admin/series/:id/delete', ['editor'], confirmRemoval)
  console.post('/admin/series/:id/delete', ['editor'], removeSeries)
  console.post('/admin/series/:id/skip', ['editor'], async context => await act(context, skipDate))
  console.post('/admin/series/:id/restore', ['editor'], async context => await act(context, restoreDate))
  console.post('/admin/series/:id/move', ['editor'], async context => await act(context, moveDate))
  console.post('/admin/series/:id/end', ['editor'], async context => await act(context, endSeries))
  console.post('/admin/series/:id/add', ['editor'], async context => await act(context, addDate))
}

type Act = (context: AdminContext) => Promise<keyof Messages<'series-admin'>['page'] & Done>
type Done = 'skipped' | 'restored' | 'moved' | 'ended' | 'added' | 'dateNeeded'

/** Does it and returns to the page of the series with what was done, or why it was refused. */
async function act(context: AdminContext, action: Act): Promise<Redirect> {
  const strings = getMessages('series-admin', context.language).page
  const show = getFormField(context, 'show') === 'past' ? 'past' : undefined
  try {
    const done = await action(context)
    context.flash({ text: strings[done], ...(done === 'dateNeeded' ? { tone: 'bad' as const } : {}) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 404) throw error
    context.flash({ text: error.message, tone: 'bad' })
  }
  return redirect(withQuery(`/admin/series/${encodeURIComponent(context.params.id ?? '')}`, { show }), 303)
}

const getSeriesPath = ({ params }: AdminContext) => `${calendarPath}/series/${encodeURIComponent(params.id ?? '')}`

/** The event that the form names. */
function getEventPath(context: AdminContext): string {
  const id = getFormField(context, 'event')
  if (!/^\d{1,15}$/.test(id)) throw new ApiError(404, 'not-found')
  return `${calendarPath}/events/${id}`
}

async function skipDate(context: AdminContext): Promise<Done> {
  await context.api.delete(getEventPath(context))
  return 'skipped'
}

const restorable = ['publish', 'future', 'draft', 'pending', 'private']

/** With the status of the other dates. */
async function restoreDate(context: AdminContext): Promise<Done> {
  const sent = getFormField(context, 'status')
  await context.api.patch(getEventPath(context), { status: restorable.includes(sent) ? sent : 'draft' })
  return 'restored'
}

async function moveDate(context: AdminContext): Promise<Done> {
  const path = getEventPath(context)
  const [day, time] = [getFormField(context, 'day'), getFormField(context, 'time').slice(0, 5)]
  if (!isDay(day)) return 'dateNeeded'
  const { body: event } = await context.api.get<CalendarEvent>(path, { context: 'edit' })
  const clock = /^\d\d:\d\d$/.test(time) ? `${time}:00` : event.start_date.slice(11)
  const duration = parseClock(event.end_date).getTime() - parseClock(event.start_date).getTime()
  const start = `${day} ${clock}`
  const end = new Date(parseClock(start).getTime() + duration).toISOString().slice(0, 19).replace('T', ' ')
  await context.api.patch(path, { start_date: start, end_date: end })
  return 'moved'
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

async function endSeries(context: AdminContext): Promise<Done> {
  await context.api.delete(withQuery(getEventPath(context), { apply: 'following' }))
  return 'ended'
}

async function addDate(context: AdminContext): Promise<Done> {
  const day = getFormField(context, 'day')
  if (!isDay(day)) return 'dateNeeded'
  const loaded = await loadSeries(context, context.params.id ?? '')
  if (loaded === undefined) throw new ApiError(404, 'rest-series-not-found')
  const { series, except } = loaded
  const left = except.filter(date => date !== day)
  const isExcluded = left.length < except.length
  const also = isExcluded ? series.also : [...new Set([...series.also, day])].sort()
  await context.api.patch(getSeriesPath(context), { recurrence: formatRecurrence(series, left, also) })
  return 'added'
}

async function confirmRemoval(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('series-admin', context.language).page
  const loaded = await loadSeries(context, context.params.id ?? '')
  if (loaded === undefined) return await showSeries(context)
  const path = `/admin/series/${loaded.series.id}`
  return buildConfirmPage(context, {
    title: strings.removeTitle,
    text: strings.removeText({ count: loaded.series.occurrences }),
    menu: '/admin/events',
    action: `${path}/delete`,
    yes: strings.remove,
    no: { label: strings.keep, href: path }
  })
}

async function removeSeries(context: AdminContext): Promise<Redirect> {
  await context.api.delete(getSeriesPath(context))
  context.flash({ text: getMessages('series-admin', context.language).page.removed })
  return redirect('/admin/events', 303)
}
