import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import type { Incoming, SingleKind } from '../sources/source.ts'

interface SourcePath {
  base: string
  kind: SingleKind | 'view'
}

const baseLengthMax = 200

/** Stores where the source has the pages of these items, in its own language: links to the old site lead to the item. */
export async function saveSourcePaths(tx: Database, items: Incoming[]): Promise<void> {
  const paths = new Map(items.flatMap(listPaths).map(path => [path.base, path]))
  if (paths.size === 0) return
  await tx.run(sql`
    insert into calendar.imported_paths (base, kind)
    select base, kind
    from jsonb_to_recordset(${JSON.stringify([...paths.values()])}::jsonb) as given (base text, kind text)
    on conflict (base) do nothing`)
}

/** The path before the slug; of categories, those without a parent: lists of events are one level above them. */
function listPaths({ kind, url = '', texts, fields }: Incoming): SourcePath[] {
  if (kind === 'series' || !canParseUrl(url) || (kind === 'category' && fields.parent != null)) return []
  const { pathname } = new URL(url)
  const slugs = Object.values(texts).flatMap(({ slug = '' }) => (slug === '' ? [] : [slug, encodeURIComponent(slug)]))
  const ending = slugs
    .map(slug => `/${slug}/`)
    .find(end => addSlash(pathname).toLowerCase().endsWith(end.toLowerCase()))
  if (ending === undefined) return []
  const base = addSlash(pathname).slice(0, 1 - ending.length)
  const above = base.slice(0, base.lastIndexOf('/', base.length - 2) + 1)
  return [{ base, kind }, ...(kind === 'category' ? [{ base: above, kind: 'view' as const }] : [])].filter(isUsable)
}

const addSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`)

/** Everything is below the root, so nothing can be told from it. */
const isUsable = ({ base }: SourcePath) => /^\/.+\/$/.test(base) && base.length <= baseLengthMax
