import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { isSlug } from '../../format/path-segment.ts'
import { type PageRouter, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { calendarPath, getHueClass, type Term } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { findPageAddresses, ignoreRefusal } from '../events/alternates.ts'
import { findRedirect } from '../events/find-redirect.ts'
import { loadListing } from './listing.tsx'
import { buildListingPage } from './listing-page.tsx'

type Kind = 'category' | 'tag'

const collections = { category: 'categories', tag: 'tags' } as const

/** Categories and tags: the same page, but categories have parents and children. */
export function registerTermRoutes(pages: PageRouter): void {
  for (const kind of ['category', 'tag'] as const) {
    pages.add(kind, async context => {
      const { language, params } = context
      const collection = collections[kind]
      const term = await findTerm(context, kind)
      if (!isSlug(params.slug, term.slug)) return redirect(getPath(kind, language, term.slug), 301)
      const [addresses, listing, above, below] = await Promise.all([
        findPageAddresses(context, kind, collection, term),
        loadListing(context, { [collection]: term.id }),
        findParent(context, term),
        kind === 'category' ? listChildren(context, term) : []
      ])
      return buildListingPage(context, {
        kind,
        name: term.name,
        language: term.language,
        description: term.description,
        addresses,
        listing,
        feed: { [collection]: term.slug },
        filter: { [kind]: term.slug },
        above: <ParentLink context={context} term={above} />,
        below: <ChildLinks context={context} terms={below} />
      })
    })
  }
}

/** Finds a term by its slug in any language; the page's language takes precedence. */
async function findTerm({ api, language, params }: PageContext, kind: Kind): Promise<Term> {
  const collection = collections[kind]
  const slug = params.slug ?? ''
  const query = { slug: slug.slice(0, 400), hide_empty: false, language, per_page: 50 }
  const { body } = await api.get<Record<string, Term[]>>(`${calendarPath}/${collection}`, query)
  const found = body[collection] ?? []
  const term = found.find(one => isSlug(slug, one.slug)) ?? found[0]
  if (term !== undefined) return term
  const renamed = await findRedirect(api, { kind, slug })
  if (renamed === undefined) throw new ApiError(404, 'term-not-found')
  return (await api.get<Term>(`${calendarPath}/${collection}/${renamed.id}`, { language })).body
}

async function findParent({ api, language }: PageContext, { parent }: Term): Promise<Term | undefined> {
  if (!parent) return undefined
  const found = await api.get<Term>(`${calendarPath}/categories/${parent}`, { language }).catch(ignoreRefusal)
  return found?.body
}

async function listChildren({ api, language }: PageContext, { id }: Term): Promise<Term[]> {
  const query = { parent: id, language, per_page: 50 }
  return (await api.get<{ categories: Term[] }>(`${calendarPath}/categories`, query)).body.categories
}

function ParentLink({ context: { language }, term }: { context: PageContext; term: Term | undefined }) {
  if (term === undefined) return null
  return (
    <p class="term-above">
      {getMessages('event', language).parent} <a href={getPath('category', language, term.slug)}>{term.name}</a>
    </p>
  )
}

function ChildLinks({ context: { language }, terms }: { context: PageContext; terms: Term[] }) {
  if (terms.length === 0) return null
  return (
    <ul class="chips" aria-label={getMessages('event', language).below}>
      {terms.map(term => (
        <li key={term.id}>
          <a class={`chip ${getHueClass(term.id)}`} href={getPath('category', language, term.slug)}>
            <span class="dot" aria-hidden="true" />
            {term.name} <span class="count">{formatNumber(language, term.count)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
