import { buildRestUrl, type Site } from '../contract/routing/site.ts'
import type { EmbeddedTermJson, TermJson } from '../contract/shapes.ts'
import type { Taxonomy, TermRow, TermWithAncestorsRow } from './queries.ts'

/** The contract's names of the two taxonomies, and their paths. */
const taxonomyNames: Record<
  Taxonomy,
  { taxonomy: TermJson['taxonomy']; collection: 'categories' | 'tags'; page: string }
> = {
  category: { taxonomy: 'tribe_events_cat', collection: 'categories', page: 'events/category' },
  tag: { taxonomy: 'post_tag', collection: 'tags', page: 'tag' }
}

export function getCollection(taxonomy: Taxonomy): 'categories' | 'tags' {
  return taxonomyNames[taxonomy].collection
}

export function toTermJson(row: TermWithAncestorsRow, site: Site): TermJson {
  const { taxonomy, page } = taxonomyNames[row.taxonomy]
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
    urls: buildUrls(row, site),
    language: row.language,
    translations: row.translations
  }
}

/** A single term has links as in WordPress; in a list, and after deletion, it does not. */
export function toSingleTermJson(row: TermWithAncestorsRow, site: Site): TermJson {
  const { self, collection, up } = buildUrls(row, site)
  return {
    ...toTermJson(row, site),
    _links: {
      self: [{ href: self }],
      collection: [{ href: collection }],
      ...(up === undefined ? {} : { up: [{ embeddable: true, href: up }] }),
      'wp:post_type': [{ href: buildRestUrl(site, `/events?${getCollection(row.taxonomy)}=${row.id}`) }],
      curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }]
    }
  }
}

/** A term embedded in an event, for which the contract has another shape. */
export function toEmbeddedTermJson(row: TermRow, site: Site): EmbeddedTermJson {
  return {
    name: row.name,
    slug: row.slug,
    term_group: 0,
    term_taxonomy_id: row.id,
    taxonomy: taxonomyNames[row.taxonomy].taxonomy,
    description: row.description,
    parent: row.parentId ?? 0,
    count: row.count,
    filter: 'raw',
    id: row.id,
    urls: buildUrls(row, site)
  }
}

function buildUrls({ taxonomy, id, parentId }: TermRow, site: Site): TermJson['urls'] {
  const collection = buildRestUrl(site, `/${getCollection(taxonomy)}`)
  return {
    self: `${collection}/${id}`,
    collection,
    ...(parentId === null ? {} : { up: `${collection}/${parentId}` })
  }
}
