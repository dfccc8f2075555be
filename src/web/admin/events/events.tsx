import { type Language, otherLanguage } from '#platform/language.ts'
import { withQuery } from '../../api.ts'
import type { CalendarEvent } from '../../calendar-api.ts'
import type { Redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/events.ts'
import { placeWords } from '../../text/places.ts'
import { field } from '../../visit.ts'
import { createItem, saveItem } from '../calendar-item.ts'
import { refusedFields, textLanguage } from '../calendar-parts.tsx'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { editorPage, isRefused, type Wrong } from '../editor.tsx'
import { Act, isConflict } from '../form.tsx'
import { formBytesMax, withUpload } from '../images/image-field.tsx'
import { RemoveTextLink, textRemovalPages } from '../text-removal.tsx'
import { TrashAct, trashPages, unlessTrashed } from '../trash.tsx'
import { duplicateEvent, type ReadEvent, readBoth, readEvent } from './event-actions.ts'
import { eventChoices, findImage } from './event-choices.ts'
import { differencesOf } from './event-differences.ts'
import { EventForm, type EventFormProps } from './event-form.tsx'
import {
  bodyOf,
  decodedSlug,
  type EventInput,
  inputFrom,
  inputOf,
  labelsOf,
  newInput,
  textIn,
  wrongIn
} from './event-input.ts'
import { downloadEvents, showEvents } from './event-list.tsx'
import { previewOfForm, previewOfSaved } from './event-preview.tsx'

const menu = '/admin/events'
const islands = ['event-form', 'editor']

export function eventPages(console: Console): void {
  console.show('/admin/events', ['editor', 'viewer'], showEvents)
  console.show('/admin/events.csv', ['editor', 'viewer'], downloadEvents)
  console.show('/admin/events/new', ['editor'], async desk => await newPage(desk, newInput(desk), { errors: {} }))
  console.take('/admin/events/new', ['editor'], createEvent, formBytesMax)
  console.take('/admin/events/preview', ['editor'], previewOfForm, formBytesMax)
  console.show('/admin/events/:id', ['editor'], showEditor)
  console.take('/admin/events/:id', ['editor'], saveEvent, formBytesMax)
  console.show('/admin/events/:id/preview', ['editor'], previewOfSaved)
  console.take('/admin/events/:id/preview', ['editor'], previewOfForm, formBytesMax)
  console.take('/admin/events/:id/duplicate', ['editor'], duplicateEvent)
  trashPages(console, 'events')
  textRemovalPages(console, { collection: 'events', name: 'title' })
}

async function newPage(desk: Desk, input: EventInput, wrong: Wrong): Promise<ConsolePage> {
  const language = textLanguage(desk)
  const choices = await eventChoices(desk)
  const image = await findImage(desk, choices.images, input.image)
  return editorPage(desk, {
    title: eventWords[desk.language].editor.create,
    menu,
    language,
    wrong,
    islands,
    children: (
      <EventForm
        {...wrong}
        desk={desk}
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

async function createEvent(desk: Desk): Promise<ConsolePage | Redirect> {
  const { input, errors } = await sentForm(desk)
  if (isRefused({ errors })) return await newPage(desk, input, { errors })
  try {
    return await createItem(desk, 'events', bodyOf(input), eventWords[desk.language].editor.created)
  } catch (error) {
    return await newPage(desk, input, wrongOf(desk, error, input))
  }
}

async function sentForm(desk: Desk): Promise<{ input: EventInput; errors: Record<string, string> }> {
  const { input, errors } = await withUpload(desk, inputFrom(desk))
  return { input, errors: { ...wrongIn(desk, input), ...errors } }
}

/** A refusal of what is made along the way belongs to the fields of that. */
function wrongOf(desk: Desk, error: unknown, input: EventInput): Wrong {
  const { fields, general } = refusedFields(desk, error, labelsOf(desk))
  const { venue, organizer, date, ...rest } = fields
  return {
    errors: {
      ...rest,
      ...(venue === undefined ? {} : { [input.newVenue.venue === '' ? 'venue' : 'new_venue_venue']: venue }),
      ...(organizer === undefined
        ? {}
        : { [input.newOrganizer.organizer === '' ? 'organizer' : 'new_organizer_organizer']: organizer }),
      ...(date === undefined ? {} : { publish_at: date })
    },
    general
  }
}

async function showEditor(desk: Desk): Promise<ConsolePage> {
  return await unlessTrashed(desk, 'events', async () => {
    const language = textLanguage(desk)
    const [read, choices] = await Promise.all([readBoth(desk, language), eventChoices(desk)])
    const { event, etag } = read
    const input = inputOf(desk, event, language)
    const image = event.image === false ? undefined : event.image
    return eventEditor(desk, read, { etag, input, choices, image, errors: {} })
  })
}

type BothRead = Awaited<ReturnType<typeof readBoth>>
type Shown = Wrong & Pick<EventFormProps, 'etag' | 'input' | 'choices' | 'image'> & { conflict?: ReadEvent }

function eventEditor(desk: Desk, { event, other, hasPassword }: BothRead, shown: Shown): ConsolePage {
  const language = textLanguage(desk)
  const { conflict, ...form } = shown
  return editorPage(desk, {
    title: form.input.title || event.title,
    menu,
    id: event.id,
    language,
    written: event.translations,
    wrong: shown,
    differences: conflict && differencesOf(desk, inputOf(desk, conflict.event, language), form.input, form.choices),
    islands,
    actions: <EditorActions desk={desk} event={event} language={language} />,
    children: (
      <>
        <TextNote desk={desk} event={event} language={language} />
        <EventForm
          {...form}
          desk={desk}
          id={event.id}
          language={language}
          other={event.translations.includes(otherLanguage(language)) ? textIn(other, other.language) : undefined}
          hasPassword={hasPassword}
        />
      </>
    ),
    end: (
      <>
        <RemoveTextLink desk={desk} path={`${menu}/${event.id}`} language={language} written={event.translations} />
        <Act desk={desk} action={`${menu}/${event.id}/duplicate`} label={eventWords[desk.language].acts.duplicate} />
        <TrashAct desk={desk} collection="events" item={event} name={event.title} />
      </>
    )
  })
}

/** The event as visitors find it, or as they will. */
function EditorActions({ desk, event, language }: { desk: Desk; event: CalendarEvent; language: Language }) {
  const words = eventWords[desk.language].editor
  if (event.status !== 'publish' || event.slug === '') {
    return (
      <a class="button quiet" href={withQuery(`${menu}/${event.id}/preview`, { lang: language })}>
        {words.savedPreview}
      </a>
    )
  }
  return (
    <a class="button quiet" href={pathTo('event', event.language, decodedSlug(event.slug))}>
      {words.view}
    </a>
  )
}

/** Says that this language is still to be written, or leads to the one that is. */
function TextNote({ desk, event, language }: { desk: Desk; event: CalendarEvent; language: Language }) {
  const words = placeWords[desk.language]
  const other = otherLanguage(language)
  if (!event.translations.includes(language)) return <p class="notice">{words.notWritten[language]}</p>
  if (event.translations.includes(other) || !desk.site.languages.includes(other)) return null
  return (
    <p class="small">
      <a href={withQuery(`${menu}/${event.id}`, { lang: other })}>{words.translate[other]}</a>
    </p>
  )
}

async function saveEvent(desk: Desk): Promise<ConsolePage | Redirect> {
  const { input, errors } = await sentForm(desk)
  if (isRefused({ errors })) return await againPage(desk, input, { errors })
  try {
    return await saveItem(desk, 'events', bodyOf(input))
  } catch (error) {
    if (!isConflict(error)) return await againPage(desk, input, wrongOf(desk, error, input))
    return await againPage(desk, input, { errors: {}, conflict: await readEvent(desk, textLanguage(desk)) })
  }
}

/** The editor with everything that was typed. After a conflict it carries the newer version: saving again replaces that. */
async function againPage(
  desk: Desk,
  input: EventInput,
  shown: Pick<Shown, 'errors' | 'general' | 'conflict'>
): Promise<ConsolePage> {
  const [read, choices] = await Promise.all([readBoth(desk, textLanguage(desk)), eventChoices(desk)])
  const image = await findImage(desk, choices.images, input.image)
  const etag = shown.conflict?.etag ?? field(desk, 'etag')
  return eventEditor(desk, read, { ...shown, etag, input, choices, image })
}
