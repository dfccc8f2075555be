import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A network between the program and its database that a test can break. */
export interface DatabaseProxy {
  /** The same database, reached through the proxy. */
  url: string
  /** All is well again: what was held goes on. */
  pass(): Promise<void>
  /** Nobody listens any more, and what was open is broken. */
  refuse(): Promise<void>
  /** Connections stay open and new ones are taken, but nothing comes through. */
  blackHole(): void
  /** What is open now is dead without a sign, new connections are well: a server that was replaced. */
  abandon(): void
  /** What is open is broken at once, new connections are well. */
  reset(): void
  /** How many connections are open. */
  count(): number
  close(): Promise<void>
}

interface Pair {
  client: Socket
  upstream: Socket
  dead: boolean
}

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { username, password, hostname, port: upstreamPort, pathname } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname)
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${upstreamPort || '5432'}` }
    : { host, port: Number(upstreamPort || '5432') }

  const pairs = new Set<Pair>()
  let holding = false

  const server = createServer(client => {
    const pair = { client, upstream: connect(target), dead: false }
    pairs.add(pair)
    for (const socket of [client, pair.upstream]) {
      socket.setNoDelay()
      // Whoever is broken tells both sides by closing.
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        pair.upstream.destroy()
      })
    }
    if (holding) hold(pair)
    else release(pair)
  })
  const port = await listenBelow(server)

  function breakAll(): void {
    for (const { client, upstream } of pairs) {
      client.resetAndDestroy()
      upstream.destroy()
    }
  }

  return {
    url: `postgres://${username}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}${pathname}`,
    pass: async () => {
      holding = false
      for (const pair of pairs) if (!pair.dead) release(pair)
      if (!server.listening) {
        server.listen(port, '127.0.0.1')
        await once(server, 'listening')
      }
    },
    refuse: async () => {
      const closed = once(server, 'close')
      server.close()
      breakAll()
      await closed
    },
    blackHole: () => {
      holding = true
      for (const pair of pairs) hold(pair)
    },
    abandon: () => {
      for (const pair of pairs) {
        pair.dead = true
        hold(pair)
        // Read, so that the proxy learns when the program gives up.
        pair.client.resume()
      }
    },
    reset: breakAll,
    count: () => pairs.size,
    close: async () => {
      breakAll()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      await closed
    }
  }
}

/** On a port that systems give to nobody by themselves: while nobody listens on it, no other test gets it. */
async function listenBelow(server: Server): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

function release({ client, upstream }: Pair): void {
  client.pipe(upstream)
  upstream.pipe(client)
}

function hold({ client, upstream }: Pair): void {
  client.unpipe(upstream).pause()
  upstream.unpipe(client).pause()
}
