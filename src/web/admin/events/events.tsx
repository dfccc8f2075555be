import { getLanguageValues, getOtherLanguage, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { isRepeatChanged } from '../series/repeat-input.ts'
import { SeriesNote } from '../series/series-note.tsx'
import { getTextLanguage } from '../shared/calendar/fields.tsx'
import { createItem, saveItem } from '../shared/calendar/item.ts'
import { RemoveTextLink, registerTextRemovalRoutes } from '../shared/calendar/text-removal.tsx'
import { registerTrashRoutes, showUnlessTrashed, TrashButton } from '../shared/calendar/trash.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { buildEditorPage, type FormErrors, hasErrors } from '../shared/editor.tsx'
import { ActionButton, isConflict } from '../shared/form.tsx'
import { decodeSlug } from '../shared/forms/field-kinds.ts'
import { toInput } from '../shared/forms/form-input.ts'
import { applyBulkAction, undoBulkAction } from './bulk-actions.ts'
import { duplicateEvent, type EventWithEtag, readEvent, readEventInBothLanguages } from './event-actions.ts'
import { findImage, listEventChoices } from './event-choices.ts'
import { listEventDifferences } from './event-differences.ts'
import { toEventErrors } from './event-errors.ts'
import { type EventInput, eventFields } from './event-fields.ts'
import { EventForm, type EventFormProps } from './event-form.tsx'
import {
  findEventErrors,
  getEventLabels,
  newEventInput,
  parseEventInput,
  toEventBody,
  toEventInput
} from './event-input.ts'
import { downloadEvents, showEvents } from './event-list.tsx'
import { previewEventForm, previewSavedEvent } from './event-preview.tsx'
import {
  createSeries,
  type EditorSeries,
  isDatesRequest,
  loadEventSeries,
  previewDates,
  SeriesActions
} from './event-series.tsx'
import { EventSource, findEventSubscription } from './event-source.tsx'
import { registerVersionRoutes } from './versions.tsx'

const menu = '/admin/events'
const scripts = ['event-form', 'editor']

export function registerEventRoutes(console: AdminRouter): void {
  console.get('/admin/events', ['editor', 'viewer'], showEvents)
  console.get('/admin/events.csv', ['editor', 'viewer'], downloadEvents)
  console.get(
    '/admin/events/new',
    ['editor'],
    async context => await buildNewPage(context, newEventInput(context), { errors: {} })
  )
  console.post('/admin/events/new', ['editor'], createEvent, formBytesMax)
  console.post('/admin/events/preview', ['editor'], previewEventForm, formBytesMax)
  console.get('/admin/events/:id', ['editor'], showEditor)
  console.post('/admin/events/:id', ['editor'], saveEvent, formBytesMax)
  console.get('/admin/events/:id/preview', ['editor'], previewSavedEvent)
  console.post('/admin/events/:id/preview', ['editor'], previewEventForm, formBytesMax)
  console.post('/admin/events/:id/duplicate', ['editor'], duplicateEvent)
  console.post('/admin/events/bulk', ['editor'], applyBulkAction)
  console.post('/admin/events/bulk/:id/undo', ['editor'], undoBulkAction)
  registerVersionRoutes(console)
  registerTrashRoutes(console, 'events')
  registerTextRemovalRoutes(console, { collection: 'events', name: 'title' })
}

async function buildNewPage(
  context: AdminContext,
  input: EventInput,
  wrong: FormErrors & Pick<EventFormProps, 'dates'>
): Promise<AdminPage> {
  const language = getTextLanguage(context)
  const choices = await listEventChoices(context)
  const image = await findImage(context, choices.images, input.image)
  return buildEditorPage(context, {
    title: getMessages('event-admin', context.language).editor.create,
    menu,
    language,
    wrong,
    scripts: scripts,
    children: (
      <EventForm
        {...wrong}
        context={context}
        language={language}
        etag=""
        input={input}
        other={undefined}
        choices={choices}
        image={image}
        hasPassword={false}
      />
    )
  })
}

async function createEvent(context: AdminContext): Promise<AdminPage | Redirect> {
  const { input, errors } = await readSentForm(context)
  if (isDatesRequest(context)) return await buildNewPage(context, input, await previewDates(context, input))
  if (hasErrors({ errors })) return await buildNewPage(context, input, { errors })
  try {
    if (isRepeatChanged(input.repeat)) return await createSeries(context, input)
    return await createItem(
      context,
      'events',
      toEventBody(context, input),
      getMessages('event-admin', context.language).editor.created
    )
  } catch (error) {
    return await buildNewPage(context, input, toEventErrors(context, error, input))
  }
}

async function readSentForm(context: AdminContext): Promise<{ input: EventInput; errors: Record<string, string> }> {
  const { input, errors } = await withUpload(context, parseEventInput(context))
  return { input, errors: { ...findEventErrors(context, input), ...errors } }
}

async function showEditor(context: AdminContext): Promise<AdminPage> {
  return await showUnlessTrashed(context, 'events', async () => {
    const language = getTextLanguage(context)
    const [read, choices] = await Promise.all([loadEvent(context, language), listEventChoices(context)])
    const { event, etag } = read
    const series = await loadEventSeries(context, event)
    const input = toEventInput(context, event, language, series?.repeat)
    const image = event.image === false ? undefined : event.image
    return buildEditor(context, read, { etag, input, choices, image, errors: {}, series })
  })
}

type LoadedEvent = Awaited<ReturnType<typeof loadEvent>>

/** The event in both languages, and the subscribed calendar that it comes from. */
async function loadEvent(context: AdminContext, language: Language) {
  const read = await readEventInBothLanguages(context, language)
  return { ...read, from: await findEventSubscription(context, read.event.id) }
}

type EditorState = FormErrors &
  Pick<EventFormProps, 'etag' | 'input' | 'choices' | 'image' | 'dates'> & {
    conflict?: EventWithEtag
    series: EditorSeries | undefined
  }

function buildEditor(
  context: AdminContext,
  { event, other, hasPassword, from }: LoadedEvent,
  shown: EditorState
): AdminPage {
  const language = getTextLanguage(context)
  const { conflict, series, ...form } = shown
  return buildEditorPage(context, {
    title: form.input.title || event.title,
    menu,
    id: event.id,
    language,
    written: event.translations,
    wrong: shown,
    differences:
      conflict &&
      listEventDifferences(context, toEventInput(context, conflict.event, language), form.input, form.choices),
    scripts: scripts,
    actions: <EditorActions context={context} event={event} language={language} />,
    children: (
      <>
        {series === undefined ? null : (
          <SeriesNote {...{ context, event }} {...series} labels={getEventLabels(context)} />
        )}
        <EventSource context={context} from={from} />
        <TextNote context={context} event={event} language={language} />
        <EventForm
          {...form}
          context={context}
          id={event.id}
          language={language}
          other={
            event.translations.includes(getOtherLanguage(language))
              ? toInput(context, { text: eventFields.text }, other)
              : undefined
          }
          hasPassword={hasPassword}
          seriesText={series?.text}
        />
      </>
    ),
    end: (
      <>
        <RemoveTextLink
          context={context}
          path={`${menu}/${event.id}`}
          language={language}
          written={event.translations}
        />
        <a class="button small quiet" href={`${menu}/${event.id}/versions`}>
          {getMessages('daily-work', context.language).versions.title}
        </a>
        {series === undefined ? (
          <>
            <ActionButton
              context={context}
              action={`${menu}/${event.id}/duplicate`}
              label={getMessages('event-admin', context.language).acts.duplicate}
            />
            <TrashButton context={context} collection="events" item={event} name={event.title} />
          </>
        ) : (
          <SeriesActions context={context} event={event} />
        )}
      </>
    )
  })
}

/** Link to the public page, or to its preview. */
function EditorActions({
  context,
  event,
  language
}: {
  context: AdminContext
  event: CalendarEvent
  language: Language
}) {
  const strings = getMessages('event-admin', context.language).editor
  if (event.status !== 'publish' || event.slug === '') {
    return (
      <a class="button quiet" href={withQuery(`${menu}/${event.id}/preview`, { lang: language })}>
        {strings.savedPreview}
      </a>
    )
  }
  return (
    <a class="button quiet" href={getPath('event', event.language, decodeSlug(event.slug))}>
      {strings.view}
    </a>
  )
}

/** Notes that this language has no text yet, with a link to the one that has. */
function TextNote({ context, event, language }: { context: AdminContext; event: CalendarEvent; language: Language }) {
  const strings = getMessages('calendar-admin', context.language)
  const other = getOtherLanguage(language)
  if (!event.translations.includes(language))
    return <p class="notice">{strings.notWritten(getLanguageValues(language, context.language))}</p>
  if (event.translations.includes(other) || !context.site.languages.includes(other)) return null
  return (
    <p class="small">
      <a href={withQuery(`${menu}/${event.id}`, { lang: other })}>
        {strings.translate(getLanguageValues(other, context.language))}
      </a>
    </p>
  )
}

async function saveEvent(context: AdminContext): Promise<AdminPage | Redirect> {
  const { input, errors } = await readSentForm(context)
  if (isDatesRequest(context)) return await buildRetryPage(context, input, { errors: {} })
  if (hasErrors({ errors })) return await buildRetryPage(context, input, { errors })
  try {
    const { saved } = getMessages('series-admin', context.language).apply
    return await saveItem(context, 'events', { ...toEventBody(context, input), apply: input.apply }, saved[input.apply])
  } catch (error) {
    if (!isConflict(error)) return await buildRetryPage(context, input, toEventErrors(context, error, input))
    return await buildRetryPage(context, input, {
      errors: {},
      conflict: await readEvent(context, getTextLanguage(context))
    })
  }
}

/** Editor with the input kept. After a conflict it has the newer ETag, so that saving again overwrites that version. */
async function buildRetryPage(
  context: AdminContext,
  input: EventInput,
  shown: Pick<EditorState, 'errors' | 'general' | 'conflict'>
): Promise<AdminPage> {
  const [read, choices] = await Promise.all([loadEvent(context, getTextLanguage(context)), listEventChoices(context)])
  const [image, series, preview] = await Promise.all([
    findImage(context, choices.images, input.image),
    loadEventSeries(context, read.event),
    isDatesRequest(context) ? previewDates(context, input, read.event) : {}
  ])
  const etag = shown.conflict?.etag ?? getFormField(context, 'etag')
  return buildEditor(context, read, { ...shown, ...preview, etag, input, choices, image, series })
}
