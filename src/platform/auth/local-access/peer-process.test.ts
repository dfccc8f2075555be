import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { otherUid, otherUserSkip } from '#test/support/http-proxy.ts'
import { findPeerUid, isPeerOwnUser } from './peer-process.ts'

const linux = process.platform === 'linux' ? false : 'only Linux shows the user of a connection'

/** The server's end of a connection that `open` makes to the port. */
async function accept(t: TestContext, host: string, open: (port: number) => Socket | ChildProcess): Promise<Socket> {
  const server = createServer({ allowHalfOpen: true }).listen(0, host)
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const client = open((server.address() as AddressInfo).port)
  const [socket] = (await accepted) as [Socket]
  t.after(() => {
    if ('destroy' in client) client.destroy()
    else client.kill()
    socket.destroy()
    server.close()
  })
  return socket
}

const addressPairs: [listening: string, to: string][] = [
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['::1', '::1'],
  ['::', '127.0.0.1'],
  ['::', '::ffff:127.0.0.1']
]

test('the user of a connection is found for IPv4, IPv6 and IPv4-mapped IPv6 addresses', { skip: linux }, async t => {
  for (const [listening, to] of addressPairs) {
    const socket = await accept(t, listening, port => connect(port, to))
    assert.equal(await findPeerUid(socket), process.getuid?.(), `${listening} from ${to}`)
    assert.equal(await isPeerOwnUser(socket), true)
  }
})

test('without the connection tables of /proc no user is found', { skip: linux }, async t => {
  const socket = await accept(t, '127.0.0.1', port => connect(port, '127.0.0.1'))
  assert.equal(await findPeerUid(socket, ['/proc/net/nothing', '/nothing']), undefined)
})

test('a connection of another user is not one of the server’s own user', { skip: linux || otherUserSkip }, async t => {
  const socket = await accept(t, '127.0.0.1', port => connectAsOtherUser(port, ''))
  assert.equal(await findPeerUid(socket), otherUid)
  assert.equal(await isPeerOwnUser(socket), false)
})

test('a connection that another user has closed has no user, although the kernel assigns the rest to root', {
  skip: linux || otherUserSkip
}, async t => {
  const socket = await accept(t, '127.0.0.1', port => connectAsOtherUser(port, '.end("x", () => process.exit())'))
  socket.resume()
  await once(socket, 'end')
  // Until the other process has exited.
  for (let tries = 0; tries < 100 && (await findPeerUid(socket)) !== undefined; tries += 1) await sleep(100)
  assert.equal(await findPeerUid(socket), undefined)
  assert.equal(await isPeerOwnUser(socket), false)
})

function connectAsOtherUser(port: number, then: string): ChildProcess {
  const program = `require('node:net').connect(${port}, '127.0.0.1')${then}`
  return spawn(process.execPath, ['-e', program], { uid: otherUid, gid: otherUid, cwd: '/', env: {}, stdio: 'ignore' })
}
