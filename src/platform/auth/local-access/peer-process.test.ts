import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { otherUid, otherUserSkip } from '#test/support/http-proxy.ts'
import { findPeerUid, isPeerOwnUser } from './peer-process.ts'

const linux = process.platform === 'linux' ? false : 'only Linux tells whose a connection is'

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

const ways: [listening: string, to: string][] = [
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['::1', '::1'],
  ['::', '127.0.0.1'],
  ['::', '::ffff:127.0.0.1']
]

test('the user of a connection is found over IPv4, IPv6 and what maps one to the other', { skip: linux }, async t => {
  for (const [listening, to] of ways) {
    const socket = await accept(t, listening, port => connect(port, to))
    assert.equal(await findPeerUid(socket), process.getuid?.(), `${listening} from ${to}`)
    assert.equal(await isPeerOwnUser(socket), true)
  }
})

test('without the tables nobody is found', { skip: linux }, async t => {
  const socket = await accept(t, '127.0.0.1', port => connect(port, '127.0.0.1'))
  assert.equal(await findPeerUid(socket, ['/proc/net/nothing', '/nothing']), undefined)
})

test('another user is told apart, and is nobody', { skip: linux || otherUserSkip }, async t => {
  const socket = await accept(t, '127.0.0.1', port => asOther(port, ''))
  assert.equal(await findPeerUid(socket), otherUid)
  assert.equal(await isPeerOwnUser(socket), false)
})

test('another user who has hung up is nobody, though the kernel calls the rest of the connection root’s', {
  skip: linux || otherUserSkip
}, async t => {
  const socket = await accept(t, '127.0.0.1', port => asOther(port, '.end("x", () => process.exit())'))
  socket.resume()
  await once(socket, 'end')
  // Until the other process has exited.
  for (let tries = 0; tries < 100 && (await findPeerUid(socket)) !== undefined; tries += 1) await sleep(100)
  assert.equal(await findPeerUid(socket), undefined)
  assert.equal(await isPeerOwnUser(socket), false)
})

function asOther(port: number, then: string): ChildProcess {
  const program = `require('node:net').connect(${port}, '127.0.0.1')${then}`
  return spawn(process.execPath, ['-e', program], { uid: otherUid, gid: otherUid, cwd: '/', env: {}, stdio: 'ignore' })
}
