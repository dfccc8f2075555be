import type { Text } from '#platform/language.ts'
import { type InvalidParam, newInvalidParamsProblem } from './problems.ts'

/** What a parameter means and takes. One declaration checks requests, and describes itself in the index and the documents. */
export interface Param<Value> {
  /** JSON Schema of what it takes, for the documents. */
  schema: Record<string, unknown>
  description: string
  required: boolean
  /** What stands in the index as its default; a function where that depends on the time. */
  default?: unknown | ((about: ParseContext) => unknown)
  parse(given: unknown, about: ParseContext): Value | ParamError
}

/** What the reading of a value may depend on. */
export interface ParseContext {
  zone: string
  now: Date
}

export type ParamDefs = Record<string, Param<unknown>>

export type ParamValues<Declarations extends ParamDefs> = {
  [Name in keyof Declarations]?: Declarations[Name] extends Param<infer Value> ? Value : never
}

/** A value that does not fit. Recognised by instanceof, because a value may be anything. */
export class ParamError {
  readonly code: string
  readonly message: Text

  constructor(code: string, en: string, de: string) {
    this.code = code
    this.message = { en, de }
  }
}

/** Every declared parameter that was given, read; all that is missing or wrong is told at once. Others are ignored. */
export function parseParams<Declarations extends ParamDefs>(
  declared: Declarations,
  given: Record<string, unknown>,
  about: ParseContext
): ParamValues<Declarations> {
  const values: Record<string, unknown> = {}
  const missing: InvalidParam[] = []
  const wrong: InvalidParam[] = []
  for (const [parameter, { required, parse }] of Object.entries(declared)) {
    const value = Object.hasOwn(given, parameter) ? given[parameter] : undefined
    if (value === undefined || (value === null && required)) {
      if (required) missing.push({ parameter, code: 'required', message: { en: 'is required', de: 'fehlt' } })
      continue
    }
    const outcome = parse(value, about)
    if (outcome instanceof ParamError) wrong.push({ parameter, code: outcome.code, message: outcome.message })
    else values[parameter] = outcome
  }
  if (missing.length > 0) throw newInvalidParamsProblem(missing)
  if (wrong.length > 0) throw newInvalidParamsProblem(wrong)
  return values as ParamValues<Declarations>
}

/** The same parameter, which must be there. */
export function makeRequired<Value>(parameter: Param<Value>): Param<Value> {
  return { ...parameter, required: true }
}

/** The same parameter under other words. */
export function withDescription<Value>(parameter: Param<Value>, description: string, more: object = {}): Param<Value> {
  return { ...parameter, description, ...more }
}

/** The same parameters where none must be there. */
export function makeOptional<Declarations extends ParamDefs>(declared: Declarations): Declarations {
  return Object.fromEntries(
    Object.entries(declared).map(([name, parameter]) => [name, { ...parameter, required: false }])
  ) as Declarations
}

export function newParam<Value>(
  schema: Record<string, unknown>,
  description: string,
  read: Param<Value>['parse']
): Param<Value> {
  return { schema, description, required: false, parse: read }
}
