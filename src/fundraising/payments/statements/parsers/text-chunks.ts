import { buildText } from '#platform/messages/messages.ts'
import { StatementFileProblem } from './file-problems.ts'

/** The number of bytes decoded at once. */
const chunkBytes = 64 * 1024

const encodings = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
  ['utf-16', 'utf-16le'],
  ['utf-16le', 'utf-16le']
])

/** Decodes an XML file in chunks, by its byte order mark or the declared encoding. */
export function* decodeChunks(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder(detectEncoding(bytes), { fatal: true })
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const isLast = start + chunkBytes >= bytes.length
    yield decodeSafely(() => decoder.decode(bytes.subarray(start, start + chunkBytes), { stream: !isLast }))
  }
}

function detectEncoding(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, 200).toString('latin1')
  const declared = /^<\?xml[^>]{0,100}?\bencoding\s{0,5}=\s{0,5}["']([\w.-]{1,40})["']/.exec(start)?.[1] ?? 'utf-8'
  const encoding = encodings.get(declared.toLowerCase())
  if (encoding === undefined || (encoding === 'utf-16le' && bytes[1] !== 0)) throw newUnknownEncodingProblem()
  return encoding
}

function decodeSafely(decode: () => string): string {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw newBrokenEncodingProblem()
  }
}

const newUnknownEncodingProblem = () =>
  new StatementFileProblem('statement-encoding', buildText('statement-file-problems', 'unknownEncoding'))

const newBrokenEncodingProblem = () =>
  new StatementFileProblem('statement-encoding', buildText('statement-file-problems', 'brokenEncoding'))
