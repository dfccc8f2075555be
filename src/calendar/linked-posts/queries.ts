import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { type Sql, sql, toLiteral } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { deleteFormerSlugs, insertFormerSlug } from '../content/former-slugs.ts'
import { addLanguage, joinText, type LanguageChoice, toStoredSlug } from '../content/texts.ts'
import type { Page } from '../contract/routing/paging.ts'
import { buildVisibleCondition, type OwnedPost, type Viewer } from '../permissions/permissions.ts'
import type { Publication } from '../permissions/publication.ts'
import { buildUnlockedCondition, type LinkedPostFilter } from './filter.ts'
import type { LinkedPostChanges, LinkedPostRow, LinkedPostType } from './schema.ts'

export type LinkedPostKey = { id: number } | { slug: string }

export async function find<Own extends object, Changes extends LinkedPostChanges>(
  db: Database,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey,
  about: { choice: LanguageChoice; zone: string }
): Promise<(LinkedPostRow & Own) | undefined> {
  const { row } = linked
  return await db.maybeOne(sql`
    select ${linked.columns(about.zone)}
    from ${linked.table} as ${row} ${joinText(linked.texts, row, about.choice)}
    where ${row}.id = ${buildIdCondition(linked, key, about.choice.wanted)}`)
}

/** These items in any state. */
export async function listByIds<Own extends object, Changes extends LinkedPostChanges>(
  db: Database,
  linked: LinkedPostType<Own, Changes>,
  ids: number[],
  { choice, zone }: { choice: LanguageChoice; zone: string }
): Promise<(LinkedPostRow & Own)[]> {
  const { row } = linked
  return await db.all(sql`
    select ${linked.columns(zone)}
    from ${linked.table} as ${row} ${joinText(linked.texts, row, choice)}
    where ${row}.id = any(${ids}::bigint[])`)
}

/** The items among the ids that the viewer sees, without password-protected ones. */
export async function listUnlocked<Own extends object, Changes extends LinkedPostChanges>(
  db: Database,
  linked: LinkedPostType<Own, Changes>,
  ids: number[],
  { viewer, choice, zone }: { viewer: Viewer; choice: LanguageChoice; zone: string }
): Promise<(LinkedPostRow & Own)[]> {
  const { row } = linked
  return await db.all(sql`
    select ${linked.columns(zone)}
    from ${linked.table} as ${row} ${joinText(linked.texts, row, choice)}
    where ${row}.id = any(${ids}::bigint[]) and ${buildVisibleCondition(viewer, row)} and ${buildUnlockedCondition(viewer, row, undefined)}`)
}

/**
 * Finds a slug in any language: prefers live items, then the reader's language. A trashed item also matches the
 * suffixed slug that is shown for it.
 */
function buildIdCondition(
  { texts }: Pick<LinkedPostType<never, never>, 'texts'>,
  key: LinkedPostKey,
  language: Language
): Sql {
  if ('id' in key) return sql`${key.id}`
  const slug = toStoredSlug(key.slug)
  return sql`(
    select ${texts.ownerColumn}
    from ${texts.table}
    where slug = ${slug} or (slug = ${slug.replace(/__trashed$/, '')} and not live)
    order by live desc, language = ${language} desc, ${texts.ownerColumn} desc
    limit 1
  )`
}

export async function listPage<Own extends object, Changes extends LinkedPostChanges>(
  db: Database,
  linked: LinkedPostType<Own, Changes>,
  { joined, conditions, order, counts }: LinkedPostFilter,
  { page, choice, zone }: { page: Page; choice: LanguageChoice; zone: string }
): Promise<(LinkedPostRow & Own)[]> {
  const { row, table } = linked
  return await db.all(sql`
    with page as (
      select ${row}.id
      from ${table} as ${row} ${joined}
      where ${conditions}
      order by ${order}
      limit ${toLiteral(page.size)} offset ${page.offset}
    )
    select ${linked.columns(zone)} ${counts}
    from page
    join ${table} as ${row} on ${row}.id = page.id
    ${joinText(linked.texts, row, choice)}
    order by ${order}`)
}

export async function count(
  db: Database,
  { row, table }: Pick<LinkedPostType<never, never>, 'row' | 'table'>,
  { joinedToCount, conditions, eventIsKnown }: LinkedPostFilter
): Promise<{ total: number; eventIsKnown: boolean }> {
  return await db.one(sql`
    select
      (select count(*) from ${table} as ${row} ${joinedToCount} where ${conditions}) as total,
      ${eventIsKnown} as "eventIsKnown"`)
}

/** The locked row that a write starts from. */
export interface LockedPost extends OwnedPost {
  id: number
  version: number
  password: string | null
  imageId: number | null
}

export async function lock<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  linked: LinkedPostType<Own, Changes>,
  key: LinkedPostKey,
  language: Language
): Promise<(LockedPost & Own) | undefined> {
  const { row } = linked
  return await tx.maybeOne(sql`
    select
      ${row}.id, ${row}.version, ${row}.status, ${row}.password,
      ${row}.author_id as "authorId",
      ${row}.published_at as "publishedAt",
      ${row}.created_at as "createdAt",
      ${row}.image_id as "imageId",
      ${linked.own.selected}
    from ${linked.table} as ${row}
    where ${row}.id = ${buildIdCondition(linked, key, language)}
    for update`)
}

export interface LinkedPostText {
  language: Language
  name: string
  description: string
  slug: string
}

export async function listTexts(
  tx: Database,
  { texts }: Pick<LinkedPostType<never, never>, 'texts'>,
  id: number
): Promise<LinkedPostText[]> {
  return await tx.all(sql`
    select language, name, description, slug
    from ${texts.table}
    where ${texts.ownerColumn} = ${id}
    order by language`)
}

/** Everything but the texts. */
export interface LinkedPostValues<Own> extends Publication {
  authorId: number
  password: string | null
  imageId: number | null
  own: Own
}

export async function insert<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  { table, own }: LinkedPostType<Own, Changes>,
  post: LinkedPostValues<Own> & { madeFor: number | null },
  now: Date
): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    insert into ${table} (
      languages, author_id, status, published_at, created_at, modified_at, password, image_id, made_for, ${own.columns}
    ) values (
      '{}', ${post.authorId}, ${post.status}, ${post.publishedAt}, ${now}, ${post.publishedAt ?? now}, ${post.password}, ${post.imageId},
      ${post.madeFor},
      ${own.values(post.own)}
    )
    returning id`)
  return id
}

export async function update<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  { table, own }: LinkedPostType<Own, Changes>,
  id: number,
  { post, now }: { post: LinkedPostValues<Own> & { hasOwnState: boolean }; now: Date }
): Promise<void> {
  await tx.run(sql`
    update ${table}
    set
      version = version + 1,
      author_id = ${post.authorId},
      status = ${post.status},
      published_at = ${post.publishedAt},
      modified_at = ${now},
      password = ${post.password},
      image_id = ${post.imageId},
      made_for = case when ${post.hasOwnState} then null else made_for end,
      (${own.columns}) = row(${own.values(post.own)})
    where id = ${id}`)
}

/** Inserts or replaces. Two writers may have found the same free slug: the second one retries its transaction. */
export async function saveText(
  tx: Database,
  { kind, texts }: Pick<LinkedPostType<never, never>, 'kind' | 'texts'>,
  id: number,
  text: LinkedPostText & { live: boolean; search: string }
): Promise<void> {
  await insertFormerSlug(tx, texts, kind, { id, ...text })
  try {
    await tx.run(sql`
      insert into ${texts.table} (${texts.ownerColumn}, language, name, description, slug, live, search)
      values (${id}, ${text.language}, ${text.name}, ${text.description}, ${text.slug}, ${text.live}, ${text.search})
      on conflict (${texts.ownerColumn}, language) do update
      set
        name = excluded.name,
        description = excluded.description,
        slug = excluded.slug,
        live = excluded.live,
        search = excluded.search`)
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505')
      throw new RetryTransaction('The slug was taken.', { cause: error })
    throw error
  }
  await addLanguage(tx, texts, id, text.language)
}

/** Also deletes its texts and its links to events. */
export async function remove(
  tx: Database,
  { kind, table }: Pick<LinkedPostType<never, never>, 'kind' | 'table'>,
  id: number
): Promise<void> {
  await deleteFormerSlugs(tx, kind, id)
  await tx.run(sql`delete from ${table} where id = ${id}`)
}

/** The rows among the ids that exist outside the trash, locked against deletion until the transaction ends. */
export async function lockLinkable(
  tx: Database,
  { table }: Pick<LinkedPostType<never, never>, 'table'>,
  ids: number[]
): Promise<(OwnedPost & { id: number })[]> {
  return await tx.all(sql`
    select id, status, author_id as "authorId", published_at as "publishedAt"
    from ${table}
    where id = any(${ids}::bigint[]) and status <> 'trash'
    order by id
    for key share`)
}

/** Serializes writers of the same name: the second one waits, and then sees what the first one created. */
export async function lockName(tx: Database, kind: string, name: string): Promise<void> {
  await tx.one(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${name}`}, 0))`)
}

/** An item that the viewer can read completely and that has all the given values. */
export async function findEqual<Own extends object, Changes extends LinkedPostChanges>(
  tx: Database,
  linked: LinkedPostType<Own, Changes>,
  named: { name: string } & Record<string, unknown>,
  { viewer, choice }: { viewer: Viewer; choice: LanguageChoice }
): Promise<{ id: number } | undefined> {
  const { row, texts } = linked
  return await tx.maybeOne(sql`
    select candidate.id
    from (
      select
        ${row}.id, text.name, text.description, text.slug, ${row}.status,
        ${row}.author_id as "authorId",
        ${row}.image_id as "imageId",
        ${linked.own.selected}
      from ${linked.table} as ${row} ${joinText(texts, row, choice)}
      where ${row}.id in (select ${texts.ownerColumn} from ${texts.table} where lower(name) = lower(${named.name}))
        and ${buildVisibleCondition(viewer, row)} and ${buildUnlockedCondition(viewer, row, undefined)}
    ) as candidate
    where to_jsonb(candidate) @> ${JSON.stringify(named)}::jsonb
    order by candidate.id
    limit 1`)
}
