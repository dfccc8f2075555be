import {
  Ajv,
  type ErrorObject,
  type FuncKeywordDefinition,
  type SchemaValidateFunction,
  type ValidateFunction
} from 'ajv'
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Text } from '../language.ts'
import { pickByLanguage } from '../language.ts'
import { buildFieldText } from '../messages/combine-texts.ts'
import { buildText } from '../messages/messages.ts'
import { type FieldError, Problem } from '../problem.ts'
import { explain } from './validation-messages.ts'

/**
 * A rule that JSON Schema has no keyword for: checks a value and returns the error or a replacement value. It is used
 * like any other keyword in a schema: `Type.String({ line: true })`.
 */
export interface Rule {
  keyword: string
  type: 'string' | ('string' | 'number')[]
  check(value: never, setting: never): { value: unknown } | { code: string; message: Text }
}

/**
 * Compiles the schemas of routes into validators. Bodies are taken literally; query values are text and are coerced to
 * numbers where the schema wants them.
 */
export function getValidatorCompiler(rules: Rule[]): FastifySchemaCompiler<object> {
  const compiler = compilers.get(rules) ?? newValidatorCompiler(rules)
  compilers.set(rules, compiler)
  return compiler
}

/** Servers in one process, as in tests, share what is compiled. */
const compilers = new WeakMap<Rule[], FastifySchemaCompiler<object>>()

function newValidatorCompiler(rules: Rule[]): FastifySchemaCompiler<object> {
  const body = newAjv(rules, false)
  const query = newAjv(rules, 'array')
  return ({ schema, httpPart }) => {
    if (httpPart === 'params') return newParamsValidator(schema as ParamsSchema)
    return compileLazily(() => (httpPart === 'body' ? body : query).compile(schema))
  }
}

/** Compiling all schemas would take half of the start-up time, and most are not needed soon. */
function compileLazily(compile: () => ValidateFunction): LazyValidator {
  let compiled: ValidateFunction | undefined
  const validate: LazyValidator = input => {
    compiled ??= compile()
    const isValid = compiled(input)
    validate.errors = compiled.errors ?? null
    return isValid
  }
  return validate
}

interface LazyValidator {
  (input: unknown): boolean
  errors?: ErrorObject[] | null
}

/** Returns the input if it matches the schema, validated like a body; else throws. For callers outside HTTP. */
export function parseInput<Schema extends TSchema>(schema: Schema, input: unknown): Static<Schema> {
  const validate = newAjv([], false).compile(schema)
  if (!validate(input)) throw newInvalidInputProblem('body', (validate.errors ?? []) as FastifySchemaValidationError[])
  return input as Static<Schema>
}

/** The problem that lists all validation errors. */
export function newInvalidInputProblem(part: string | undefined, found: FastifySchemaValidationError[]): Problem {
  const where = part === 'querystring' ? 'query' : part === 'headers' ? 'header' : 'body'
  // Which branch of a condition applied is no help; the errors of that branch are listed themselves.
  const errors = dropRepeats((found as ErrorObject[]).filter(({ keyword }) => keyword !== 'if')).map(error =>
    toFieldError(where, error)
  )
  return new Problem(
    400,
    'invalid-input',
    buildText('validation', 'invalid', language => ({
      errors: errors.map(error => pickByLanguage(error.message, language)).join(' ')
    })),
    { errors }
  )
}

/** Errors reported for items of one list that break the same rule: an error must not be longer than its request. */
const samePartsMax = 3

function dropRepeats(errors: ErrorObject[]): ErrorObject[] {
  const counts = new Map<string, number>()
  return errors.filter(error => {
    const key = `${error.keyword} ${getPointer(error).replace(/\/\d+(?=\/|$)/g, '/*')}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= samePartsMax
  })
}

function newAjv(rules: Rule[], coerceTypes: false | 'array'): Ajv {
  // Schemas are ours: checking them against the meta-schema would add 60 ms to the start. Tests check the OpenAPI
  // documents.
  const rulesOfAjv = { allErrors: true, strict: false, validateSchema: false, useDefaults: true } as const
  const ajv = new Ajv({ ...rulesOfAjv, coerceTypes, formats: { email: emailPattern } })
  for (const rule of [lineRule, textRule, instantRule, ...rules]) ajv.addKeyword(toKeyword(rule))
  return ajv
}

function toKeyword(rule: Rule): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (setting: unknown, value: unknown, _schema, context) => {
    const outcome = rule.check(value as never, setting as never)
    if ('code' in outcome) {
      validate.errors = [{ keyword: rule.keyword, params: outcome }]
      return false
    }
    if (context !== undefined) context.parentData[context.parentDataProperty] = outcome.value
    return true
  }
  const keyword = { keyword: rule.keyword, type: rule.type, modifying: true, errors: true, validate }
  // Runs before the length checks, because it may change the length.
  return rule.type === 'string' ? { ...keyword, before: 'maxLength' } : keyword
}

/**
 * Characters that change the direction of the text after them, so that a name can pass for another. Marks and letters
 * of such scripts are fine.
 */
const bidiControl = /[\u202a-\u202e\u2066-\u2069]/
const control = /\p{Cc}/u
const controlButBreaks = /[^\P{Cc}\n\r\t]/u
/** Whitespace of all kinds, and zero-width characters. */
const invisible = /[\s\u200b-\u200f\u2060\ufeff\u00ad]/
/** Also rarer characters, which belong to the one before them, as in an emoji: alone they show nothing. */
const onlyInvisible = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u

/** Human text on one line: trimmed, without control characters. */
const lineRule: Rule = { keyword: 'line', type: 'string', check: value => checkText(value, control) }

/** Human text on several lines. */
const textRule: Rule = { keyword: 'text', type: 'string', check: value => checkText(value, controlButBreaks) }

function checkText(value: string, refused: RegExp): ReturnType<Rule['check']> {
  const trimmed = onlyInvisible.test(value) ? '' : trimInvisible(value)
  if (!refused.test(trimmed) && !bidiControl.test(trimmed)) return { value: trimmed }
  return {
    code: 'control-character',
    message: buildText('validation', 'controlCharacter')
  }
}

/** Character by character: a regular expression for the end of a text retries at every blank inside it. */
function trimInvisible(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && invisible.test(text.charAt(start))) start += 1
  while (end > start && invisible.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const instantPattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** A date and time with offset, converted to UTC. */
const instantRule: Rule = {
  keyword: 'instant',
  type: 'string',
  check: (value: string) => {
    const form = instantPattern.exec(value)
    const daysInMonth = form === null ? 0 : new Date(Date.UTC(Number(form[1]), Number(form[2]), 0)).getUTCDate()
    const moment = form === null || Number(form[3]) > daysInMonth ? new Date(Number.NaN) : new Date(value)
    const year = moment.getUTCFullYear()
    if (year >= 1900 && year <= 2200) return { value: moment.toISOString() }
    return {
      code: 'date-time',
      message: buildText('validation', 'instant')
    }
  }
}

/** Matches in time linear in the length of the text. */
const emailPattern =
  /^[^\s@<>()[\]\\,;:"]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

function getPointer({ keyword, params, instancePath }: ErrorObject): string {
  return instancePath + (keyword === 'required' ? `/${params.missingProperty}` : '')
}

function toFieldError(where: FieldError['in'], error: ErrorObject): FieldError {
  const pointer = getPointer(error)
  const { code, message } = explain(error)
  const name = pointer === '' ? buildText('validation', 'theBody') : formatFieldName(pointer)
  return {
    in: where,
    pointer,
    code,
    message: buildFieldText(name, message)
  }
}

function formatFieldName(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
}

interface ParamsSchema {
  properties: Record<string, { type: string; format?: string }>
}

const nilUuid = '00000000-0000-0000-0000-000000000000'
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An id that cannot exist becomes one that is never assigned, so the response is 404 as for any other unknown id. */
function newParamsValidator({ properties }: ParamsSchema): (params: Record<string, unknown>) => boolean {
  const names = Object.entries(properties)
  return params => {
    for (const [name, schema] of names) {
      const given = String(params[name])
      if (schema.type === 'integer') {
        params[name] = /^[1-9]\d{0,15}$/.test(given) && Number.isSafeInteger(Number(given)) ? Number(given) : 0
      } else if (schema.format === 'uuid') {
        params[name] = uuidPattern.test(given) ? given.toLowerCase() : nilUuid
      }
    }
    return true
  }
}
