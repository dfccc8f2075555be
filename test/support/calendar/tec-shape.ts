// Compares two responses by members, types and formats, not by values: the parts that clients depend on.

/** The site of the other response, to distinguish URLs from other texts. */
export interface Addresses {
  site: string
  rest: string
  host: string
}

/** Members that only our responses have, by the kind of object. */
export type Additions = Record<string, string[]>

/** The differences, one line each; empty if a client cannot distinguish the two. */
export function findDifferences(recorded: unknown, actual: unknown, at: Addresses, additions: Additions): string[] {
  return compare(recorded, actual, { at, additions, path: '', kind: 'answer' })
}

interface Place {
  at: Addresses
  additions: Additions
  path: string
  /** The name of the enclosing member: the key in the table of additions. */
  kind: string
}

const recordedSite: Addresses = { site: '{site_root}', rest: '{rest_root}', host: '{host}' }

function compare(recorded: unknown, actual: unknown, place: Place): string[] {
  const { path, at, kind, additions } = place
  const expected = getForm(recorded, recordedSite)
  const found = getForm(actual, at)
  if (expected !== found) return [`${path || 'the body'}: ${expected} expected, ${found} found`]
  if (typeof recorded === 'string' && typeof actual === 'string' && recorded.startsWith(recordedSite.rest)) {
    return getParamNames(recorded)
      .filter(name => !getParamNames(actual).includes(name))
      .map(name => `${path}: the link has no parameter ${name}`)
  }
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    if (recorded.length > 0 && actual.length === 0) return [`${path}: is empty`]
    const inside = actual.slice(0, recorded.length)
    return inside.flatMap((item, index) => compare(recorded[index], item, { ...place, path: `${path}[${index}]` }))
  }
  if (!isMap(recorded) || !isMap(actual)) return []

  const missing = Object.keys(recorded).filter(name => !(name in actual))
  const added = Object.keys(actual).filter(name => !(name in recorded) && !additions[kind]?.includes(name))
  return [
    ...missing.map(name => `${path}.${name}: is missing`),
    ...added.map(name => `${path}.${name}: is not in the recorded response`),
    ...Object.keys(recorded)
      .filter(name => name in actual)
      .flatMap(name =>
        compare(recorded[name], actual[name], { ...place, path: `${path}.${name}`, kind: toSingular(name) })
      )
  ]
}

const getParamNames = (address: string) => [...new URLSearchParams(address.split('?')[1]).keys()]

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function toSingular(name: string): string {
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

/** The type and format of a value, as far as clients can distinguish them. */
function getForm(value: unknown, at: Addresses): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value !== 'string') return typeof value
  if (value.startsWith(`${at.host}?id=`)) return 'global id'
  if (value.startsWith(at.rest)) return `address ${getUrlForm(value.slice(at.rest.length))} of the service`
  if (value.startsWith(at.site)) return `address ${getUrlForm(value.slice(at.site.length))} of the site`
  return formats.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text'
}

/** The form of a URL without ids and slugs, which differ, and without paths of images. */
function getUrlForm(address: string): string {
  const [path = '', query] = address.split('?')
  if (/\.(png|jpe?g|gif|webp)$/.test(path)) return 'of an image'
  const queryForm = query === undefined || !query.startsWith('post_type=') ? '' : `?${query.replace(/\d+/g, 'N')}`
  return path.replace(/\d+/g, 'N').replace(/\/[\w-]+\/$/, '/NAME/') + queryForm
}
