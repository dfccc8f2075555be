import type { Database } from '#platform/database/database.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { toRichText } from '#platform/rich-text/rich-text.ts'
import { toSlug } from '#platform/rich-text/slug.ts'
import type { Link } from '../contract/link-params.ts'
import type { ImageKey } from '../contract/params.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { resolveImageId } from '../media/media.ts'
import { canSee } from '../permissions/permissions.ts'
import { resolvePublication } from '../permissions/publication.ts'
import { toLanguageChoice } from './filter.ts'
import type { ParentEvent } from './inline-state.ts'
import { insertLinkedPost } from './linked-post.ts'
import * as queries from './queries.ts'
import type { LinkedPostChanges, LinkedPostType } from './schema.ts'

/**
 * The ids to link an event with, in order. Creates new items in the same transaction, unless one with exactly the given
 * values exists. They take the state of the event, unless they have their own.
 */
export async function resolveLinks<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  {
    links,
    language,
    parameter,
    event
  }: { links: Link<Changes>[]; language: Language; parameter: string; event?: ParentEvent }
): Promise<number[]> {
  await requireKnownIds(tx, context, linked, { links, parameter })
  const ids: number[] = []
  for (const link of links) {
    if ('id' in link) ids.push(link.id)
    else {
      const equal = await findIdentical(tx, context, linked, { fields: link.fields, language })
      ids.push(equal ?? (await insertLinkedPost(tx, context, linked, { changes: link.fields, language, event })))
    }
  }
  return [...new Set(ids)]
}

/** Resolves and downloads the images of new items and adds their ids, before the transaction, as it may take long. */
export async function resolveImages(
  context: WriteContext,
  links: Link<{ image?: ImageKey; imageId?: number | null }>[]
): Promise<void> {
  for (const link of links) {
    if ('fields' in link) Object.assign(link.fields, await withImageId(context, link.fields))
  }
}

export async function withImageId<Fields extends { image?: ImageKey }>(
  context: WriteContext,
  fields: Fields
): Promise<Fields & { imageId?: number | null }> {
  return fields.image === undefined ? fields : { ...fields, imageId: await resolveImageId(context, fields.image) }
}

/** An item that the caller cannot see is treated as missing. */
async function requireKnownIds<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  { viewer, now }: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  { links, parameter }: { links: Link<Changes>[]; parameter: string }
): Promise<void> {
  const ids = links.flatMap(link => ('id' in link ? [link.id] : []))
  if (ids.length === 0) return
  const found = await queries.lockLinkable(tx, linked, ids)
  const seen = new Set(found.filter(item => canSee(viewer, item, now)).map(({ id }) => id))
  const unknown = ids.find(id => !seen.has(id))
  if (unknown === undefined) return
  throw newInvalidParamProblem(
    parameter,
    'unknown',
    buildText('calendar-problems', 'unknownLink', { kind: linked.kind, id: unknown })
  )
}

/** An existing item with exactly the given values; locks the name, so that no other writer creates one. */
export async function findIdentical<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  { fields, language }: { fields: Changes; language: Language }
): Promise<number | undefined> {
  const name = linked.getName(fields) ?? ''
  await queries.lockName(tx, linked.kind, name)
  const choice = { ...toLanguageChoice(context), wanted: language }
  const named = await toComparableValues(context, linked, name, { fields, language })
  return named === undefined
    ? undefined
    : (await queries.findEqual(tx, linked, named, { viewer: context.viewer, choice }))?.id
}

/** The values that must match for reuse. A given date or password always means a new item. */
async function toComparableValues<Own extends object, Changes extends LinkedPostChanges>(
  context: WriteContext,
  linked: LinkedPostType<Own, Changes>,
  name: string,
  { fields, language }: { fields: Changes; language: Language }
): Promise<({ name: string } & Record<string, unknown>) | undefined> {
  const { description, slug, author, imageId, status, date, date_utc, post_password } = fields
  if (date != null || date_utc != null || post_password) return undefined
  const given = fields as Record<string, unknown>
  const own = Object.entries(linked.own.resolve(fields, undefined)).filter(
    ([key]) => given[toParamName(key)] !== undefined
  )
  return {
    name,
    ...Object.fromEntries(own),
    ...(description === undefined ? {} : { description: await toRichText(context, description) }),
    ...(slug ? { slug: toSlug(slug, language) } : {}),
    ...(author === undefined ? {} : { authorId: author }),
    ...(imageId === undefined ? {} : { imageId }),
    ...(status === undefined ? {} : { status: resolvePublication(context.caller, fields, undefined, context).status })
  }
}

/** `showMapLink` is `show_map_link`. */
function toParamName(key: string): string {
  return key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
