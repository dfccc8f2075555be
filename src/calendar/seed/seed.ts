import { sampleContentCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { SamplePicture } from '#platform/http/service.ts'
import { drawPicture } from '#platform/images/image.ts'
import type { Language } from '#platform/language.ts'
import { normalizeForSearch } from '../content/search.ts'
import { findFreeSlug, termTexts } from '../content/texts.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { buildSite } from '../contract/routing/site.ts'
import { createEvent, updateEvent } from '../events/event.ts'
import * as events from '../events/queries.ts'
import { updateLinkedPost } from '../linked-posts/linked-post.ts'
import * as linked from '../linked-posts/queries.ts'
import { resolveLinks } from '../linked-posts/resolve-links.ts'
import type { LinkedPostType } from '../linked-posts/schema.ts'
import { storeImage } from '../media/media.ts'
import * as media from '../media/queries.ts'
import { organizerPostType } from '../organizers/organizer.ts'
import { toViewer } from '../permissions/permissions.ts'
import { findOrCreateTermIds } from '../terms/find-or-create.ts'
import * as terms from '../terms/queries.ts'
import { addDays, type IsoDate, toLocal } from '../time/time.ts'
import { venuePostType } from '../venues/venue.ts'
import { highlights } from './highlights.ts'
import { pictures } from './pictures.ts'
import { categories, organizers, tags, venues } from './places.ts'
import { type SampleDates, type SampleEvent, type SampleText, visitorInfo, weekdays } from './sample-event.ts'
import { seasons } from './seasons.ts'

/** Arbitrary number for the advisory lock; nothing else in the database may use it. */
const seedLock = 4_202_611_152
const samples = [...highlights, ...seasons]
const getTitles = ({ en, de }: SampleEvent) => [en, de].flatMap(words => (words === undefined ? [] : [words[0]]))

/** Creates missing sample events with everything they link to; returns how many. Existing ones stay as they are. */
export async function seedCalendar(db: Database, settings: Settings, now = new Date()): Promise<number> {
  if ((await listMissing(db, samples)).length === 0) return 0
  const surroundings = {
    pictures: await storePictures(db, settings, now),
    ...(await withSeedLock(db, async tx => await createRelated(tx, settings, now)))
  }
  let made = 0
  for (let first = 0; first < samples.length; first += batchSize) {
    made += await withSeedLock(db, async tx => {
      const missing = await listMissing(tx, samples.slice(first, first + batchSize))
      for (const sample of missing) await createSampleEvent(tx, sample, surroundings, { settings, now })
      return missing.length
    })
  }
  return made
}

/** Small, so that a concurrent seed run waits only briefly for the lock. */
const batchSize = 4

async function withSeedLock<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  return await db.transaction(async tx => {
    await tx.script(`set local lock_timeout = 0; select pg_advisory_xact_lock(${seedLock})`)
    return await work(tx)
  })
}

async function listMissing(db: Database, some: SampleEvent[]): Promise<SampleEvent[]> {
  const known = new Set(await events.listExistingTitles(db, some.flatMap(getTitles)))
  return some.filter(sample => !getTitles(sample).some(title => known.has(title)))
}

/** The ids of linked items, by their names in the samples. */
type RelatedIds = Record<'venues' | 'organizers' | 'categories' | 'tags' | 'pictures', Map<string, number>>

async function createRelated(tx: Database, settings: Settings, now: Date): Promise<Omit<RelatedIds, 'pictures'>> {
  const [english, german] = [newWriteContext(tx, settings, 'en', now), newWriteContext(tx, settings, 'de', now)]
  const found = {
    venues: new Map<string, number>(),
    organizers: new Map<string, number>(),
    categories: await createTerms(tx, english, 'category', categories),
    tags: await createTerms(tx, english, 'tag', tags)
  }
  for (const [key, { en, de, fields }] of Object.entries(venues)) {
    const link = { fields: { ...fields, venue: en.name, description: en.description } }
    const [id = 0] = await resolveLinks(tx, english, venuePostType, {
      links: [link],
      language: 'en',
      parameter: 'venue'
    })
    if (!(await hasGermanText(tx, venuePostType, id))) {
      await updateLinkedPost(german, venuePostType, { id }, { venue: de.name, description: de.description })
    }
    found.venues.set(key, id)
  }
  for (const [key, { en, de, fields }] of Object.entries(organizers)) {
    const link = { fields: { ...fields, organizer: en.name, description: en.description } }
    const [id = 0] = await resolveLinks(tx, english, organizerPostType, {
      links: [link],
      language: 'en',
      parameter: 'organizer'
    })
    if (!(await hasGermanText(tx, organizerPostType, id))) {
      await updateLinkedPost(german, organizerPostType, { id }, { organizer: de.name, description: de.description })
    }
    found.organizers.set(key, id)
  }
  return found
}

async function hasGermanText(
  tx: Database,
  kind: Pick<LinkedPostType<never, never>, 'texts'>,
  id: number
): Promise<boolean> {
  return (await linked.listTexts(tx, kind, id)).some(text => text.language === 'de')
}

async function storePictures(db: Database, settings: Settings, now: Date): Promise<Map<string, number>> {
  const stored = new Map<string, number>()
  for (const [name, picture] of Object.entries(pictures)) {
    stored.set(name, await findOrStorePicture(db, { ...picture, name }, { settings, now }))
  }
  return stored
}

/** The id of a sample picture, which is drawn and stored if it is missing. */
export async function findOrStorePicture(
  db: Database,
  { name, svg, alt }: SamplePicture,
  { settings, now }: { settings: Settings; now: Date }
): Promise<number> {
  const about = { name, alt: alt[settings.defaultLanguage], source: `sample:${name}` }
  return (await media.findBySource(db, about.source)) ?? (await storePicture(db, svg, about, { settings, now }))
}

async function storePicture(
  db: Database,
  svg: string,
  about: { name: string; alt: string; source: string },
  { settings, now }: { settings: Settings; now: Date }
): Promise<number> {
  const picture = await drawPicture(svg)
  return await withSeedLock(db, async tx => {
    const work = newWriteContext(tx, settings, settings.defaultLanguage, now)
    return (await media.findBySource(tx, about.source)) ?? (await storeImage(tx, work, picture, about))
  })
}

async function createTerms(
  tx: Database,
  work: WriteContext,
  taxonomy: 'category' | 'tag',
  named: Record<string, Record<Language, string>>
): Promise<Map<string, number>> {
  const names = Object.values(named)
  const ids = await findOrCreateTermIds(
    tx,
    work,
    names.map(({ en }) => en),
    { taxonomy, language: 'en', parameter: 'categories' }
  )
  for (const [place, id] of ids.entries()) {
    const known = await terms.listTexts(tx, id)
    if (known.some(text => text.language === 'de')) continue
    const name = names[place]?.de ?? ''
    const slug = await findFreeSlug(tx, termTexts, {
      words: name,
      language: 'de',
      id,
      condition: sql`taxonomy = ${taxonomy}`
    })
    const search = normalizeForSearch(`${name} ${slug}`)
    await terms.putText(tx, taxonomy, id, { language: 'de', name, description: '', slug, search })
  }
  return new Map(Object.keys(named).map((key, place) => [key, ids[place] ?? 0]))
}

async function createSampleEvent(
  tx: Database,
  sample: SampleEvent,
  surroundings: RelatedIds,
  { settings, now }: { settings: Settings; now: Date }
): Promise<void> {
  const { en, de, when, venue, organizer, picture, more = {} } = sample
  const idsOf = (kind: keyof RelatedIds, keys: string[]) => keys.flatMap(key => surroundings[kind].get(key) ?? [])
  const linksOf = (kind: 'venues' | 'organizers', keys: string[]) => idsOf(kind, keys).map(id => ({ id }))
  const fields = {
    ...toDates(when, toLocal(now, settings.timezone).slice(0, 10)),
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
  const { id } = await createEvent(tx, newWriteContext(tx, settings, first, now), {
    ...fields,
    ...image,
    ...buildText(sample, first)
  })
  if (en === undefined || de === undefined) return
  await updateEvent(tx, newWriteContext(tx, settings, second, now), id, {
    changes: buildText(sample, second),
    expected: undefined
  })
}

function buildText(sample: SampleEvent, language: Language): { title: string; description: string } {
  const [title, description] = sample[language] ?? (['', ''] satisfies SampleText)
  return { title, description: description + (sample.about === undefined ? '' : visitorInfo[sample.about][language]) }
}

/** Weeks begin on Monday; a sample always falls on the same weekdays. */
function toDates(when: SampleDates, today: IsoDate): { start_date: string; end_date: string; all_day: boolean } {
  if (when === 'end of month') {
    const [year = 0, month = 1] = today.split('-').map(Number)
    const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
    return { start_date: addDays(last, -1), end_date: addDays(last, 2), all_day: true }
  }
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const first = addDays(today, 7 * when.week + weekdays.indexOf(when.day) - sinceMonday)
  const last = addDays(first, (when.days ?? 1) - 1)
  if (!('from' in when)) return { start_date: first, end_date: last, all_day: true }
  const ends = when.to > when.from ? last : addDays(last, 1)
  return { start_date: `${first} ${when.from}:00`, end_date: `${ends} ${when.to}:00`, all_day: false }
}

function newWriteContext(db: Database, settings: Settings, language: Language, now: Date): WriteContext {
  const caller = sampleContentCaller
  return {
    db,
    now,
    zone: settings.timezone,
    site: buildSite('', settings),
    caller,
    viewer: toViewer(caller),
    language,
    requestedLanguage: language,
    rollbacks: []
  }
}
