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
const manners: Record<string, (socket: Socket) => void> = {
  hangs: () => undefined,
  'answers 500': socket => socket.end(status('500 Oh')),
  'redirects inside': socket => socket.end(status('302 Found', 'Location: http://169.254.169.254/\r\n')),
  resets: socket => socket.resetAndDestroy(),
  'talks without end': socket => {
    const block = Buffer.alloc(64 * 1024, 'a')
    const more = () => {
      while (socket.writable && socket.write(block));
    }
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n')
    socket.on('drain', more)
    more()
  },
  'answers by the byte': socket => {
    const words = status('200 OK')
    let sent = 0
    const timer = setInterval(() => {
      if (socket.writable) socket.write(words[sent++ % words.length] ?? '')
      else clearInterval(timer)
    }, 1000)
  },
  'answers nonsense': socket => socket.end('what?\r\n\r\n')
}

/** Webhooks whose receivers do what they can to hold it up, and one that listens: that one must not notice. */
export const badReceivers: FaultScenario = {
  name: 'bad-receivers',
  run: async given => {
    const { databaseUrl } = await startDatabaseServer(given)
    const { url } = await startProgram(given, { DATABASE_URL: databaseUrl, ALLOW_PRIVATE_ADDRESSES: 'true' })
    const heard = new Map<string, number>()
    const fine = await aReceiver(given, (socket, text) => {
      const id = /"data":\s*\{[^}]*?"id":\s*"([^"]+)"/.exec(text)?.[1] ?? text
      heard.set(id, performance.now())
      socket.end(status('204 Thanks'))
    })
    const gone = await aReceiver(given, socket => socket.end())
    await gone.close()
    for (const [name, behave] of Object.entries(manners)) await aWebhook(name, (await aReceiver(given, behave)).port)
    await aWebhook('is not there', gone.port)
    await aWebhook('fine', fine.port)

    async function aWebhook(name: string, port: number): Promise<void> {
      const body = { url: `http://127.0.0.1:${port}/${name.replaceAll(' ', '-')}`, actions: ['donation.created'] }
      const made = await sendRequest(`${url}/webhooks`, { method: 'POST', body, headers: asAdmin })
      if (made.status !== 201) throw new Error(`${made.status} ${made.text}`)
    }

    const memory = async () =>
      Number(/^process_resident_memory_bytes (\d+)$/m.exec((await sendRequest(`${url}/metrics`)).text)?.[1]) / 1024 ** 2
    const made = await sendRequest(`${url}/campaigns`, { method: 'POST', body: campaign, headers: asAdmin })
    const given201: { id: string; at: number }[] = []
    const before = await memory()
    const total = given.quick ? 60 : 300
    for (let number = 0; number < total; number += 1) {
      const one = await sendRequest(`${url}/campaigns/${made.body.id}/donations`, { method: 'POST', body: donation })
      given201.push({ id: one.body.id, at: performance.now() })
      await sleep(50)
    }
    await waitUntil(() => heard.size >= total, 30_000)
    const delays = given201.map(({ id, at }) => (heard.get(id) ?? Number.POSITIVE_INFINITY) - at)
    let failing = 0
    // Receivers that hang are detected after ten seconds.
    await measureUntil(async () => {
      failing = Number(/^kalends_webhooks_failing (\d+)$/m.exec((await sendRequest(`${url}/metrics`)).text)?.[1])
      return failing >= 7
    }, 20_000)
    return [
      checkThat('the good receiver hears of everything', heard.size === total, `${heard.size} of ${total}`, `${total}`),
      checkAtMost('it hears of a donation after', Math.max(...delays), 5000, 'ms'),
      checkThat('the others are noticed', failing >= 7, `${failing} failing`, '≥ 7'),
      checkAtMost('growth of memory', (await memory()) - before, 100, 'MB')
    ]
  }
}

async function aReceiver(
  given: ScenarioContext,
  behave: (socket: Socket, text: string) => void
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let text = ''
    let isHeard = false
    socket.on('data', part => {
      text += part
      const [head = '', body = ''] = text.split('\r\n\r\n')
      if (isHeard || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return
      isHeard = true
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
  given.onCleanup(close)
  return { port, close }
}
