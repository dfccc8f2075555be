// The rule of a field of the calendar, by its documented schema, and a valid value.
import type { Schema } from './route-crawler.ts'

// biome-ignore format: a list
export type Rule =
  | 'text' | 'password' | 'html' | 'filled' | 'slug' | 'uri' | 'email' | 'truth' | 'truth-filter' | 'truthy' | 'positive' | 'page'
  | 'id-or-none' | 'positive-or-none' | 'integer' | 'number' | 'number-filter' | 'ids' | 'terms' | 'statuses' | 'links' | 'image' | 'cost' | 'moment' | 'moment-or-none'
  | 'timezone' | 'word' | 'day' | 'per-day' | 'minutes' | 'web-address' | 'mapping' | 'recurrence' | 'file'

/** The types of a schema determine the rule; if several rules have the same types, the rest of the schema does. */
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
      if (schema.minimum !== undefined && schema.minimum < 0) return 'integer'
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
    'integer,null': ({ 1: 'positive-or-none', 15: 'minutes' }[schema.minimum ?? 0] as Rule | undefined) ?? 'id-or-none',
    'number,null': 'number',
    number: 'number-filter',
    'integer,string,object,array,null': 'links',
    'string,integer,null': schema.description?.includes('image') ? 'image' : 'moment-or-none',
    'string,number,array,null': 'cost',
    'string,integer': 'moment'
  }
  const rule = known[types]
  if (rule === undefined) {
    throw new Error(`${name}: add to test/support/crawl/calendar-fields.ts the rule of ${JSON.stringify(schema)}.`)
  }
  return rule
}

let names = 0

/** An unused name. */
export function newName(): string {
  names += 1
  return `Some words ${names}`
}

/** A valid value of the rule for a write; undefined for references to existing items. */
export function buildValidValue(name: string, schema: Schema): unknown {
  switch (getRule(name, schema)) {
    case 'text':
    case 'filled':
      // Credentials need a matching account, and a honeypot stays empty.
      return ['username', 'password', 'homepage'].includes(name) ? undefined : newName()
    case 'html':
      return '<p>Some <b>words</b></p>'
    case 'slug':
      return newName()
    case 'uri':
      return 'https://example.org/some?words#here'
    case 'web-address':
      return `https://example.org/some?words=${encodeURIComponent(newName())}#here`
    case 'email':
      return 'ada@example.org'
    case 'truth':
    case 'truth-filter':
    case 'truthy':
      return true
    case 'number':
    case 'number-filter':
      return 12.5
    case 'integer':
      return 3
    case 'ids':
      // A list to change: those that do not exist are listed in the response.
      return name === 'ids' ? [999_999_999] : undefined
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
    case 'positive':
      return 1
    case 'minutes':
      return 45
    case 'recurrence':
      return 'FREQ=DAILY;COUNT=2'
    case 'word':
      return schema.enum?.[0]
    default:
      return undefined
  }
}

/** A valid body of the calendar, with all fields or with required ones only. */
export function buildCalendarBody({ properties = {}, required = [] }: Schema, which: 'all' | 'required' = 'all') {
  // The source of an import determines its required fields: the first source needs a URL.
  const needed = 'source' in properties ? [...required, 'url'] : required
  const names = which === 'all' ? Object.keys(properties) : needed
  const fields = names.map(name => [name, buildValidValue(name, properties[name] ?? {})])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Record<string, unknown>
}
