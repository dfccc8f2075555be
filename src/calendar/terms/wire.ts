import { restUrl, type Site } from '../tec.ts'
import type { PlacedTermRow, Taxonomy, TermRow } from './queries.ts'

/** What the contract calls the two, and where they live. */
const spellings: Record<Taxonomy, { taxonomy: string; collection: 'categories' | 'tags'; page: string }> = {
  category: { taxonomy: 'tribe_events_cat', collection: 'categories', page: 'events/category' },
  tag: { taxonomy: 'post_tag', collection: 'tags', page: 'tag' }
}

export function collectionOf(taxonomy: Taxonomy): 'categories' | 'tags' {
  return spellings[taxonomy].collection
}

export function termToWire(row: PlacedTermRow, site: Site) {
  const { taxonomy, page } = spellings[row.taxonomy]
  return {
    id: row.id,
    count: row.count,
    description: row.description,
    name: row.name,
    slug: row.slug,
    taxonomy,
    ...(row.taxonomy === 'category' ? { parent: row.parentId ?? 0 } : {}),
    meta: [],
    url: `${site.origin}/${page}/${[...row.above, row.slug].join('/')}/`,
    urls: urlsOf(row, site),
    language: row.language,
    translations: row.translations
  }
}

/** A term by itself carries links as WordPress writes them; in a list, and once it is removed, it does not. */
export function singleTermToWire(row: PlacedTermRow, site: Site) {
  const { self, collection, up } = urlsOf(row, site)
  return {
    ...termToWire(row, site),
    _links: {
      self: [{ href: self }],
      collection: [{ href: collection }],
      ...(up === undefined ? {} : { up: [{ embeddable: true, href: up }] }),
      'wp:post_type': [{ href: restUrl(site, `/events?${collectionOf(row.taxonomy)}=${row.id}`) }],
      curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]
    }
  }
}

/** A term inside an event: the contract has another shape there. */
export function embeddedTermToWire(row: TermRow, site: Site) {
  return {
    name: row.name,
    slug: row.slug,
    term_group: 0,
    term_taxonomy_id: row.id,
    taxonomy: spellings[row.taxonomy].taxonomy,
    description: row.description,
    parent: row.parentId ?? 0,
    count: row.count,
    filter: 'raw',
    id: row.id,
    urls: urlsOf(row, site)
  }
}

interface Urls {
  self: string
  collection: string
  up?: string
}

function urlsOf({ taxonomy, id, parentId }: TermRow, site: Site): Urls {
  const collection = restUrl(site, `/${collectionOf(taxonomy)}`)
  return {
    self: `${collection}/${id}`,
    collection,
    ...(parentId === null ? {} : { up: `${collection}/${parentId}` })
  }
}
