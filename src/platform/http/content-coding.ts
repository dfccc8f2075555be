import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

export type ContentCoding = 'br' | 'gzip'

/** Compressed forms of one response body, for all requests that share it: each is made once. */
export interface EncodedBodies {
  bodies: Map<ContentCoding, Buffer | Promise<Buffer>>
  /** Called with the size of each form: a cache that holds them counts it. */
  onEncoded?: (bytes: number) => void
}

export interface NegotiatedCoding {
  /** Undefined if the client prefers the body as it is, or accepts nothing that we can send. */
  coding: ContentCoding | undefined
  acceptsIdentity: boolean
}

/** Higher levels take several times as long and save little: the list of 50 events is 5 % smaller with 6. */
const brotliQuality = 4
const gzipLevel = 6

const identityOnly: NegotiatedCoding = { coding: undefined, acceptsIdentity: true }

/** The best coding that an `Accept-Encoding` header allows; brotli if the client has no preference. */
export function negotiateCoding(header: string | undefined): NegotiatedCoding {
  if (header === undefined || header === '') return identityOnly
  const weights = new Map<string, number>()
  for (const range of header.slice(0, 500).toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim())
    weights.set(name, Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1) || 0)
  }
  const others = weights.get('*')
  const brotli = weights.get('br') ?? others ?? 0
  const gzipped = weights.get('gzip') ?? others ?? 0
  const plain = weights.get('identity') ?? (others === 0 ? 0 : undefined)
  const best = Math.max(brotli, gzipped)
  const isCoded = best > 0 && best >= (plain ?? 0)
  return { coding: isCoded ? (brotli === best ? 'br' : 'gzip') : undefined, acceptsIdentity: plain !== 0 }
}

export function newEncodedBodies(): EncodedBodies {
  return { bodies: new Map() }
}

/** The body in this coding; at once if an earlier request has had it compressed. */
export function encodeBody(
  encoded: EncodedBodies,
  coding: ContentCoding,
  body: string | Buffer
): Buffer | Promise<Buffer> {
  const known = encoded.bodies.get(coding)
  if (known !== undefined) return known
  const compressing = compressShared(encoded, coding, body)
  encoded.bodies.set(coding, compressing)
  return compressing
}

async function compressShared(encoded: EncodedBodies, coding: ContentCoding, body: string | Buffer): Promise<Buffer> {
  try {
    const bytes = await compress[coding](body)
    encoded.bodies.set(coding, bytes)
    encoded.onEncoded?.(bytes.length)
    return bytes
  } catch (error) {
    encoded.bodies.delete(coding)
    throw error
  }
}

/** In a thread of Node's pool: other requests are served meanwhile. */
const compress: Record<ContentCoding, (body: string | Buffer) => Promise<Buffer>> = {
  br: async body => await brotliAsync(body, { params: getBrotliParams(Buffer.byteLength(body)) }),
  gzip: async body => await gzipAsync(body, { level: gzipLevel })
}
const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** For bodies that are sent while they are made. */
export function createCompressor(coding: ContentCoding): Transform {
  return coding === 'br' ? createBrotliCompress({ params: getBrotliParams(0) }) : createGzip({ level: gzipLevel })
}

function getBrotliParams(bytes: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes
  }
}
