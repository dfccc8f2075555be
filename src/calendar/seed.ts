import { sampleMaker } from '#platform/access.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { sql } from '#platform/sql.ts'
import { createEvent, updateEvent } from './events/event.ts'
import * as events from './events/queries.ts'
import { updateLinked } from './linked/linked.ts'
import { resolveLinks } from './linked/links.ts'
import * as linked from './linked/queries.ts'
import type { Linked } from './linked/schema.ts'
import { drawPicture } from './media/image.ts'
import { storeImage } from './media/media.ts'
import * as media from './media/queries.ts'
import { linkedOrganizers } from './organizers/organizer.ts'
import { goodToKnow, type SampleEvent, type When, type Words, weekdays } from './sample/event.ts'
import { highlights } from './sample/highlights.ts'
import { pictures } from './sample/pictures.ts'
import { categories, organizers, tags, venues } from './sample/places.ts'
import { seasons } from './sample/seasons.ts'
import { folded } from './search.ts'
import { siteAt, type Work } from './tec.ts'
import * as terms from './terms/queries.ts'
import { termIdsFor } from './terms/term.ts'
import { freeSlug, termTexts } from './texts.ts'
import { daysLater, type SiteDate, toLocal } from './time.ts'
import { linkedVenues } from './venues/venue.ts'
import { viewerOf } from './viewer.ts'

/** Any number, as long as nothing else in the database locks it. */
const seedLock = 4_202_611_152
const samples = [...highlights, ...seasons]
const titlesOf = ({ en, de }: SampleEvent) => [en, de].flatMap(words => (words === undefined ? [] : [words[0]]))

/** Fills in sample events with all that belongs to them; answers how many it made. Those that are there stay as they are. */
export async function seedCalendar(db: Database, settings: Settings, now = new Date()): Promise<number> {
  if ((await missingIn(db, samples)).length === 0) return 0
  const surroundings = {
    pictures: await storePictures(db, settings, now),
    ...(await alone(db, async tx => await makeSurroundings(tx, settings, now)))
  }
  let made = 0
  for (let first = 0; first < samples.length; first += atOnce) {
    made += await alone(db, async tx => {
      const missing = await missingIn(tx, samples.slice(first, first + atOnce))
      for (const sample of missing) await makeSample(tx, settings, sample, surroundings, now)
      return missing.length
    })
  }
  return made
}

/** Few, so that another who makes the sample at the same time does not wait in vain. */
const atOnce = 4

async function alone<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  return await db.transaction(async tx => {
    await tx.script(`set local lock_timeout = 0; select pg_advisory_xact_lock(${seedLock})`)
    return await work(tx)
  })
}

async function missingIn(db: Database, some: SampleEvent[]): Promise<SampleEvent[]> {
  const known = new Set(await events.listTitled(db, some.flatMap(titlesOf)))
  return some.filter(sample => !titlesOf(sample).some(title => known.has(title)))
}

/** The ids of what events are linked with, by the names that the samples have for them. */
type Surroundings = Record<'venues' | 'organizers' | 'categories' | 'tags' | 'pictures', Map<string, number>>

async function makeSurroundings(tx: Database, settings: Settings, now: Date): Promise<Omit<Surroundings, 'pictures'>> {
  const [english, german] = [workIn(tx, settings, 'en', now), workIn(tx, settings, 'de', now)]
  const found = {
    venues: new Map<string, number>(),
    organizers: new Map<string, number>(),
    categories: await termsNamed(tx, english, 'category', categories),
    tags: await termsNamed(tx, english, 'tag', tags)
  }
  for (const [key, { en, de, fields }] of Object.entries(venues)) {
    const link = { fields: { ...fields, venue: en.name, description: en.description } }
    const [id = 0] = await resolveLinks(tx, english, linkedVenues, [link], { language: 'en', parameter: 'venue' })
    if (!(await isInGerman(tx, linkedVenues, id))) {
      await updateLinked(german, linkedVenues, { id }, { venue: de.name, description: de.description })
    }
    found.venues.set(key, id)
  }
  for (const [key, { en, de, fields }] of Object.entries(organizers)) {
    const link = { fields: { ...fields, organizer: en.name, description: en.description } }
    const [id = 0] = await resolveLinks(tx, english, linkedOrganizers, [link], {
      language: 'en',
      parameter: 'organizer'
    })
    if (!(await isInGerman(tx, linkedOrganizers, id))) {
      await updateLinked(german, linkedOrganizers, { id }, { organizer: de.name, description: de.description })
    }
    found.organizers.set(key, id)
  }
  return found
}

async function isInGerman(tx: Database, kind: Pick<Linked<never, never>, 'texts'>, id: number): Promise<boolean> {
  return (await linked.listTexts(tx, kind, id)).some(text => text.language === 'de')
}

async function storePictures(db: Database, settings: Settings, now: Date): Promise<Map<string, number>> {
  const stored = new Map<string, number>()
  for (const [name, picture] of Object.entries(pictures)) {
    const about = { name, alt: picture.alt[settings.defaultLanguage], source: `sample:${name}` }
    const id =
      (await media.findBySource(db, about.source)) ?? (await storePicture(db, settings, picture.svg, about, now))
    stored.set(name, id)
  }
  return stored
}

async function storePicture(
  db: Database,
  settings: Settings,
  svg: string,
  about: { name: string; alt: string; source: string },
  now: Date
): Promise<number> {
  const picture = await drawPicture(svg)
  return await alone(db, async tx => {
    const work = workIn(tx, settings, settings.defaultLanguage, now)
    return (await media.findBySource(tx, about.source)) ?? (await storeImage(tx, work, picture, about))
  })
}

async function termsNamed(
  tx: Database,
  work: Work,
  taxonomy: 'category' | 'tag',
  named: Record<string, Record<Language, string>>
): Promise<Map<string, number>> {
  const names = Object.values(named)
  const ids = await termIdsFor(
    tx,
    work,
    taxonomy,
    names.map(({ en }) => en),
    'en',
    'categories'
  )
  for (const [place, id] of ids.entries()) {
    const known = await terms.listTexts(tx, id)
    if (known.some(text => text.language === 'de')) continue
    const name = names[place]?.de ?? ''
    const slug = await freeSlug(tx, termTexts, name, 'de', id, sql`taxonomy = ${taxonomy}`)
    const search = folded(`${name} ${slug}`)
    await terms.putText(tx, taxonomy, id, { language: 'de', name, description: '', slug, search })
  }
  return new Map(Object.keys(named).map((key, place) => [key, ids[place] ?? 0]))
}

async function makeSample(
  tx: Database,
  settings: Settings,
  sample: SampleEvent,
  surroundings: Surroundings,
  now: Date
): Promise<void> {
  const { en, de, when, venue, organizer, picture, more = {} } = sample
  const idsOf = (kind: keyof Surroundings, keys: string[]) => keys.flatMap(key => surroundings[kind].get(key) ?? [])
  const linksOf = (kind: 'venues' | 'organizers', keys: string[]) => idsOf(kind, keys).map(id => ({ id }))
  const fields = {
    ...datesOf(when, toLocal(now, settings.timezone).slice(0, 10)),
    venue: linksOf('venues', venue === undefined ? [] : [venue]),
    organizer: linksOf('organizers', [organizer]),
    categories: idsOf('categories', sample.categories),
    tags: idsOf('tags', sample.tags ?? []),
    show_map: venue !== undefined,
    show_map_link: venue !== undefined,
    ...more
  }
  const [first, second] = en === undefined ? (['de', 'en'] as const) : (['en', 'de'] as const)
  const imageId = idsOf('pictures', picture === undefined ? [] : [picture])[0]
  const image = imageId === undefined ? {} : { image: { id: imageId } }
  const { id } = await createEvent(tx, workIn(tx, settings, first, now), {
    ...fields,
    ...image,
    ...textOf(sample, first)
  })
  if (en === undefined || de === undefined) return
  await updateEvent(tx, workIn(tx, settings, second, now), id, textOf(sample, second), undefined)
}

function textOf(sample: SampleEvent, language: Language): { title: string; description: string } {
  const [title, description] = sample[language] ?? (['', ''] satisfies Words)
  return { title, description: description + (sample.about === undefined ? '' : goodToKnow[sample.about][language]) }
}

/** Weeks begin on Monday; the same sample falls on the same days of the week whenever it is made. */
function datesOf(when: When, today: SiteDate): { start_date: string; end_date: string; all_day: boolean } {
  if (when === 'end of month') {
    const [year = 0, month = 1] = today.split('-').map(Number)
    const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
    return { start_date: daysLater(last, -1), end_date: daysLater(last, 2), all_day: true }
  }
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const first = daysLater(today, 7 * when.week + weekdays.indexOf(when.day) - sinceMonday)
  const last = daysLater(first, (when.days ?? 1) - 1)
  if (!('from' in when)) return { start_date: first, end_date: last, all_day: true }
  const ends = when.to > when.from ? last : daysLater(last, 1)
  return { start_date: `${first} ${when.from}:00`, end_date: `${ends} ${when.to}:00`, all_day: false }
}

function workIn(db: Database, settings: Settings, language: Language, now: Date): Work {
  const caller = sampleMaker
  return {
    db,
    now,
    zone: settings.timezone,
    site: siteAt('', settings),
    caller,
    viewer: viewerOf(caller),
    language,
    chosenLanguage: language,
    undo: []
  }
}
