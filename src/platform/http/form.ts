import { isUtf8 } from 'node:buffer'
import { Busboy } from '@fastify/busboy'
import { type FieldError, Problem } from '../problem.ts'
import { bodyBytesMax, refuseUnsafeContent } from './json-body.ts'

/** The same limit as in PHP. */
const parametersMax = 1000
/** Pairs of brackets after a name; none of our fields has more than two. */
const levelsMax = 5
const nameLengthMax = 200
/** The head of a part is three short lines. */
const partHeadBytesMax = 8192
const partHeadersMax = 20

/** A file in a form. The client chooses name and type: good for display, not for decisions. */
export interface FilePart {
  filename: string
  mimeType: string
  bytes: Buffer
}

/** The parameters of a query string, with lists and objects in PHP's bracket notation. */
export function parseQuery(query: string): Record<string, unknown> {
  return parsePairs(query, 'query')
}

/** Parses a form body, urlencoded or multipart; its text fields together may be as large as a JSON body. */
export async function parseForm(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data') return await parseMultipart(bytes, contentType)
  if (type === 'application/x-www-form-urlencoded') {
    if (bytes.length > bodyBytesMax) throw newFormTooLargeProblem()
    return parsePairs(decodeUtf8(bytes), 'body')
  }
  throw new Problem(415, 'unsupported-media-type', {
    en: 'A form must be sent as application/x-www-form-urlencoded or multipart/form-data.',
    de: 'Ein Formular muss als application/x-www-form-urlencoded oder multipart/form-data gesendet werden.'
  })
}

/** True if this value was sent as a file; a field that merely looks like one was not. */
export function isFilePart(value: unknown): value is FilePart {
  return typeof value === 'object' && value !== null && fileParts.has(value)
}

const fileParts = new WeakSet<object>()

type ParameterLocation = FieldError['in']

function parsePairs(text: string, place: ParameterLocation): Record<string, unknown> {
  const pairs = text.split('&', parametersMax + 1)
  if (pairs.length > parametersMax) throw newTooManyParametersProblem(place)
  const fields = newBranch()
  for (const pair of pairs) {
    const { name, value } = splitAtEquals(pair)
    const plainName = decodeComponent(name, name, place)
    const path = parsePath(plainName, place)
    if (path !== undefined) setField(fields, path, decodeComponent(value, plainName, place), place)
  }
  return toObject(fields)
}

function splitAtEquals(pair: string): { name: string; value: string } {
  const equals = pair.indexOf('=')
  return equals === -1 ? { name: pair, value: '' } : { name: pair.slice(0, equals), value: pair.slice(equals + 1) }
}

/** A percent sign that starts no escape sequence is literal, as in every browser and in PHP. */
function decodeComponent(text: string, name: string, place: ParameterLocation): string {
  if (!/[%+]/.test(text)) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0
    if (byte === plus) byte = blank
    else if (byte === percent) {
      const coded = parseHexDigit(bytes[at + 1]) * 16 + parseHexDigit(bytes[at + 2])
      if (!Number.isNaN(coded)) {
        byte = coded
        at += 2
      }
    }
    bytes[length] = byte
    length += 1
  }
  const plain = bytes.subarray(0, length)
  if (!isUtf8(plain)) throw newNotUtf8Problem(splitKeys(name), place)
  return plain.toString()
}

const [blank, percent, plus] = [0x20, 0x25, 0x2b]

function parseHexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

function decodeUtf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const pairs = bytes.toString('latin1').split('&', parametersMax)
  const wrong = pairs.find(pair => !isUtf8(Buffer.from(pair, 'latin1')))
  throw newNotUtf8Problem(wrong === undefined ? [] : splitKeys(splitAtEquals(wrong).name), 'body')
}

interface Part {
  name: string | undefined
  filename: string | undefined
  mimeType: string
  chunks: Buffer[]
}

async function parseMultipart(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const fields = newBranch()
  let textBytes = 0
  for (const part of await parseParts(bytes, contentType)) {
    const content = part.chunks.length === 1 && part.chunks[0] ? part.chunks[0] : Buffer.concat(part.chunks)
    if (part.name === undefined) throw newMalformedFormProblem()
    // The library replaces invalid UTF-8 with this character.
    if (part.name.includes('\ufffd')) throw newNotUtf8Problem(splitKeys(part.name), 'body')
    const path = parsePath(part.name, 'body')
    if (path === undefined) continue
    if (part.filename !== undefined) {
      // A browser sends this for a file that was not chosen.
      const notChosen = part.filename === '' && content.length === 0
      if (!notChosen) setField(fields, path, newFilePart(part.filename, part.mimeType, content), 'body')
      continue
    }
    textBytes += content.length
    if (textBytes > bodyBytesMax) throw newFormTooLargeProblem()
    if (!isUtf8(content)) throw newNotUtf8Problem(path, 'body')
    setField(fields, path, content.toString('utf8'), 'body')
  }
  return toObject(fields)
}

/** Parses every part as a file, because the library returns only files as raw bytes. */
async function parseParts(bytes: Buffer, contentType: string): Promise<Part[]> {
  const boundary = boundaryPattern.exec(contentType)?.slice(1).find(Boolean)
  if (boundary === undefined) throw newMalformedFormProblem()
  refuseUnfinishedParts(bytes, boundary)
  return await new Promise((resolve, reject) => {
    const parts: Part[] = []
    const parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      isPartAFile: () => true,
      limits: { headerPairs: partHeadersMax, headerSize: partHeadBytesMax }
    })
    parser.on('file', (name: string | undefined, stream, ...rest) => {
      const [filename, , mimeType]: [string | undefined, string, string] = rest
      const part: Part = { name, filename, mimeType, chunks: [] }
      parts.push(part)
      stream.on('data', (chunk: Buffer) => part.chunks.push(chunk))
      stream.on('error', () => reject(newMalformedFormProblem()))
    })
    parser.on('error', () => reject(newMalformedFormProblem()))
    parser.on('finish', () => resolve(parts))
    parser.end(bytes)
  })
}

/** RFC 2046: at most 70 characters. Without quotes it must not contain characters that end a parameter. */
const boundaryPattern =
  /;[ \t]*boundary=(?:"([\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?])"|([\w'()+,\-./:=?]{1,70})(?=[ \t;]|$))/i

/** Runs first: the library waits for ever for the end of a part's header, and a missing last line ends the process. */
function refuseUnfinishedParts(bytes: Buffer, boundary: string): void {
  const delimiter = `\r\n--${boundary}`
  const isAt = (at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text
  let start = delimiter.length - 2
  if (!isAt(0, `--${boundary}`)) {
    const preambleEnd = bytes.indexOf(delimiter)
    if (preambleEnd === -1) throw newMalformedFormProblem()
    start = preambleEnd + delimiter.length
  }
  for (let parts = 0; !isAt(start, '--'); parts += 1) {
    if (parts === parametersMax) throw newTooManyParametersProblem('body')
    const end = bytes.indexOf(delimiter, start)
    const head = bytes.subarray(start, Math.min(end, start + partHeadBytesMax))
    if (end === -1 || !isAt(start, '\r\n') || !head.includes('\r\n\r\n')) throw newMalformedFormProblem()
    start = end + delimiter.length
  }
}

function newFilePart(filename: string, mimeType: string, bytes: Buffer): FilePart {
  const part = { filename, mimeType, bytes }
  fileParts.add(part)
  return part
}

/** A field with brackets after its name, while it is being built. */
interface Branch {
  entries: Map<string, Branch | string | FilePart>
  /** The index that `[]` gets. */
  nextIndex: number
}

const newBranch = (): Branch => ({ entries: new Map(), nextIndex: 0 })
const isBranch = (value: unknown): value is Branch => (value as Branch | undefined)?.entries instanceof Map

/** `a[b][]` as its keys, with an empty key for the next free index; a name with malformed brackets is one key. */
function parsePath(name: string, place: ParameterLocation): string[] | undefined {
  if (name === '') return undefined
  if (name.length > nameLengthMax) {
    const en = `is a name of more than ${nameLengthMax} characters`
    throw newParameterProblem([name], place, 'name-too-long', {
      en,
      de: `ist ein Name von mehr als ${nameLengthMax} Zeichen`
    })
  }
  const path = splitKeys(name)
  if (path.length > levelsMax + 1) {
    const en = `is nested deeper than ${levelsMax} levels`
    throw newParameterProblem(path, place, 'too-deep', { en, de: `ist tiefer als ${levelsMax} Ebenen verschachtelt` })
  }
  const forbidden = path.findIndex(key => forbiddenNames.has(key))
  if (forbidden !== -1) {
    const at = path.slice(0, forbidden + 1)
    throw newParameterProblem(at, place, 'forbidden-name', {
      en: 'is not an allowed name',
      de: 'ist kein erlaubter Name'
    })
  }
  return path
}

/** They would reach the prototype of any object that the fields are merged into. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

function splitKeys(name: string): string[] {
  const open = name.indexOf('[')
  if (open < 1 || !name.endsWith(']')) return [name]
  const keys = name.slice(open + 1, -1).split('][')
  return keys.some(key => /[[\]]/.test(key)) ? [name] : [name.slice(0, open), ...keys]
}

function setField(fields: Branch, path: string[], value: string | FilePart, place: ParameterLocation): void {
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
  try {
    refuseUnsafeContent(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), text))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors.map(one => ({ ...one, in: place }))
    throw new Problem(error.status, error.code, error.text, { errors })
  }
}

function toObject({ entries }: Branch): Record<string, unknown> {
  return Object.fromEntries([...entries].map(([key, value]) => [key, toValue(value)]))
}

function toValue(value: Branch | string | FilePart): unknown {
  if (!isBranch(value)) return value
  const list = Array.from({ length: value.entries.size }, (_, index) => value.entries.get(String(index)))
  return list.every(item => item !== undefined) ? list.map(toValue) : toObject(value)
}

const newMalformedFormProblem = () =>
  new Problem(400, 'malformed-form', {
    en: 'The body is not a complete multipart form with the boundary that its Content-Type names.',
    de: 'Der Inhalt ist kein vollständiges Multipart-Formular mit der Grenze, die sein Content-Type nennt.'
  })

const newFormTooLargeProblem = () =>
  new Problem(413, 'body-too-large', {
    en: 'The fields of the form are larger than 1 MB.',
    de: 'Die Felder des Formulars sind größer als 1 MB.'
  })

const newTooManyParametersProblem = (place: ParameterLocation) =>
  newParameterProblem([], place, 'too-many', {
    en: `are more than ${parametersMax}`,
    de: `sind mehr als ${parametersMax}`
  })

const newNotUtf8Problem = (path: string[], place: ParameterLocation) =>
  newParameterProblem(path, place, 'not-utf8', { en: 'must be text in UTF-8', de: 'muss Text in UTF-8 sein' })

function newParameterProblem(
  path: string[],
  place: ParameterLocation,
  code: string,
  { en, de }: { en: string; de: string }
): Problem {
  const pointer = sanitizePointer(path.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
  const field = pointer === '' ? { en: 'The parameters', de: 'Die Parameter' } : { en: pointer, de: pointer }
  const message = { en: `${field.en} ${en}.`, de: `${field.de} ${de}.` }
  return new Problem(400, 'invalid-input', message, { errors: [{ in: place, pointer, code, message }] })
}

/** A hostile name may be long or unprintable itself. */
function sanitizePointer(pointer: string): string {
  return pointer.slice(0, 200).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd')
}
