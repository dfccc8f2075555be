import type { Text } from '#platform/language.ts'
import { invalidParameters, type Wrong } from './problems.ts'

/** What a parameter means and takes. One declaration checks requests, and describes itself in the index and the documents. */
export interface Parameter<Value> {
  /** JSON Schema of what it takes, for the documents. */
  schema: Record<string, unknown>
  description: string
  required: boolean
  /** What stands in the index as its default; a function where that depends on the time. */
  default?: unknown | ((about: Reading) => unknown)
  read(given: unknown, about: Reading): Value | Fault
}

/** What the reading of a value may depend on. */
export interface Reading {
  zone: string
  now: Date
}

export type Declared = Record<string, Parameter<unknown>>

export type Values<Declarations extends Declared> = {
  [Name in keyof Declarations]?: Declarations[Name] extends Parameter<infer Value> ? Value : never
}

/** A value that does not fit. Recognised by instanceof, because a value may be anything. */
export class Fault {
  readonly code: string
  readonly message: Text

  constructor(code: string, en: string, de: string) {
    this.code = code
    this.message = { en, de }
  }
}

/** Every declared parameter that was given, read; all that is missing or wrong is told at once. Others are ignored. */
export function readParameters<Declarations extends Declared>(
  declared: Declarations,
  given: Record<string, unknown>,
  about: Reading
): Values<Declarations> {
  const values: Record<string, unknown> = {}
  const missing: Wrong[] = []
  const wrong: Wrong[] = []
  for (const [parameter, { required, read }] of Object.entries(declared)) {
    const value = Object.hasOwn(given, parameter) ? given[parameter] : undefined
    if (value === undefined || (value === null && required)) {
      if (required) missing.push({ parameter, code: 'required', message: { en: 'is required', de: 'fehlt' } })
      continue
    }
    const outcome = read(value, about)
    if (outcome instanceof Fault) wrong.push({ parameter, code: outcome.code, message: outcome.message })
    else values[parameter] = outcome
  }
  if (missing.length > 0) throw invalidParameters(missing)
  if (wrong.length > 0) throw invalidParameters(wrong)
  return values as Values<Declarations>
}

/** The same parameter, which must be there. */
export function required<Value>(parameter: Parameter<Value>): Parameter<Value> {
  return { ...parameter, required: true }
}

/** The same parameter under other words. */
export function described<Value>(
  parameter: Parameter<Value>,
  description: string,
  more: object = {}
): Parameter<Value> {
  return { ...parameter, description, ...more }
}

/** The same parameters where none must be there. */
export function optional<Declarations extends Declared>(declared: Declarations): Declarations {
  return Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => [name, { ...parameter, required: false }])
  ) as Declarations
}

export function parameter<Value>(
  schema: Record<string, unknown>,
  description: string,
  read: Parameter<Value>['read']
): Parameter<Value> {
  return { schema, description, required: false, read }
}
