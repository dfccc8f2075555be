import { resolveSchema, type Schema, type Schemas } from './openapi-document.ts'

/** Example value for a schema: from the schema itself, else from the field's name. */
export function buildExample(schema: Schema, schemas: Schemas, place: ExampleContext = {}): unknown {
  const { name = '', parent = '', open = [] } = place
  const found = resolveSchema(schema, schemas)
  if (found.const !== undefined) return found.const
  const given = (found.examples ?? []).find(one => !Array.isArray(one) || one.length > 0)
  if (given !== undefined) return given
  if (found.default !== undefined && found.default !== null) return found.default
  if (found.enum !== undefined && found.enum.length > 0)
    return chooseEnumValue(found.enum, place.requiredOnly === true ? name : '')
  const type = getType(found)
  const choice = found.anyOf?.[0] ?? found.oneOf?.[0]
  const holds = choice ?? (type === 'array' ? found.items : undefined)
  // Schemas may be recursive: a schema inside itself is left empty.
  const again = open.includes(found) || open.length > depthMax
  const inside = { ...place, open: [...open, found] }
  if (choice !== undefined) return again ? null : buildExample(choice, schemas, inside)
  if (type === 'array') {
    const isEmpty = again || found.maxItems === 0 || holds === undefined || Object.keys(holds).length === 0
    return isEmpty ? [] : [buildExample(holds, schemas, inside)]
  }
  if (type === 'object') return again ? {} : buildObject(found, schemas, { ...inside, parent: name })
  return buildScalar(found, type, name, parent)
}

export interface ExampleContext {
  /** Name of the field and of its parent. */
  name?: string
  parent?: string
  /** Only required fields, for a request. */
  requiredOnly?: boolean
  /** Enclosing schemas. */
  open?: Schema[]
}

/** Fields that a request needs with another one, which no schema says: an import from a site needs its address. */
const companions: Record<string, string[]> = { source: ['url'] }

/** Recursion limit. */
const depthMax = 30

/** Fields that are always required, or unless a condition holds. */
export function listRequired({ required = [], else: otherwise }: Schema): string[] {
  return [...required, ...(otherwise?.required ?? [])]
}

function buildObject(schema: Schema, schemas: Schemas, inside: ExampleContext): Record<string, unknown> {
  const parts = [schema, ...(schema.allOf ?? []).map(part => resolveSchema(part, schemas))]
  const properties: [string, Schema][] = parts.flatMap(part => Object.entries(part.properties ?? {}))
  const required = parts.flatMap(listRequired)
  const wanted = required.length === 0 ? properties.slice(0, 1) : properties.filter(([name]) => required.includes(name))
  const names = wanted.flatMap(([name]) => [name, ...(companions[name] ?? [])])
  const shown = inside.requiredOnly === true ? properties.filter(([name]) => names.includes(name)) : properties
  if (properties.length === 0 && typeof schema.additionalProperties === 'object') {
    return { medium: buildExample(schema.additionalProperties, schemas, inside) }
  }
  return Object.fromEntries(shown.map(([name, one]) => [name, buildExample(one, schemas, { ...inside, name })]))
}

function getType({ type, properties, allOf }: Schema): string {
  const types = Array.isArray(type) ? type : [type]
  return types.find(one => one !== undefined && one !== 'null') ?? ((properties ?? allOf) ? 'object' : 'string')
}

function buildScalar(schema: Schema, type: string, name: string, parent: string): unknown {
  const { minimum, maximum } = schema
  if (type === 'boolean') return trueFields.has(name)
  if (type === 'integer' || type === 'number') {
    const known = numbers[name] ?? 1
    return Math.min(Math.max(known, minimum ?? known), maximum ?? Number.POSITIVE_INFINITY)
  }
  const byFormat =
    schema['x-instant'] === true ? 'date-time' : schema['x-uuid'] !== undefined ? 'uuid' : (schema.format ?? '')
  return formats[byFormat] ?? texts[`${parent}.${name}`] ?? texts[name] ?? guessText(name)
}

function chooseEnumValue(values: unknown[], name: string): unknown {
  return values.find(one => one === preferred[name]) ?? values.find(one => one !== '') ?? values[0]
}

const formats: Record<string, string> = {
  'date-time': '2027-06-05T17:30:00.000Z',
  date: '2027-06-05',
  email: 'ada@example.org',
  uri: 'https://example.org/',
  uuid: '01900000-0000-7000-8000-000000000000'
}

/** Preferred enum values, where the first one would be less typical. */
const preferred: Record<string, string> = {
  status: 'TRANSFERRED',
  role: 'editor'
}

const numbers: Record<string, number> = {
  donationMinimum: 5,
  targetAmount: 8000,
  amount: 25,
  amountDonatedSoFar: 3025,
  amountTransferred: 2960,
  amountOffline: 412.4,
  donationCount: 14,
  progressPercent: 37.81,
  width: 1024,
  height: 576,
  filesize: 33974,
  id: 7,
  campaignId: 7,
  parent: 0,
  post_parent: 0,
  geo_lat: 50.9413,
  geo_lng: 6.9583
}

const trueFields = new Set([
  'ibanValid',
  'receiptRequested',
  'show_map',
  'show_map_link',
  'deleted',
  'success',
  'ready',
  'alive'
])

/** Example texts by field name, or by parent and name. */
const texts: Record<string, string> = {
  name: 'Summer festival',
  'account.name': 'Ada Lovelace',
  'user.name': 'Ada Lovelace',
  donorName: 'Ada Lovelace',
  nameOfBank: 'Example Bank',
  iban: 'DE89370400440532013000',
  currency: 'EUR',
  reference: 'AC-7KXM-3PFT',
  title: 'Summer concert',
  venue: 'Town Hall',
  organizer: 'Choir of the Old Mill',
  slug: 'summer-concert',
  status: 'publish',
  description: 'In the garden, if the weather is kind.',
  excerpt: 'In the garden.',
  message: 'For the children!',
  timezone: 'Europe/Berlin',
  timezone_abbr: 'CEST',
  cost: '10 €',
  author: '1',
  address: 'Market Square 1',
  street: 'Market Square 1',
  city: 'Cologne',
  zip: '50667',
  postalCode: '50667',
  country: 'Germany',
  phone: '+49 221 123456',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'purple elephant sandwich',
  year: '2027',
  month: '06',
  day: '05',
  hour: '19',
  minutes: '30',
  seconds: '00',
  taxonomy: 'tribe_events_cat',
  extension: 'jpg',
  'mime-type': 'image/jpeg',
  alt: 'A choir on a small stage',
  end_date: '2027-06-05 21:30:00',
  recurrence: 'FREQ=WEEKLY;COUNT=10',
  utc_start_date: '2027-06-05 17:30:00',
  utc_end_date: '2027-06-05 19:30:00',
  text: 'Called back: the receipt goes by post.',
  'consent.text': 'Show my name on this page',
  global_id: 'example.org?id=7',
  global_id_lineage: 'example.org?id=7'
}

function guessText(name: string): string {
  if (/url$/i.test(name)) return 'https://example.org/'
  if (/(date|modified)(_utc)?$/.test(name)) return '2027-06-05 19:30:00'
  if (/token$/i.test(name)) return 'Zr8n…'
  return 'text'
}
