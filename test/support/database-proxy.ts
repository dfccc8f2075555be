import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A network between the program and its database that a test can break. */
export interface DatabaseProxy {
  /** The same database, reached through the proxy. */
  url: string
  /** Restores normal operation and forwards held data. */
  pass(): Promise<void>
  /** Stops listening and breaks open connections. */
  refuse(): Promise<void>
  /** Connections stay open and new ones are accepted, but no data is forwarded. */
  blackHole(): void
  /** Open connections go silent, new ones work: a server that was replaced. */
  abandon(): void
  /** Resets open connections, new ones work. */
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
  let isHolding = false

  const server = createServer(client => {
    const pair = { client, upstream: connect(target), dead: false }
    pairs.add(pair)
    for (const socket of [client, pair.upstream]) {
      socket.setNoDelay()
      // A broken connection is closed on both sides.
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        pair.upstream.destroy()
      })
    }
    if (isHolding) hold(pair)
    else release(pair)
  })
  const port = await listenOnFixedPort(server)

  function breakAll(): void {
    for (const { client, upstream } of pairs) {
      client.resetAndDestroy()
      upstream.destroy()
    }
  }

  return {
    url: `postgres://${username}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}${pathname}`,
    pass: async () => {
      isHolding = false
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
      isHolding = true
      for (const pair of pairs) hold(pair)
    },
    abandon: () => {
      for (const pair of pairs) {
        pair.dead = true
        hold(pair)
        // Reads, to detect when the program closes the connection.
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

/** On a port below the ephemeral range, which no other test gets while the proxy does not listen. */
async function listenOnFixedPort(server: Server): Promise<number> {
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
