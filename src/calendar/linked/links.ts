import type { Database } from '#platform/database.ts'
import type { Language } from '#platform/language.ts'
import { imageIdOf } from '../media/media.ts'
import { invalidParameter } from '../problems.ts'
import { publicationAfter } from '../publication.ts'
import { richText } from '../rich-text.ts'
import type { ImageKey, Link } from '../rules.ts'
import { slugOf } from '../slug.ts'
import type { Work } from '../tec.ts'
import { maySee } from '../viewer.ts'
import { choiceOf } from './filter.ts'
import type { Event } from './inline.ts'
import { insertNew } from './linked.ts'
import * as queries from './queries.ts'
import type { Linked, LinkedChanges } from './schema.ts'

/**
 * The ids of what an event is to be linked with, in order. New ones are made in the same transaction, unless there is
 * one already in which everything that was said is the same. They take the state of the event, unless theirs is given.
 */
export async function resolveLinks<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  visit: Work,
  linked: Linked<Own, Changes>,
  links: Link<Changes>[],
  { language, parameter, event }: { language: Language; parameter: string; event?: Event }
): Promise<number[]> {
  await refuseUnknown(tx, visit, linked, links, parameter)
  const ids: number[] = []
  for (const link of links) {
    if ('id' in link) ids.push(link.id)
    else {
      const equal = await equalTo(tx, visit, linked, link.fields, language)
      ids.push(equal ?? (await insertNew(tx, visit, linked, link.fields, language, event)))
    }
  }
  return [...new Set(ids)]
}

/** Finds and fetches the images of new ones and adds their ids: before the transaction, because it may take long. */
export async function resolveImages(
  visit: Work,
  links: Link<{ image?: ImageKey; imageId?: number | null }>[]
): Promise<void> {
  for (const link of links) {
    if ('fields' in link) Object.assign(link.fields, await withImageId(visit, link.fields))
  }
}

export async function withImageId<Fields extends { image?: ImageKey }>(
  visit: Work,
  fields: Fields
): Promise<Fields & { imageId?: number | null }> {
  return fields.image === undefined ? fields : { ...fields, imageId: await imageIdOf(visit, fields.image) }
}

/** What somebody may not see does not exist for them. */
async function refuseUnknown<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  { viewer, now }: Work,
  linked: Linked<Own, Changes>,
  links: Link<Changes>[],
  parameter: string
): Promise<void> {
  const ids = links.flatMap(link => ('id' in link ? [link.id] : []))
  if (ids.length === 0) return
  const found = await queries.lockLinkable(tx, linked, ids)
  const seen = new Set(found.filter(item => maySee(viewer, item, now)).map(({ id }) => id))
  const unknown = ids.find(id => !seen.has(id))
  if (unknown === undefined) return
  const kind = { venue: 'Orte', organizer: 'Veranstalter' }[linked.kind]
  throw invalidParameter(parameter, 'unknown', {
    en: `must name ${linked.collection} that exist; ${unknown} does not`,
    de: `muss ${kind} nennen, die es gibt; ${unknown} gibt es nicht`
  })
}

/** One that is there already, in which everything that was said is the same; nobody else makes one until the transaction ends. */
export async function equalTo<Own extends object, Changes extends LinkedChanges>(
  tx: Database,
  visit: Work,
  linked: Linked<Own, Changes>,
  fields: Changes,
  language: Language
): Promise<number | undefined> {
  const name = linked.nameIn(fields) ?? ''
  await queries.lockName(tx, linked.kind, name)
  const choice = { ...choiceOf(visit), wanted: language }
  const named = await namedValues(visit, linked, name, fields, language)
  return named === undefined ? undefined : (await queries.findEqual(tx, linked, visit.viewer, named, choice))?.id
}

/** What must be the same in one that is reused. Whoever names a date or a password means a new one. */
async function namedValues<Own extends object, Changes extends LinkedChanges>(
  visit: Work,
  linked: Linked<Own, Changes>,
  name: string,
  fields: Changes,
  language: Language
): Promise<({ name: string } & Record<string, unknown>) | undefined> {
  const { description, slug, author, imageId, status, date, date_utc, post_password } = fields
  if (date != null || date_utc != null || post_password) return undefined
  const given = fields as Record<string, unknown>
  const own = Object.entries(linked.own.after(fields, undefined)).filter(
    ([key]) => given[parameterOf(key)] !== undefined
  )
  return {
    name,
    ...Object.fromEntries(own),
    ...(description === undefined ? {} : { description: await richText(description) }),
    ...(slug ? { slug: slugOf(slug, language) } : {}),
    ...(author === undefined ? {} : { authorId: author }),
    ...(imageId === undefined ? {} : { imageId }),
    ...(status === undefined ? {} : { status: publicationAfter(visit.caller, fields, undefined, visit).status })
  }
}

/** `showMapLink` is `show_map_link`. */
function parameterOf(key: string): string {
  return key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
