import { isUtf8 } from 'node:buffer'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import {
  forbiddenNames,
  newBranch,
  newFormTooLargeProblem,
  newNotUtf8Problem,
  newTooManyParametersProblem,
  type ParameterLocation,
  parametersMax,
  parsePath,
  setField,
  splitKeys,
  toObject
} from './form-fields.ts'
import { bodyBytesMax } from './json-body.ts'
import { parseMultipart } from './multipart.ts'

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
  throw new Problem(415, 'unsupported-media-type', buildText('request-problems', 'unsupportedMediaType'))
}

function parsePairs(text: string, place: ParameterLocation): Record<string, unknown> {
  const pairs = text.split('&', parametersMax + 1)
  if (pairs.length > parametersMax) throw newTooManyParametersProblem(place)
  const plain = parsePlainPairs(pairs)
  if (plain !== undefined) return plain
  const fields = newBranch()
  for (const pair of pairs) {
    const { name, value } = splitAtEquals(pair)
    const plainName = decodeComponent(name, name, place)
    const path = parsePath(plainName, place)
    if (path !== undefined) setField(fields, path, decodeComponent(value, plainName, place), place)
  }
  return toObject(fields)
}

/** Parameters without brackets, escape sequences and forbidden names, as most are; undefined if any has one. */
function parsePlainPairs(pairs: string[]): Record<string, string> | undefined {
  const fields: Record<string, string> = {}
  for (const pair of pairs) {
    const [, name, value = ''] = plainPair.exec(pair) ?? []
    if (name === undefined || forbiddenNames.has(name)) return undefined
    fields[name] = value
  }
  return fields
}

const plainPair = /^([a-z]\w{0,60})=([\w.:,~-]*)$/i

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
