import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { isRoot } from './debian.ts'

/** A user id that is neither root nor usually in use. */
export const otherUid = 54_321
export const otherUserSkip = isRoot ? false : 'only root can run a program as another user'

export interface HttpProxyOptions {
  /** The Host header to the upstream: the upstream's own name, as nginx sends by default, or the client's. */
  host: 'upstream' | 'passed on'
  /** The HTTP version to the upstream: 1.0 is the default of nginx. */
  version: '1.0' | '1.1'
  uid?: number
}

/** A minimal reverse proxy that adds no forwarding header. Stopped after the file's tests. */
export async function startHttpProxy(upstream: string, { host, version, uid }: HttpProxyOptions): Promise<string> {
  const words = [new URL(upstream).port, host, version]
  const child = spawn(process.execPath, ['-e', program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    env: {},
    ...(uid === undefined ? {} : { uid, gid: uid })
  })
  after(() => child.kill())
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data')
  return `http://127.0.0.1:${String(port).trim()}`
}

/** Plain JavaScript that needs no file, because another user may not be allowed to read ours. */
const program = `
const [upstream, host, version] = process.argv.slice(1)
require('node:net').createServer(client => {
  let head = ''
  client.setEncoding('latin1').on('error', () => {}).on('data', function begin(piece) {
    head += piece
    const end = head.indexOf('\\r\\n\\r\\n')
    if (end < 0) return
    client.off('data', begin)
    const lines = head.slice(0, end).split('\\r\\n').filter(line => !/^connection:/i.test(line))
    lines[0] = lines[0].replace(/1\\.1$/, version)
    const named = lines.map(line => host === 'upstream' && /^host:/i.test(line) ? 'Host: 127.0.0.1:' + upstream : line)
    const server = require('node:net').connect(Number(upstream), '127.0.0.1').on('error', () => client.destroy())
    server.write([...named, 'Connection: close', '', ''].join('\\r\\n') + head.slice(end + 4), 'latin1')
    client.on('data', more => server.write(more, 'latin1')).on('close', () => server.destroy())
    server.pipe(client)
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`
