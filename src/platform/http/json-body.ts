import type { Text } from '../language.ts'
import { buildFieldText } from '../messages/combine-texts.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'

export const bodyBytesMax = 1_048_576
const depthMax = 20

/** Parses a JSON body into a value that is safe to walk, merge and store; else throws and names the field. */
export function parseJsonBody(bytes: Buffer): unknown {
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Problem(400, 'malformed-json', buildText('request-problems', 'malformedJson'))
  }
  refuseUnsafeContent(body)
  return body
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Walks with a stack of its own instead of recursion, because a hostile body is deeper than the call stack. */
export function refuseUnsafeContent(body: unknown): void {
  const waiting: Item[] = [{ value: body, name: '', parent: undefined, depth: 1 }]
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') {
      refuseUnsafeText(value, item)
    } else if (typeof value === 'object' && value !== null) {
      if (depth > depthMax) {
        throw newBodyProblem(item, 'too-deep', buildText('request-problems', 'tooDeep', { levels: depthMax }))
      }
      for (const [name, inner] of Object.entries(value)) {
        const member = { value: inner, name, parent: item, depth: depth + 1 }
        // It would reach the prototype of any object that this one is merged into.
        if (name === '__proto__')
          throw newBodyProblem(member, 'forbidden-name', buildText('request-problems', 'forbiddenName'))
        if (!Array.isArray(value)) refuseUnsafeText(name, member)
        waiting.push(member)
      }
    }
  }
}

/** A value in a body, and where it is. */
interface Item {
  value: unknown
  name: string
  /** Undefined for the body itself. */
  parent: Item | undefined
  depth: number
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

function refuseUnsafeText(text: string, item: Item): void {
  if (isStorable(text)) return
  if (text.includes('\u0000')) {
    throw newBodyProblem(item, 'nul-character', buildText('request-problems', 'nulCharacter'))
  }
  throw newBodyProblem(item, 'lone-surrogate', buildText('request-problems', 'loneSurrogate'))
}

function newBodyProblem(item: Item, code: string, rule: Text): Problem {
  const pointer = sanitizePointer(buildPointer(item))
  const field = pointer === '' ? buildText('request-problems', 'body') : pointer
  const message = buildFieldText(field, rule)
  return new Problem(400, 'invalid-input', message, {
    errors: [{ in: 'body', pointer, code, message }]
  })
}

/** The JSON Pointer of a value; not built for values without errors, because that takes longer than checking them. */
function buildPointer({ name, parent }: Item): string {
  return parent === undefined ? '' : `${buildPointer(parent)}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A hostile name may be long or unprintable itself. */
function sanitizePointer(pointer: string): string {
  return pointer.slice(0, 200).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
