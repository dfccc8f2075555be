import type { Text } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { type InvalidParam, newInvalidParamsProblem } from './problems.ts'

/** Declaration of a parameter: validates requests and describes itself in the index and the API documentation. */
export interface Param<Value> {
  /** JSON Schema of accepted values, for the API documentation. */
  schema: Record<string, unknown>
  description: string
  required: boolean
  /** Default shown in the index; a function if it depends on the time. */
  default?: unknown | ((about: ParseContext) => unknown)
  /** Null counts as not given, because the contract has null as the default. */
  ignoresNull?: boolean
  parse(given: unknown, about: ParseContext): Value | ParamError
}

/** What parsing a value may depend on. */
export interface ParseContext {
  zone: string
  now: Date
}

export type ParamDefs = Record<string, Param<unknown>>

export type ParamValues<Declarations extends ParamDefs> = {
  [Name in keyof Declarations]?: Declarations[Name] extends Param<infer Value> ? Value : never
}

/** An invalid value. Checked by instanceof, because a valid value may be of any type. */
export class ParamError {
  readonly code: string
  readonly message: Text
  /** The member of an object that is invalid, as in `until`. */
  readonly member: string | undefined

  constructor(code: string, message: Text, member?: string) {
    this.code = code
    this.message = message
    this.member = member
  }
}

/** Parses every declared parameter that was given; reports all errors at once. Ignores undeclared parameters. */
export function parseParams<Declarations extends ParamDefs>(
  declared: Declarations,
  given: Record<string, unknown>,
  about: ParseContext
): ParamValues<Declarations> {
  const values: Record<string, unknown> = {}
  const missing: InvalidParam[] = []
  const wrong: InvalidParam[] = []
  for (const parameter in declared) {
    const { required, ignoresNull, parse } = declared[parameter] as Param<unknown>
    const value = Object.hasOwn(given, parameter) ? given[parameter] : undefined
    if (value === undefined || (value === null && (required || ignoresNull === true))) {
      if (required) missing.push({ parameter, code: 'required', message: buildText('calendar-problems', 'required') })
      continue
    }
    const outcome = parse(value, about)
    if (outcome instanceof ParamError) wrong.push(toInvalidParam(parameter, outcome))
    else values[parameter] = outcome
  }
  if (missing.length > 0) throw newInvalidParamsProblem(missing)
  if (wrong.length > 0) throw newInvalidParamsProblem(wrong)
  return values as ParamValues<Declarations>
}

/** An invalid member of an object is named with a dot: `recurrence.until`. */
export function toInvalidParam(parameter: string, { code, message, member }: ParamError): InvalidParam {
  return { parameter: member === undefined ? parameter : `${parameter}.${member}`, code, message }
}

/** Copies the parameter and makes it required. */
export function makeRequired<Value>(parameter: Param<Value>): Param<Value> {
  return { ...parameter, required: true }
}

/** Copies the parameter; null means that it was not given. */
export function withNullIgnored<Value>(parameter: Param<Value>): Param<Value> {
  const { type, enum: words, ...rest } = parameter.schema
  const schema = { type: [type, 'null'].flat(), ...(Array.isArray(words) ? { enum: [...words, null] } : {}), ...rest }
  return { ...parameter, schema, default: null, ignoresNull: true }
}

/** Copies the parameter with another description. */
export function withDescription<Value>(parameter: Param<Value>, description: string, more: object = {}): Param<Value> {
  return { ...parameter, description, ...more }
}

/** Copies the parameters and makes all of them optional. */
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
