import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { makeOptional, type ParamDefs, type ParamValues, parseParams } from '../../contract/param-definition.ts'
import type { WriteContext } from '../../contract/routing/route.ts'
import { createEvent, updateEvent } from '../../events/event.ts'
import { setUid } from '../../events/queries.ts'
import type { Translations } from '../../events/save-texts.ts'
import { eventChangeParams, eventFields } from '../../events/schema.ts'
import { createLinkedPost, updateLinkedPost } from '../../linked-posts/linked-post.ts'
import { findIdentical } from '../../linked-posts/resolve-links.ts'
import type { LinkedPostChanges, LinkedPostType } from '../../linked-posts/schema.ts'
import { organizerPostType } from '../../organizers/organizer.ts'
import { organizerFields } from '../../organizers/schema.ts'
import { categoryFields, type TermChanges, tagFields } from '../../terms/schema.ts'
import { createTerm, updateTerm } from '../../terms/term.ts'
import { venueFields } from '../../venues/schema.ts'
import { venuePostType } from '../../venues/venue.ts'
import type { IncomingSeries, IncomingText, ItemKind } from '../sources/source.ts'
import { type ImportedSeries, importSeries, replaceSeries } from './write-series.ts'

/** An item of a source as input of the API: with our ids in place of the source's. */
export interface ResolvedItem {
  kind: ItemKind
  /** The first language is the one the item is created in. */
  texts: [Language, IncomingText][]
  given: Record<string, unknown>
  imageId: number | undefined
  uid: string | undefined
  /** When a series repeats, and the events in which it differs. */
  series?: ResolvedSeries
}

export interface ResolvedSeries extends Omit<IncomingSeries, 'changes'> {
  changes: (Pick<ResolvedItem, 'texts' | 'given' | 'imageId'> & { date: string })[]
}

export interface WrittenItem {
  itemId: number
  /** An identical item already existed. */
  isRecognised: boolean
}

/** Creates the item by the same rules as API requests; a rejection is a Problem with the message of the rule. */
export async function createItem(tx: Database, workIn: ContextFactory, ready: ResolvedItem): Promise<WrittenItem> {
  const [[language, words] = noText, ...others] = ready.texts
  const work = workIn(tx, language)
  switch (ready.kind) {
    case 'event': {
      const values = parseParams(eventFields, { ...ready.given, ...words, ...toImageField(ready) }, work)
      const { id } = await createEvent(tx, work, values, parseTranslations(others, work))
      if (ready.uid !== undefined) await setUid(tx, id, ready.uid)
      return { itemId: id, isRecognised: false }
    }
    case 'series':
      return { itemId: await importSeries(tx, parseSeriesItem(tx, workIn, ready)), isRecognised: false }
    case 'venue':
      return await createLinkedItem(tx, workIn, { linked: venuePostType, fields: venueFields }, ready)
    case 'organizer':
      return await createLinkedItem(tx, workIn, { linked: organizerPostType, fields: organizerFields }, ready)
    default: {
      const fields: ParamDefs = ready.kind === 'category' ? categoryFields : tagFields
      const values = parseParams(fields, { ...ready.given, ...toNamedFields('name', words) }, work) as TermChanges
      const known = await createTerm(tx, { ...work, rawParams: {} }, ready.kind, values).catch(findExistingTermId)
      if (typeof known === 'number') return { itemId: known, isRecognised: true }
      for (const [other, text] of others)
        await updateTermItem(
          tx,
          workIn,
          { taxonomy: ready.kind, id: known.id },
          { language: other, words: text, given: {} }
        )
      return { itemId: known.id, isRecognised: false }
    }
  }
}

/** Updates the fields that the source provides. */
export async function updateItem(tx: Database, workIn: ContextFactory, ready: ResolvedItem, id: number): Promise<void> {
  const [[language, words] = noText, ...others] = ready.texts
  const work = workIn(tx, language)
  switch (ready.kind) {
    case 'event': {
      const values = parseParams(eventChangeParams, { ...ready.given, ...words, ...toImageField(ready) }, work)
      await updateEvent(tx, work, id, {
        changes: values,
        expected: undefined,
        translations: parseTranslations(others, work)
      })
      return
    }
    case 'series':
      return await replaceSeries(tx, id, parseSeriesItem(tx, workIn, ready))
    case 'venue':
      return await updateLinkedItem(tx, workIn, { linked: venuePostType, fields: venueFields }, { id, ready })
    case 'organizer':
      return await updateLinkedItem(tx, workIn, { linked: organizerPostType, fields: organizerFields }, { id, ready })
    default:
      await updateTermItem(tx, workIn, { taxonomy: ready.kind, id }, { language, words, given: ready.given })
      for (const [other, text] of others)
        await updateTermItem(tx, workIn, { taxonomy: ready.kind, id }, { language: other, words: text, given: {} })
  }
}

/** Creates the write context for a language. */
export type ContextFactory = (tx: Database, language: Language) => WriteContext

const noText: [Language, IncomingText] = ['en', { title: '' }]

/** A term whose name is taken is the same term: it is recognised instead of created. */
function findExistingTermId(refused: unknown): number {
  if (refused instanceof Problem && refused.code === 'term_exists') return Number(refused.data.term_id)
  throw refused
}

const toImageField = ({ imageId }: Pick<ResolvedItem, 'imageId'>) => (imageId === undefined ? {} : { image: imageId })

function toNamedFields(member: string, { title, excerpt: _none, ...words }: IncomingText): Record<string, unknown> {
  return { ...words, [member]: title }
}

function parseSeriesItem(tx: Database, workIn: ContextFactory, ready: ResolvedItem): ImportedSeries {
  const { series } = ready
  if (series === undefined) throw new Error('A series needs a recurrence.')
  const parse = (item: Pick<ResolvedItem, 'texts' | 'given' | 'imageId'>) => {
    const [[language, words] = noText, ...others] = item.texts
    const context = workIn(tx, language)
    const values = parseParams(eventChangeParams, { ...item.given, ...words, ...toImageField(item) }, context)
    return { context, values, translations: parseTranslations(others, context) }
  }
  // Rejects what a new event must have.
  parseParams(eventFields, { ...ready.given, ...ready.texts[0]?.[1] }, workIn(tx, 'en'))
  return {
    ...parse(ready),
    uid: ready.uid,
    times: {
      start: String(ready.given.start_date),
      end: String(ready.given.end_date),
      allDay: ready.given.all_day === true,
      timezone: String(ready.given.timezone)
    },
    recurrence: series,
    changes: series.changes.map(change => ({ date: change.date, ...parse(change) }))
  }
}

/** The fields of texts in further languages. */
export function parseTranslations(texts: [Language, Partial<IncomingText>][], work: WriteContext): Translations {
  const { title, description, excerpt, slug } = eventChangeParams
  const declared = { title, description, excerpt, slug }
  return Object.fromEntries(texts.map(([language, words]) => [language, parseParams(declared, { ...words }, work)]))
}

async function createLinkedItem<Own extends object, Fields extends ParamDefs>(
  tx: Database,
  workIn: ContextFactory,
  { linked, fields }: { linked: LinkedPostType<Own, ParamValues<Fields> & LinkedPostChanges>; fields: Fields },
  ready: ResolvedItem
): Promise<WrittenItem> {
  const [[language, words] = noText, ...others] = ready.texts
  const work = workIn(tx, language)
  const values = parseParams(
    fields,
    { ...ready.given, ...toNamedFields(linked.kind, words) },
    work
  ) as ParamValues<Fields> & LinkedPostChanges
  // A different slug, date or image does not make it a different item.
  const { slug: _slug, date: _date, date_utc: _utc, status: _status, ...described } = values
  const same = await findIdentical(tx, work, linked, {
    fields: described as ParamValues<Fields> & LinkedPostChanges,
    language
  })
  if (same !== undefined) return { itemId: same, isRecognised: true }
  const { id } = await createLinkedPost(tx, work, linked, { ...values, ...toImageIdField(ready) })
  for (const [other, text] of others) {
    const translation = parseParams(makeOptional(fields), toNamedFields(linked.kind, text), work)
    await updateLinkedPost(workIn(tx, other), linked, { id }, translation as ParamValues<Fields> & LinkedPostChanges)
  }
  return { itemId: id, isRecognised: false }
}

async function updateLinkedItem<Own extends object, Fields extends ParamDefs>(
  tx: Database,
  workIn: ContextFactory,
  { linked, fields }: { linked: LinkedPostType<Own, ParamValues<Fields> & LinkedPostChanges>; fields: Fields },
  { id, ready }: { id: number; ready: ResolvedItem }
): Promise<void> {
  for (const [place, [language, words]] of ready.texts.entries()) {
    const work = workIn(tx, language)
    const given =
      place === 0 ? { ...ready.given, ...toNamedFields(linked.kind, words) } : toNamedFields(linked.kind, words)
    const values = parseParams(makeOptional(fields), given, work) as ParamValues<Fields> & LinkedPostChanges
    await updateLinkedPost(work, linked, { id }, place === 0 ? { ...values, ...toImageIdField(ready) } : values)
  }
}

const toImageIdField = ({ imageId }: ResolvedItem) => (imageId === undefined ? {} : { imageId })

async function updateTermItem(
  tx: Database,
  workIn: ContextFactory,
  { taxonomy, id }: { taxonomy: 'category' | 'tag'; id: number },
  { language, words, given }: { language: Language; words: IncomingText; given: Record<string, unknown> }
): Promise<void> {
  const work = workIn(tx, language)
  // A slug that is taken here would be rejected; the term keeps its current one.
  const { slug: _slug, ...text } = toNamedFields('name', words)
  const fields: ParamDefs = makeOptional(taxonomy === 'category' ? categoryFields : tagFields)
  const values = parseParams(fields, { ...given, ...text }, work) as TermChanges
  await updateTerm({ ...work, rawParams: {} }, taxonomy, id, { changes: values, expected: undefined })
}
