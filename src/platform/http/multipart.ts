import { isUtf8 } from 'node:buffer'
import { Busboy } from '@fastify/busboy'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { newFilePart } from './file-part.ts'
import {
  newBranch,
  newFormTooLargeProblem,
  newNotUtf8Problem,
  newTooManyParametersProblem,
  parametersMax,
  parsePath,
  setField,
  splitKeys,
  toObject
} from './form-fields.ts'
import { bodyBytesMax } from './json-body.ts'

/** The head of a part is three short lines. */
const partHeadBytesMax = 8192
const partHeadersMax = 20

interface Part {
  name: string | undefined
  filename: string | undefined
  mimeType: string
  chunks: Buffer[]
}

export async function parseMultipart(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
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

const newMalformedFormProblem = () => new Problem(400, 'malformed-form', buildText('request-problems', 'malformedForm'))
