// The limit: node:http that answers with the same head and body and does nothing else. What Kalends reads from a database
// it serialises for every answer; what Kalends has ready, it has ready, too.
import { createServer, type OutgoingHttpHeaders } from 'node:http'

export interface RawAnswer {
  path: string
  status: number
  headers: OutgoingHttpHeaders
  /** Text is sent as it is, anything else is serialised each time. */
  body: unknown
}

const answers = new Map<string, RawAnswer & { bytes: Buffer | undefined }>()

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
process.on('message', (answer: RawAnswer) => {
  answers.set(answer.path, { ...answer, bytes: typeof answer.body === 'string' ? Buffer.from(answer.body) : undefined })
  process.send?.(answer.path)
})
process.on('disconnect', () => process.exit())
