import { formatCost, parseCost } from '../content/cost.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { buildPageUrl } from '../contract/routing/site.ts'
import type { EventColumns, EventText, LockedEvent } from './queries.ts'
import type { EventChanges } from './schema.ts'

/** Columns that store the given values unchanged. */
export function toPlainColumns(values: EventChanges): EventColumns {
  return {
    ...(values.post_password === undefined
      ? {}
      : { password: values.post_password === '' ? null : values.post_password }),
    ...(values.cost === undefined ? {} : { cost: values.cost === null ? null : JSON.stringify(values.cost) }),
    ...(values.website === undefined ? {} : { website: values.website }),
    ...(values.show_map === undefined ? {} : { show_map: values.show_map === true }),
    ...(values.show_map_link === undefined ? {} : { show_map_link: values.show_map_link === true }),
    ...(values.hide_from_listings === undefined ? {} : { hide_from_listings: values.hide_from_listings === true }),
    ...(values.sticky === undefined ? {} : { sticky: values.sticky === true }),
    ...(values.featured === undefined ? {} : { featured: values.featured === true }),
    ...(values.ticketed === undefined ? {} : { ticketed: values.ticketed === true }),
    ...(values.is_virtual === undefined ? {} : { is_virtual: values.is_virtual === true }),
    ...(values.event_status === undefined ? {} : { event_status: values.event_status })
  }
}

/** Defaults for the fields of a new event that were not given. */
export function withDefaults(values: EventChanges) {
  return {
    password: null,
    cost: null,
    website: null,
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    ticketed: false,
    is_virtual: false,
    event_status: 'scheduled',
    ...toPlainColumns(values)
  }
}

/** Drops values that a client read as a fallback or in formatted form and sends back unchanged. */
export function omitUnchanged(
  { site }: WriteContext,
  { cost, website, ...rest }: EventChanges,
  before: LockedEvent,
  texts: EventText[]
): EventChanges {
  const pages = [false, true].flatMap(isPublished =>
    texts.map(({ slug }) => buildPageUrl(site, { kind: 'event', id: before.id, slug, isPublished }))
  )
  const isPage = before.website === null && website !== undefined && pages.includes(website)
  const isShownCost = isEqual(cost, parseCost(formatCost(before.cost, site.currency)))
  return {
    ...rest,
    ...(website === undefined || isPage ? {} : { website }),
    ...(cost === undefined || isShownCost ? {} : { cost })
  }
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
