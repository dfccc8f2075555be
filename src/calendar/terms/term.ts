import { record } from '#platform/activity/activity.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { sql } from '#platform/database/sql.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import type { Language } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { sanitizeHtml } from '#platform/rich-text/rich-text.ts'
import { toSlug } from '#platform/rich-text/slug.ts'
import { requireMarkupBudget } from '../content/markup-budget.ts'
import { normalizeForSearch } from '../content/search.ts'
import { chooseWriteLanguage, findFreeSlug, removeText, termTexts } from '../content/texts.ts'
import { isEmpty } from '../contract/params.ts'
import {
  newInvalidParamProblem,
  newSlugTakenProblem,
  newTagParentProblem,
  newTermExistsProblem,
  newTermNotFoundProblem
} from '../contract/problems.ts'
import type { RequestContext, WriteContext } from '../contract/routing/route.ts'
import * as termMatches from './match-queries.ts'
import type { Taxonomy, TermText, TermWithAncestorsRow } from './queries.ts'
import * as terms from './queries.ts'
import type { TermChanges } from './schema.ts'

/** The context of a request, or of internal work, which provides `rawParams` as a request would. */
type TermWriteContext = WriteContext & Pick<RequestContext, 'rawParams'>

/** Maximum depth of the category tree. */
const levelsMax = 20

export async function createTerm(
  db: Database,
  context: TermWriteContext,
  taxonomy: Taxonomy,
  input: TermChanges
): Promise<TermWithAncestorsRow> {
  requireMarkupBudget({ description: input.description })
  if (taxonomy === 'tag') requireNoParent(context)
  const language = chooseWriteLanguage(context.requestedLanguage, context.site.settings.defaultLanguage, [])
  const { name = '', parent: parentId = null } = input
  return await db.transaction(async tx => {
    await terms.lockNames(tx, taxonomy, [normalizeForSearch(name)])
    if (parentId !== null) await requireValidParent(tx, parentId, undefined)

    const same = await termMatches.findNamed(tx, taxonomy, parentId, normalizeForSearch(name))
    const slug = toSlug(input.slug ?? '', language)
    const isNewSlug = slug !== '' && (await findUniqueSlug(tx, taxonomy, { words: slug, language, id: 0 })) === slug
    if (same !== undefined && !isNewSlug) throw newTermExistsProblem(same, taxonomy === 'category')

    const description = await sanitizeHtml(context, input.description ?? '')
    const id = await insertTerm(tx, context, taxonomy, { name, description, slug, parentId, language })
    return await reload(tx, context, taxonomy, { id, language })
  })
}

/** Fields that are not given stay unchanged. */
export async function updateTerm(
  context: TermWriteContext,
  taxonomy: Taxonomy,
  id: number,
  { changes, expected }: { changes: TermChanges; expected: IfMatch }
): Promise<TermWithAncestorsRow> {
  requireMarkupBudget({ description: changes.description })
  if (taxonomy === 'tag') requireNoParent(context)
  return await context.db.transaction(async tx => {
    if (changes.parent !== undefined) await terms.lockTree(tx)
    const before = await terms.lock(tx, taxonomy, id, 'to change')
    if (before === undefined) throw newTermNotFoundProblem(id)
    requireVersion(expected, before.version)
    if (changes.parent !== undefined && changes.parent !== null) await requireValidParent(tx, changes.parent, id)

    const { name, language } = await updateText(tx, context, taxonomy, { id, changes })
    await terms.update(tx, id, changes.parent === undefined ? before.parentId : changes.parent, context.now)
    await record(tx, { by: context.caller, now: context.now }, `${taxonomy}.updated`, {
      subject: taxonomy,
      id,
      details: { name, language },
      endsSample: true
    })
    return await reload(tx, context, taxonomy, { id, language })
  })
}

/** Deletes the term permanently and from its events; its children move up. Returns the deleted term. */
export async function deleteTerm(
  context: WriteContext,
  taxonomy: Taxonomy,
  id: number,
  expected: IfMatch
): Promise<TermWithAncestorsRow> {
  return await context.db.transaction(async tx => {
    if (taxonomy === 'category') await terms.lockTree(tx)
    const before = await terms.lock(tx, taxonomy, id, 'to remove')
    if (before === undefined) throw newTermNotFoundProblem(id)
    requireVersion(expected, before.version)

    const row = await reload(tx, context, taxonomy, { id, language: context.language })
    if (taxonomy === 'category') await terms.moveChildren(tx, id, before.parentId, context.now)
    await terms.remove(tx, taxonomy, id)
    await record(tx, { by: context.caller, now: context.now }, `${taxonomy}.deleted`, {
      subject: taxonomy,
      id,
      details: { name: row.name },
      endsSample: true
    })
    return row
  })
}

/** Deletes its text in one language. */
export async function removeTermText(
  context: WriteContext,
  taxonomy: Taxonomy,
  id: number,
  { language, expected }: { language: Language; expected: IfMatch }
): Promise<TermWithAncestorsRow> {
  return await context.db.transaction(async tx => {
    const before = await terms.lock(tx, taxonomy, id, 'to change')
    if (before === undefined) throw newTermNotFoundProblem(id)
    requireVersion(expected, before.version)
    await removeText(tx, termTexts, { id, language, now: context.now })
    const row = await reload(tx, context, taxonomy, { id, language })
    await record(tx, { by: context.caller, now: context.now }, `${taxonomy}.updated`, {
      subject: taxonomy,
      id,
      details: { name: row.name, removed: language },
      endsSample: true
    })
    return row
  })
}

/** Adjusts the counts when published or scheduled events gain or lose these terms. */
export async function addToCounts(tx: Database, ids: number[], by: number): Promise<void> {
  if (ids.length > 0) await terms.addToCounts(tx, ids, by)
}

interface NewTerm {
  name: string
  description: string
  /** If empty, it is derived from the name. */
  slug: string
  parentId: number | null
  language: Language
}

export async function insertTerm(
  tx: Database,
  context: WriteContext,
  taxonomy: Taxonomy,
  term: NewTerm
): Promise<number> {
  const { name, description, parentId, language } = term
  const id = await terms.insert(tx, taxonomy, parentId, context.now)
  const slug = await findUniqueSlug(tx, taxonomy, { words: term.slug || name, language, id })
  await writeText(tx, taxonomy, id, { language, name, description, slug })
  await record(tx, { by: context.caller, now: context.now }, `${taxonomy}.created`, {
    subject: taxonomy,
    id,
    details: { name, language }
  })
  return id
}

async function findUniqueSlug(
  tx: Database,
  taxonomy: Taxonomy,
  { words, language, id }: { words: string; language: Language; id: number }
): Promise<string> {
  return await findFreeSlug(tx, termTexts, { words, language, id, condition: sql`taxonomy = ${taxonomy}` })
}

/** Writes the text of one language, if any of it is given. A new language without a name takes the existing name. */
async function updateText(
  tx: Database,
  context: WriteContext,
  taxonomy: Taxonomy,
  { id, changes }: { id: number; changes: TermChanges }
): Promise<{ name: string; language: Language }> {
  // Read after taking the lock: a concurrent change to the text must not be lost.
  const texts = await terms.listTexts(tx, id)
  const fallback = context.site.settings.defaultLanguage
  const language = chooseWriteLanguage(
    context.requestedLanguage,
    fallback,
    texts.map(text => text.language)
  )
  const own = texts.find(text => text.language === language)
  const shown = own ?? texts.find(text => text.language === fallback) ?? texts[0]
  const name = changes.name ?? shown?.name ?? ''
  if ([changes.name, changes.description, changes.slug].some(value => value !== undefined)) {
    const description =
      changes.description === undefined ? (own?.description ?? '') : await sanitizeHtml(context, changes.description)
    const slug = await resolveSlug(tx, taxonomy, id, { requested: changes.slug, name, language, own: own?.slug })
    await writeText(tx, taxonomy, id, { language, name, description, slug })
  }
  return { name, language }
}

/** A requested slug is used as it is or rejected; one derived from the name gets a free number. */
async function resolveSlug(
  tx: Database,
  taxonomy: Taxonomy,
  id: number,
  {
    requested,
    name,
    language,
    own
  }: { requested: string | undefined; name: string; language: Language; own: string | undefined }
): Promise<string> {
  if (requested === undefined && own !== undefined) return own
  const slug = toSlug(requested ?? '', language)
  if (slug === '') return await findUniqueSlug(tx, taxonomy, { words: name, language, id })
  if ((await findUniqueSlug(tx, taxonomy, { words: slug, language, id })) !== slug) throw newSlugTakenProblem(slug)
  return slug
}

async function writeText(tx: Database, taxonomy: Taxonomy, id: number, text: TermText): Promise<void> {
  try {
    await terms.putText(tx, taxonomy, id, { ...text, search: normalizeForSearch(`${text.name} ${text.slug}`) })
  } catch (error) {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error
    throw new RetryTransaction(`The slug ${text.slug} was taken in the meantime.`, { cause: error })
  }
}

const uniqueViolation = '23505'

/** The parent must exist, must not be the category itself or one below it, and must not be too deep. */
async function requireValidParent(tx: Database, parentId: number, id: number | undefined): Promise<void> {
  if (id === undefined) await terms.lockTree(tx)
  const above = await terms.listAbove(tx, parentId)
  if (above.length === 0) throw newUnknownParentProblem()
  if (id !== undefined && above.includes(id)) {
    throw newInvalidParamProblem('parent', 'circle', buildText('calendar-problems', 'circle'))
  }
  const levels = id === undefined ? 1 : await terms.countLevels(tx, id)
  if (above.length + levels > levelsMax) {
    throw newInvalidParamProblem('parent', 'too-deep', buildText('calendar-problems', 'tooDeep', { levelsMax }))
  }
}

export const newUnknownParentProblem = () =>
  newInvalidParamProblem('parent', 'unknown', buildText('calendar-problems', 'unknownParent'))

/** Accepts 0: clients that send back a tag as embedded in an event send a parent of 0. */
function requireNoParent({ rawParams: { parent } }: TermWriteContext): void {
  if (parent !== undefined && !isEmpty(parent) && parent !== 0 && parent !== '0') throw newTagParentProblem()
}

async function reload(
  tx: Database,
  context: WriteContext,
  taxonomy: Taxonomy,
  { id, language: wanted }: { id: number; language: Language }
): Promise<TermWithAncestorsRow> {
  const row = await terms.find(tx, taxonomy, id, { wanted, fallback: context.site.settings.defaultLanguage })
  if (row === undefined) throw newTermNotFoundProblem(id)
  return row
}
