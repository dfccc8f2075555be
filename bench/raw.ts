// The limit: node:http that serialises the same answer, or sends the same page, and does nothing else. A POST is parsed.
import { createServer } from 'node:http'

const answers = JSON.parse(process.argv[2] ?? '{}') as Record<string, { status: number; body: unknown }>

const server = createServer((request, response) => {
  const answer = answers[request.method ?? ''] ?? { status: 404, body: null }
  const send = () => {
    const isPage = typeof answer.body === 'string'
    const body = isPage ? (answer.body as string) : JSON.stringify(answer.body)
    response.writeHead(answer.status, {
      'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      'content-length': Buffer.byteLength(body)
    })
    response.end(body)
  }
  if (request.method !== 'POST') return send()
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'))
    send()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
process.on('disconnect', () => process.exit())
