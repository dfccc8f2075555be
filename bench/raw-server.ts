// The limit: node:http that answers with the same headers and body and does nothing else. Where Kalends reads from the
// database, it serialises the body for every response; where Kalends has a cached response, it sends ready bytes.
import { createServer, type OutgoingHttpHeaders } from 'node:http'

export interface RawResponse {
  path: string
  status: number
  headers: OutgoingHttpHeaders
  /** Text is sent as it is, anything else is serialised each time. */
  body: unknown
}

const answers = new Map<string, RawResponse & { bytes: Buffer | undefined }>()

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (answer === undefined) {
    response.writeHead(404).end()
    return
  }
  const { status, headers, body, bytes } = answer
  if (bytes === undefined) {
    const text = JSON.stringify(body)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
  } else {
    response.writeHead(status, headers).end(bytes)
  }
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
process.on('message', (answer: RawResponse) => {
  answers.set(answer.path, { ...answer, bytes: typeof answer.body === 'string' ? Buffer.from(answer.body) : undefined })
  process.send?.(answer.path)
})
process.on('disconnect', () => process.exit())
