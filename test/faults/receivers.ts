import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  asAdmin,
  checkAtMost,
  checkThat,
  type FaultScenario,
  measureUntil,
  type ScenarioContext,
  startDatabaseServer,
  startProgram
} from '../support/faults/scenario.ts'
import { sendRequest, waitUntil } from '../support/kalends-process.ts'
import { campaign, donation } from '../support/services.ts'

const status = (line: string, headers = '') => `HTTP/1.1 ${line}\r\n${headers}Content-Length: 0\r\n\r\n`

/** How receivers of webhooks misbehave. */
const misbehaviours: Record<string, (socket: Socket) => void> = {
  hangs: () => undefined,
  'answers 500': socket => socket.end(status('500 Oh')),
  'redirects inside': socket => socket.end(status('302 Found', 'Location: http://169.254.169.254/\r\n')),
  resets: socket => socket.resetAndDestroy(),
  'sends an endless response': socket => {
    const block = Buffer.alloc(64 * 1024, 'a')
    const more = () => {
      while (socket.writable && socket.write(block));
    }
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n')
    socket.on('drain', more)
    more()
  },
  'responds byte by byte': socket => {
    const words = status('200 OK')
    let sent = 0
    const timer = setInterval(() => {
      if (socket.writable) socket.write(words[sent++ % words.length] ?? '')
      else clearInterval(timer)
    }, 1000)
  },
  'responds with invalid HTTP': socket => socket.end('what?\r\n\r\n')
}

/** Webhooks with misbehaving receivers, which must not delay deliveries to the one good receiver. */
export const badReceivers: FaultScenario = {
  name: 'bad-receivers',
  run: async context => {
    const { databaseUrl } = await startDatabaseServer(context)
    const { url } = await startProgram(context, { DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ADDRESSES: 'true' })
    const receivedAt = new Map<string, number>()
    const goodReceiver = await startReceiver(context, (socket, text) => {
      const id = /"data":\s*\{[^}]*?"id":\s*"([^"]+)"/.exec(text)?.[1] ?? text
      receivedAt.set(id, performance.now())
      socket.end(status('204 Thanks'))
    })
    const closedReceiver = await startReceiver(context, socket => socket.end())
    await closedReceiver.close()
    for (const [name, behave] of Object.entries(misbehaviours))
      await createWebhook(name, (await startReceiver(context, behave)).port)
    await createWebhook('is closed', closedReceiver.port)
    await createWebhook('fine', goodReceiver.port)

    async function createWebhook(name: string, port: number): Promise<void> {
      const body = { url: `http://127.0.0.1:${port}/${name.replaceAll(' ', '-')}`, actions: ['donation.created'] }
      const created = await sendRequest(`${url}/webhooks`, { method: 'POST', body, headers: asAdmin })
      if (created.status !== 201) throw new Error(`${created.status} ${created.text}`)
    }

    const readMemoryMb = async () =>
      Number(/^process_resident_memory_bytes (\d+)$/m.exec((await sendRequest(`${url}/metrics`)).text)?.[1]) / 1024 ** 2
    const created = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const donated: { id: string; at: number }[] = []
    const before = await readMemoryMb()
    const total = context.quick ? 60 : 300
    for (let number = 0; number < total; number += 1) {
      const one = await sendRequest(`${url}/campaigns/${created.body.id}/donations`, { method: 'POST', body: donation })
      donated.push({ id: one.body.id, at: performance.now() })
      await sleep(50)
    }
    await waitUntil(() => receivedAt.size >= total, 30_000)
    const delays = donated.map(({ id, at }) => (receivedAt.get(id) ?? Number.POSITIVE_INFINITY) - at)
    let failing = 0
    // Receivers that hang are detected after ten seconds.
    await measureUntil(async () => {
      failing = Number(/^kalends_webhooks_failing (\d+)$/m.exec((await sendRequest(`${url}/metrics`)).text)?.[1])
      return failing >= 7
    }, 20_000)
    return [
      checkThat(
        'the good receiver gets all messages',
        receivedAt.size === total,
        `${receivedAt.size} of ${total}`,
        `${total}`
      ),
      checkAtMost('the longest delay of a message', Math.max(...delays), 5000, 'ms'),
      checkThat('the other webhooks are reported as failing', failing >= 7, `${failing} failing`, '≥ 7'),
      checkAtMost('growth of memory', (await readMemoryMb()) - before, 100, 'MB')
    ]
  }
}

async function startReceiver(
  context: ScenarioContext,
  behave: (socket: Socket, text: string) => void
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let text = ''
    let isReceived = false
    socket.on('data', part => {
      text += part
      const [head = '', body = ''] = text.split('\r\n\r\n')
      if (isReceived || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return
      isReceived = true
      behave(socket, text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    if (!server.listening) return
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  context.onCleanup(close)
  return { port, close }
}
