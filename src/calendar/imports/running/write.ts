import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { Problem } from '#platform/problem.ts'
import { createEvent, type Translations, updateEvent } from '../../events/event.ts'
import { eventChanges, eventFields } from '../../events/schema.ts'
import { createLinked, updateLinked } from '../../linked/linked.ts'
import { equalTo } from '../../linked/links.ts'
import type { Linked, LinkedChanges } from '../../linked/schema.ts'
import { linkedOrganizers } from '../../organizers/organizer.ts'
import { organizerFields } from '../../organizers/schema.ts'
import { type Declared, optional, readParameters, type Values } from '../../parameters.ts'
import type { Work } from '../../tec.ts'
import { categoryFields, type TermChanges, tagFields } from '../../terms/schema.ts'
import { createTerm, updateTerm } from '../../terms/term.ts'
import { venueFields } from '../../venues/schema.ts'
import { linkedVenues } from '../../venues/venue.ts'
import type { Kind, Words } from '../source.ts'

/** One thing of a source as the API would take it: with ids of ours in place of the source's own. */
export interface Ready {
  kind: Kind
  /** With the language first in which it is made. */
  texts: [Language, Words][]
  given: Record<string, unknown>
  imageId: number | undefined
}

export interface WrittenItem {
  itemId: number
  /** It was here before, and is the same. */
  isRecognised: boolean
}

/** Makes it, by the rules that everybody's requests go through; a refusal is a Problem in the words of the rule. */
export async function make(tx: Database, workIn: WorkIn, ready: Ready): Promise<WrittenItem> {
  const [[language, words] = none, ...others] = ready.texts
  const work = workIn(tx, language)
  switch (ready.kind) {
    case 'event': {
      const values = readParameters(eventFields, { ...ready.given, ...words, ...imageOf(ready) }, work)
      const { id } = await createEvent(tx, work, values, translationsOf(others, work))
      return { itemId: id, isRecognised: false }
    }
    case 'venue':
      return await makeLinked(tx, workIn, linkedVenues, venueFields, ready)
    case 'organizer':
      return await makeLinked(tx, workIn, linkedOrganizers, organizerFields, ready)
    default: {
      const fields: Declared = ready.kind === 'category' ? categoryFields : tagFields
      const values = readParameters(fields, { ...ready.given, ...namedAs('name', words) }, work) as TermChanges
      const known = await createTerm(tx, { ...work, given: {} }, ready.kind, values).catch(existing)
      if (typeof known === 'number') return { itemId: known, isRecognised: true }
      for (const [other, text] of others) await changeTerm(tx, workIn, ready.kind, known.id, other, text, {})
      return { itemId: known.id, isRecognised: false }
    }
  }
}

/** Changes what the source mentions. */
export async function change(tx: Database, workIn: WorkIn, ready: Ready, id: number): Promise<void> {
  const [[language, words] = none, ...others] = ready.texts
  const work = workIn(tx, language)
  switch (ready.kind) {
    case 'event': {
      const values = readParameters(eventChanges, { ...ready.given, ...words, ...imageOf(ready) }, work)
      await updateEvent(tx, work, id, values, undefined, translationsOf(others, work))
      return
    }
    case 'venue':
      return await changeLinked(tx, workIn, linkedVenues, venueFields, ready, id)
    case 'organizer':
      return await changeLinked(tx, workIn, linkedOrganizers, organizerFields, ready, id)
    default:
      await changeTerm(tx, workIn, ready.kind, id, language, words, ready.given)
      for (const [other, text] of others) await changeTerm(tx, workIn, ready.kind, id, other, text, {})
  }
}

/** What writing rests on, in a language. */
export type WorkIn = (tx: Database, language: Language) => Work

const none: [Language, Words] = ['en', { title: '' }]

/** A name that is taken is the same thing: it is recognised instead of made. */
function existing(refused: unknown): number {
  if (refused instanceof Problem && refused.code === 'term_exists') return Number(refused.data.term_id)
  throw refused
}

const imageOf = ({ imageId }: Ready) => (imageId === undefined ? {} : { image: imageId })

function namedAs(member: string, { title, excerpt: _none, ...words }: Words): Record<string, unknown> {
  return { ...words, [member]: title }
}

function translationsOf(texts: [Language, Words][], work: Work): Translations {
  const { title, description, excerpt, slug } = eventChanges
  const declared = { title, description, excerpt, slug }
  return Object.fromEntries(texts.map(([language, words]) => [language, readParameters(declared, { ...words }, work)]))
}

async function makeLinked<Own extends object, Fields extends Declared>(
  tx: Database,
  workIn: WorkIn,
  linked: Linked<Own, Values<Fields> & LinkedChanges>,
  fields: Fields,
  ready: Ready
): Promise<WrittenItem> {
  const [[language, words] = none, ...others] = ready.texts
  const work = workIn(tx, language)
  const values = readParameters(fields, { ...ready.given, ...namedAs(linked.kind, words) }, work) as Values<Fields> &
    LinkedChanges
  // Another slug, date or picture does not make it another place.
  const { slug: _slug, date: _date, date_utc: _utc, status: _status, ...told } = values
  const same = await equalTo(tx, work, linked, told as Values<Fields> & LinkedChanges, language)
  if (same !== undefined) return { itemId: same, isRecognised: true }
  const { id } = await createLinked(tx, work, linked, { ...values, ...imageIdOf(ready) })
  for (const [other, text] of others) {
    const translation = readParameters(optional(fields), namedAs(linked.kind, text), work)
    await updateLinked(workIn(tx, other), linked, { id }, translation as Values<Fields> & LinkedChanges)
  }
  return { itemId: id, isRecognised: false }
}

async function changeLinked<Own extends object, Fields extends Declared>(
  tx: Database,
  workIn: WorkIn,
  linked: Linked<Own, Values<Fields> & LinkedChanges>,
  fields: Fields,
  ready: Ready,
  id: number
): Promise<void> {
  for (const [place, [language, words]] of ready.texts.entries()) {
    const work = workIn(tx, language)
    const given = place === 0 ? { ...ready.given, ...namedAs(linked.kind, words) } : namedAs(linked.kind, words)
    const values = readParameters(optional(fields), given, work) as Values<Fields> & LinkedChanges
    await updateLinked(work, linked, { id }, place === 0 ? { ...values, ...imageIdOf(ready) } : values)
  }
}

const imageIdOf = ({ imageId }: Ready) => (imageId === undefined ? {} : { imageId })

async function changeTerm(
  tx: Database,
  workIn: WorkIn,
  taxonomy: 'category' | 'tag',
  id: number,
  language: Language,
  words: Words,
  given: Record<string, unknown>
): Promise<void> {
  const work = workIn(tx, language)
  // A slug that is taken here would be refused; the one it has stays good.
  const { slug: _slug, ...text } = namedAs('name', words)
  const fields: Declared = optional(taxonomy === 'category' ? categoryFields : tagFields)
  const values = readParameters(fields, { ...given, ...text }, work) as TermChanges
  await updateTerm({ ...work, given: {} }, taxonomy, id, values, undefined)
}
