import { Refused } from '../../api.ts'
import { calendarPath, hueOf, type Term } from '../../calendar-api.ts'
import { number } from '../../format.ts'
import { type Pages, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { eventWords } from '../../text/event.ts'
import type { Visit } from '../../visit.ts'
import { addressesOf, unlessBroken } from '../events/twins.ts'
import { listingOf } from './listing.tsx'
import { placePage } from './place-page.tsx'

type Kind = 'category' | 'tag'

const collections = { category: 'categories', tag: 'tags' } as const

/** Categories and tags: the same page, but categories have others below and above. */
export function termPages(pages: Pages): void {
  for (const kind of ['category', 'tag'] as const) {
    pages.add(kind, async visit => {
      const { language, params } = visit
      const collection = collections[kind]
      const term = await findTerm(visit, kind)
      if (term.slug !== params.slug) return redirect(pathTo(kind, language, term.slug), 301)
      const [addresses, listing, above, below] = await Promise.all([
        addressesOf(visit, kind, collection, term),
        listingOf(visit, { [collection]: term.id }),
        findAbove(visit, term),
        kind === 'category' ? listBelow(visit, term) : []
      ])
      return placePage(visit, {
        kind,
        name: term.name,
        language: term.language,
        description: term.description,
        addresses,
        listing,
        feed: { [collection]: term.slug },
        filter: { [kind]: term.slug },
        above: <Above visit={visit} term={above} />,
        below: <Below visit={visit} terms={below} />
      })
    })
  }
}

/** By the slug in any language; that in the language of the page is meant first. */
async function findTerm({ api, language, params }: Visit, kind: Kind): Promise<Term> {
  const collection = collections[kind]
  const slug = params.slug ?? ''
  const query = { slug: slug.slice(0, 400), hide_empty: false, language, per_page: 50 }
  const { body } = await api.get<Record<string, Term[]>>(`${calendarPath}/${collection}`, query)
  const found = body[collection] ?? []
  const term = found.find(one => one.slug === slug) ?? found[0]
  if (term === undefined) throw new Refused(404, 'term-not-found', '', {})
  return term
}

async function findAbove({ api, language }: Visit, { parent }: Term): Promise<Term | undefined> {
  if (!parent) return undefined
  const found = await api.get<Term>(`${calendarPath}/categories/${parent}`, { language }).catch(unlessBroken)
  return found?.body
}

async function listBelow({ api, language }: Visit, { id }: Term): Promise<Term[]> {
  const query = { parent: id, language, per_page: 50 }
  return (await api.get<{ categories: Term[] }>(`${calendarPath}/categories`, query)).body.categories
}

function Above({ visit: { language }, term }: { visit: Visit; term: Term | undefined }) {
  if (term === undefined) return null
  return (
    <p class="term-above">
      {eventWords[language].parent} <a href={pathTo('category', language, term.slug)}>{term.name}</a>
    </p>
  )
}

function Below({ visit: { language }, terms }: { visit: Visit; terms: Term[] }) {
  if (terms.length === 0) return null
  return (
    <ul class="chips" aria-label={eventWords[language].below}>
      {terms.map(term => (
        <li key={term.id}>
          <a class={`chip ${hueOf(term.id)}`} href={pathTo('category', language, term.slug)}>
            <span class="dot" aria-hidden="true" />
            {term.name} <span class="count">{number(language, term.count)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
