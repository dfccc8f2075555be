import type { Text } from '../language.ts'
import { buildFieldText } from '../messages/combine-texts.ts'
import { buildText } from '../messages/messages.ts'
import { type FieldError, Problem } from '../problem.ts'
import type { FilePart } from './file-part.ts'
import { isStorable, refuseUnsafeContent } from './json-body.ts'

/** The same limit as in PHP. */
export const parametersMax = 1000
/** Pairs of brackets after a name; none of our fields has more than two. */
const levelsMax = 5
const nameLengthMax = 200

export type ParameterLocation = FieldError['in']

/** A field with brackets after its name, while it is being built. */
interface Branch {
  entries: Map<string, Branch | string | FilePart>
  /** The index that `[]` gets. */
  nextIndex: number
}

export const newBranch = (): Branch => ({ entries: new Map(), nextIndex: 0 })
const isBranch = (value: unknown): value is Branch => (value as Branch | undefined)?.entries instanceof Map

/** `a[b][]` as its keys, with an empty key for the next free index; a name with malformed brackets is one key. */
export function parsePath(name: string, place: ParameterLocation): string[] | undefined {
  if (name === '') return undefined
  if (name.length > nameLengthMax) {
    const rule = buildText('request-problems', 'nameTooLong', { most: nameLengthMax })
    throw newParameterProblem([name], place, 'name-too-long', rule)
  }
  const path = splitKeys(name)
  if (path.length > levelsMax + 1) {
    throw newParameterProblem(path, place, 'too-deep', buildText('request-problems', 'tooDeep', { levels: levelsMax }))
  }
  const forbidden = path.findIndex(key => forbiddenNames.has(key))
  if (forbidden !== -1) {
    const at = path.slice(0, forbidden + 1)
    throw newParameterProblem(at, place, 'forbidden-name', buildText('request-problems', 'forbiddenName'))
  }
  return path
}

/** They would reach the prototype of any object that the fields are merged into. */
export const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

export function splitKeys(name: string): string[] {
  const open = name.indexOf('[')
  if (open < 1 || !name.endsWith(']')) return [name]
  const keys = name.slice(open + 1, -1).split('][')
  return keys.some(key => /[[\]]/.test(key)) ? [name] : [name.slice(0, open), ...keys]
}

export function setField(fields: Branch, path: string[], value: string | FilePart, place: ParameterLocation): void {
  const taken: string[] = []
  let branch = fields
  for (const [level, given] of path.entries()) {
    const key = given === '' ? String(branch.nextIndex) : given
    taken.push(key)
    if (isIndex(key)) branch.nextIndex = Math.max(branch.nextIndex, Number(key) + 1)
    if (level === path.length - 1) {
      refuseUnsafeField(taken, typeof value === 'string' ? value : value.filename, place)
      branch.entries.set(key, value)
    } else {
      const existing = branch.entries.get(key)
      const next = isBranch(existing) ? existing : newBranch()
      branch.entries.set(key, next)
      branch = next
    }
  }
}

const isIndex = (key: string) => /^(0|[1-9]\d{0,8})$/.test(key)

function refuseUnsafeField(path: string[], text: string, place: ParameterLocation): void {
  // Names that are forbidden, and too many levels, were refused by parsePath.
  if (isStorable(text) && path.every(isStorable)) return
  try {
    refuseUnsafeContent(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), text))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors.map(one => ({ ...one, in: place }))
    throw new Problem(error.status, error.code, error.text, { errors })
  }
}

export function toObject({ entries }: Branch): Record<string, unknown> {
  return Object.fromEntries([...entries].map(([key, value]) => [key, toValue(value)]))
}

function toValue(value: Branch | string | FilePart): unknown {
  if (!isBranch(value)) return value
  const list = Array.from({ length: value.entries.size }, (_, index) => value.entries.get(String(index)))
  return list.every(item => item !== undefined) ? list.map(toValue) : toObject(value)
}

export const newFormTooLargeProblem = () =>
  new Problem(413, 'body-too-large', buildText('request-problems', 'formTooLarge'))

export const newTooManyParametersProblem = (place: ParameterLocation) =>
  newParameterProblem([], place, 'too-many', buildText('request-problems', 'tooManyParameters', { parametersMax }))

export const newNotUtf8Problem = (path: string[], place: ParameterLocation) =>
  newParameterProblem(path, place, 'not-utf8', buildText('request-problems', 'notUtf8'))

function newParameterProblem(path: string[], place: ParameterLocation, code: string, rule: Text): Problem {
  const pointer = sanitizePointer(path.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
  const field = pointer === '' ? buildText('request-problems', 'parameters') : pointer
  const message = buildFieldText(field, rule)
  return new Problem(400, 'invalid-input', message, { errors: [{ in: place, pointer, code, message }] })
}

/** A hostile name may be long or unprintable itself. */
function sanitizePointer(pointer: string): string {
  return pointer.slice(0, 200).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
