// What the calendar's document says of a field: the rule behind it, and a value that it takes.
import type { Schema } from './route-crawler.ts'

// biome-ignore format: a list
export type Rule =
  | 'text' | 'password' | 'html' | 'filled' | 'slug' | 'uri' | 'email' | 'truth' | 'truth-filter' | 'truthy' | 'positive' | 'page'
  | 'id-or-none' | 'positive-or-none' | 'number' | 'number-filter' | 'ids' | 'terms' | 'statuses' | 'links' | 'image' | 'cost' | 'moment' | 'moment-or-none'
  | 'timezone' | 'word' | 'day' | 'per-day' | 'web-address' | 'mapping' | 'recurrence' | 'file'

/** Each set of types is one rule; where several rules take the same types, the rest of the schema tells them apart. */
export function getRule(name: string, schema: Schema): Rule {
  const items = [schema.items?.type ?? []].flat().join()
  const types = [schema.type ?? []].flat().join()
  if (schema.enum !== undefined) return 'word'
  if (schema.format === 'uri' && schema.pattern !== undefined) return 'web-address'
  if (schema.format === 'binary') return 'file'
  if (schema.format === 'uri' || schema.format === 'email') return schema.format
  if (schema.format === 'date') return 'day'
  switch (types) {
    case 'string,null':
      if (schema.maxLength === undefined) return 'timezone'
      if (name === 'slug') return 'slug'
      if (name === 'post_password') return 'password'
      return /HTML/.test(schema.description ?? '') ? 'html' : 'text'
    case 'string':
      if (schema.minLength === 1 && schema.maxLength !== undefined) return 'filled'
      break
    case 'integer':
      if (schema.minimum === 0) return 'per-day'
      if (schema.minimum === 1) return name === 'page' || name === 'per_page' ? 'page' : 'positive'
      break
    case 'array':
      if (schema.items?.enum !== undefined) return 'statuses'
      if (items === 'integer') return 'ids'
      if (items === 'integer,string') return 'terms'
      break
  }
  const known: Record<string, Rule> = {
    'object,null': 'mapping',
    'string,object,null': 'recurrence',
    'boolean,null': 'truth',
    boolean: 'truth-filter',
    'boolean,string,null': 'truthy',
    'integer,null': schema.minimum === 1 ? 'positive-or-none' : 'id-or-none',
    'number,null': 'number',
    number: 'number-filter',
    'integer,string,object,array,null': 'links',
    'string,integer,null': schema.description?.includes('image') ? 'image' : 'moment-or-none',
    'string,number,array,null': 'cost',
    'string,integer': 'moment'
  }
  const rule = known[types]
  if (rule === undefined) {
    throw new Error(`${name}: tell test/support/crawl/calendar-fields.ts which rule reads ${JSON.stringify(schema)}.`)
  }
  return rule
}

let names = 0

/** A name that nothing has yet. */
export function newName(): string {
  names += 1
  return `Some words ${names}`
}

/** A value that the rule takes in a write; undefined for what would have to name something that exists. */
export function buildValidValue(name: string, schema: Schema): unknown {
  switch (getRule(name, schema)) {
    case 'text':
    case 'filled':
      // Credentials need what they open.
      return ['username', 'password'].includes(name) ? undefined : newName()
    case 'html':
      return '<p>Some <b>words</b></p>'
    case 'slug':
      return newName()
    case 'uri':
    case 'web-address':
      return 'https://example.org/some?words#here'
    case 'email':
      return 'ada@example.org'
    case 'truth':
    case 'truth-filter':
    case 'truthy':
      return true
    case 'number':
    case 'number-filter':
      return 12.5
    case 'terms':
      return ['Some words']
    case 'statuses':
      return schema.items?.enum?.slice(0, 1)
    case 'links':
      // A new venue needs its name, which has the name of the field.
      return [{ [name]: 'Some words' }]
    case 'cost':
      return '10 €'
    case 'moment':
    case 'moment-or-none':
      return '2027-06-01 19:00:00'
    case 'timezone':
      return 'Europe/Berlin'
    case 'day':
      return name === 'from' ? '2027-06-01' : '2027-06-30'
    case 'per-day':
      return 3
    case 'recurrence':
      return 'FREQ=DAILY;COUNT=2'
    case 'word':
      return schema.enum?.[0]
    default:
      return undefined
  }
}

/** A body that the calendar takes, with every field, or only with those it needs. */
export function buildCalendarBody({ properties = {}, required = [] }: Schema, which: 'all' | 'required' = 'all') {
  // Where an import comes from decides what else it needs: the first source an address.
  const needed = 'source' in properties ? [...required, 'url'] : required
  const names = which === 'all' ? Object.keys(properties) : needed
  const fields = names.map(name => [name, buildValidValue(name, properties[name] ?? {})])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Record<string, unknown>
}
