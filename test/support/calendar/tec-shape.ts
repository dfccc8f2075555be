// Compares two answers by what a client depends on: members, types and formats, not values.

/** The site of the other response, to distinguish URLs from other texts. */
export interface Addresses {
  site: string
  rest: string
  host: string
}

/** A member that we have and the peer has not, by the kind of object it is in. */
export type Additions = Record<string, string[]>

/** The differences, one line each; empty if a client cannot distinguish the two. */
export function findDifferences(recorded: unknown, answered: unknown, at: Addresses, additions: Additions): string[] {
  return compare(recorded, answered, { at, additions, path: '', kind: 'answer' })
}

interface Place {
  at: Addresses
  additions: Additions
  path: string
  /** The name of the nearest member around: what an object is called in the table of additions. */
  kind: string
}

const peer: Addresses = { site: '{site_root}', rest: '{rest_root}', host: '{host}' }

function compare(recorded: unknown, answered: unknown, place: Place): string[] {
  const { path, at, kind, additions } = place
  const expected = formOf(recorded, peer)
  const found = formOf(answered, at)
  if (expected !== found) return [`${path || 'the body'}: ${expected} expected, ${found} found`]
  if (typeof recorded === 'string' && typeof answered === 'string' && recorded.startsWith(peer.rest)) {
    return namesIn(recorded)
      .filter(name => !namesIn(answered).includes(name))
      .map(name => `${path}: the link does not say ${name}`)
  }
  if (Array.isArray(recorded) && Array.isArray(answered)) {
    if (recorded.length > 0 && answered.length === 0) return [`${path}: is empty`]
    const inside = answered.slice(0, recorded.length)
    return inside.flatMap((item, index) => compare(recorded[index], item, { ...place, path: `${path}[${index}]` }))
  }
  if (!isMap(recorded) || !isMap(answered)) return []

  const missing = Object.keys(recorded).filter(name => !(name in answered))
  const added = Object.keys(answered).filter(name => !(name in recorded) && !additions[kind]?.includes(name))
  return [
    ...missing.map(name => `${path}.${name}: is missing`),
    ...added.map(name => `${path}.${name}: is not in the peer's answer`),
    ...Object.keys(recorded)
      .filter(name => name in answered)
      .flatMap(name =>
        compare(recorded[name], answered[name], { ...place, path: `${path}.${name}`, kind: singular(name) })
      )
  ]
}

const namesIn = (address: string) => [...new URLSearchParams(address.split('?')[1]).keys()]

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function singular(name: string): string {
  return { events: 'event', venues: 'venue', organizers: 'organizer', categories: 'term', tags: 'term' }[name] ?? name
}

const formats: [string, RegExp][] = [
  ['date and time', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ['ISO date and time with offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/],
  ['four digits', /^\d{4}$/],
  ['two digits', /^\d\d$/],
  ['id as text', /^[1-9]\d*$/],
  ['paragraphs', /^<p>/]
]

/** What kind of value it is, as far as a client would notice. */
function formOf(value: unknown, at: Addresses): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value !== 'string') return typeof value
  if (value.startsWith(`${at.host}?id=`)) return 'global id'
  if (value.startsWith(at.rest)) return `address ${addressForm(value.slice(at.rest.length))} of the service`
  if (value.startsWith(at.site)) return `address ${addressForm(value.slice(at.site.length))} of the site`
  return formats.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text'
}

/** Numbers and names differ, and files are kept elsewhere. */
function addressForm(address: string): string {
  const [path = '', query] = address.split('?')
  if (/\.(png|jpe?g|gif|webp)$/.test(path)) return 'of an image'
  const asked = query === undefined || !query.startsWith('post_type=') ? '' : `?${query.replace(/\d+/g, 'N')}`
  return path.replace(/\d+/g, 'N').replace(/\/[\w-]+\/$/, '/NAME/') + asked
}
