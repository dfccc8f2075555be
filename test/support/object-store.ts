import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '#platform/settings/backup-settings.ts'

/** An S3-compatible object store for tests. It verifies signatures (AWS Signature Version 4) and refuses invalid requests as S3 does. */
export interface TestObjectStore {
  settings: S3Settings
  /** Contents by bucket and key: `bucket/key`. */
  objects: Map<string, Buffer>
  /** Requests with a valid signature, such as `PUT bucket/key` or `POST bucket/key uploads`. */
  requests: string[]
  /** All requests get this error until it is undefined. */
  failure: { status: number; code: string; message: string } | undefined
  close(): Promise<void>
}

const region = 'eu-test-1'
const accessKeyId = 'AKIDTEST'
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const bucket = 'test-bucket'
/** Small, so that lists have several pages. */
const keysPerPage = 3
const partBytesMin = 5 * 1024 * 1024
const clockSkewMs = 15 * 60 * 1000

class StoreError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

export async function startObjectStore(): Promise<TestObjectStore> {
  const uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>()
  const server = createServer(async (request, response) => {
    try {
      const body = await buffer(request)
      if (store.failure !== undefined) {
        throw new StoreError(store.failure.status, store.failure.code, store.failure.message)
      }
      verifySignature(request, body)
      respond(request, response, body)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const xml = `<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>`
      response.writeHead(error.status, { 'content-type': 'application/xml' }).end(request.method === 'HEAD' ? '' : xml)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store: TestObjectStore = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      prefix: 'backups/',
      region,
      accessKeyId,
      secretAccessKey
    },
    objects: new Map(),
    requests: [],
    failure: undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }

  function respond(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const url = new URL(request.url ?? '', 'http://store')
    const path = decodeURIComponent(url.pathname.slice(1))
    const query = url.searchParams
    const detail = ['uploads', 'partNumber', 'uploadId', 'list-type'].filter(name => query.has(name)).join(' ')
    store.requests.push(`${request.method} ${path} ${detail}`.trim())
    if (path.split('/')[0] !== bucket) throw new StoreError(404, 'NoSuchBucket', 'The specified bucket does not exist')
    const uploadId = query.get('uploadId')
    const upload = uploadId === null ? undefined : uploads.get(uploadId)
    if (uploadId !== null && upload?.key !== path) throw new StoreError(404, 'NoSuchUpload')

    if (request.method === 'GET' && query.get('list-type') === '2') sendList(response, query)
    else if (request.method === 'PUT' && upload !== undefined) {
      upload.parts.set(Number(query.get('partNumber')), body)
      response.writeHead(200, { etag: computeETag(body) }).end()
    } else if (request.method === 'PUT') {
      store.objects.set(path, body)
      response.writeHead(200, { etag: computeETag(body) }).end()
    } else if (request.method === 'POST' && query.has('uploads')) {
      const id = randomBytes(8).toString('hex')
      uploads.set(id, { key: path, parts: new Map() })
      sendXml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    } else if (request.method === 'POST' && upload !== undefined) {
      store.objects.set(path, joinParts(upload.parts, body.toString()))
      uploads.delete(uploadId ?? '')
      sendXml(response, `<CompleteMultipartUploadResult><ETag>"x-1"</ETag></CompleteMultipartUploadResult>`)
    } else if (request.method === 'DELETE') {
      store.objects.delete(path)
      response.writeHead(204).end()
    } else sendObject(request, response, path)
  }

  function sendObject({ method }: IncomingMessage, response: ServerResponse, path: string): void {
    const content = store.objects.get(path)
    if (content === undefined) throw new StoreError(404, 'NoSuchKey')
    const modified = new Date(0).toUTCString()
    response.writeHead(200, { 'content-length': content.length, etag: computeETag(content), 'last-modified': modified })
    response.end(method === 'HEAD' ? undefined : content)
  }

  function sendList(response: ServerResponse, query: URLSearchParams): void {
    const keys = [...store.objects.keys()].map(path => path.slice(bucket.length + 1)).sort()
    const after = query.get('continuation-token') ?? ''
    const found = keys.filter(key => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = found.slice(0, keysPerPage)
    const isTruncated = found.length > page.length
    const contents = page.map(
      key =>
        `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"x"</ETag><Size>1</Size></Contents>`
    )
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    sendXml(
      response,
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
    )
  }

  return store
}

const sendXml = (response: ServerResponse, text: string) =>
  void response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)
const computeETag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

/** Joins the parts; throws unless every part except the last has at least 5 MB, and the checksums in the list of the client are right. */
function joinParts(parts: Map<number, Buffer>, list: string): Buffer {
  const listedParts = [...list.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(?:"|&quot;)?([0-9a-f]+)/g)]
  if (listedParts.length === 0) throw new StoreError(400, 'MalformedXML')
  const contents = listedParts.map(([, number, etag]) => {
    const part = parts.get(Number(number))
    if (part === undefined || computeETag(part) !== `"${etag}"`) throw new StoreError(400, 'InvalidPart')
    return part
  })
  if (contents.slice(0, -1).some(part => part.length < partBytesMin)) throw new StoreError(400, 'EntityTooSmall')
  return Buffer.concat(contents)
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function verifySignature({ method, url = '', headers }: IncomingMessage, body: Buffer): void {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, key, day = '', requestRegion = '', names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  if (key === undefined) throw new StoreError(403, 'AccessDenied')
  if (key !== accessKeyId) throw new StoreError(403, 'InvalidAccessKeyId', 'The key does not exist in our records.')
  if (requestRegion !== region)
    throw new StoreError(400, 'AuthorizationHeaderMalformed', `the region '${requestRegion}' is wrong`)
  const signed = names.split(';')
  for (const required of ['host', 'x-amz-date', 'x-amz-content-sha256']) {
    if (!signed.includes(required)) throw new StoreError(403, 'AccessDenied', `${required} is not signed`)
  }
  const date = String(headers['x-amz-date'])
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < clockSkewMs) || !date.startsWith(day))
    throw new StoreError(403, 'RequestTimeTooSkewed')
  if (headers['x-amz-content-sha256'] !== sha256(body)) throw new StoreError(400, 'XAmzContentSHA256Mismatch')

  const [path = '', query = ''] = url.split('?', 2)
  const canonicalQuery = query
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&')
  const canonical = [
    method,
    path,
    canonicalQuery,
    ...signed.map(name => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names,
    sha256(body)
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const signingKey = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretAccessKey}`, day), region))
  const expected = hmac(signingKey, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`).toString('hex')
  if (signature !== expected) throw new StoreError(403, 'SignatureDoesNotMatch', 'The signature does not match.')
}
