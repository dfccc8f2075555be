import { startPostgresServer } from '../postgres-server.ts'
import type { Machine } from './machine.ts'

/** A PostgreSQL server as Debian configures it: the administrator connects by the socket, others over TCP with a password. */
export async function startDatabaseServer(
  machine: Machine
): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const { url, stop } = await startPostgresServer('socket', {
    owner: 'postgres',
    port: machine.ports.postgres,
    initdb: ['--auth-host=scram-sha-256']
  })
  const { hostname, port, username } = new URL(url)
  return { env: { PGHOST: decodeURIComponent(hostname), PGPORT: port, PGUSER: username }, stop }
}
