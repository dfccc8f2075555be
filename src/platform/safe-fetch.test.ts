import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type FetchOptions, fetchBytes, isPublicAddress, type NetworkResolver, SafeFetchError } from './safe-fetch.ts'

const defaults: FetchOptions = {
  allowPrivate: true,
  bytesMax: 1000,
  timeoutMs: 5000,
  redirectsMax: 3,
  accept: 'image/*'
}

async function aServer(listener: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}

/** A TCP server with non-HTTP behaviour. */
async function aSocketServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createSocketServer(socket => {
    sockets.push(socket.on('error', () => {}))
    onConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A resolver for tests: 127.0.0.1 counts as public, and every name resolves to it. */
const testResolver: NetworkResolver = {
  resolve: async () => ['127.0.0.1'],
  isPublic: address => address === '127.0.0.1' || isPublicAddress(address)
}

async function fetchForReason(
  url: string,
  fetching: Partial<FetchOptions> = {},
  resolver?: NetworkResolver
): Promise<string> {
  try {
    await fetchBytes(url, { ...defaults, ...fetching }, resolver)
  } catch (error) {
    assert.ok(error instanceof SafeFetchError, String(error))
    return error.reason
  }
  return 'fetched'
}

const redirectTo =
  (location: string, status = 302) =>
  (response: ServerResponse) =>
    response.writeHead(status, { location }).end('elsewhere')

test('a URL is fetched with its status, type, headers and bytes', async () => {
  let requestHeaders: IncomingHttpHeaders = {}
  const { url, port } = await aServer((request, response) => {
    requestHeaders = request.headers
    response.setHeader('set-cookie', 'a=b')
    if (request.url === '/image?a=%20b') response.writeHead(200, { 'content-type': 'image/png' }).end('bytes')
    else response.writeHead(404).end()
  })
  const { headers, ...found } = await fetchBytes(`${url}/image?a=%20b#part`, defaults)
  assert.equal(headers['content-type'], 'image/png')
  assert.deepEqual(found, {
    status: 200,
    contentType: 'image/png',
    bytes: Buffer.from('bytes'),
    url: `${url}/image?a=%20b#part`
  })
  assert.deepEqual(requestHeaders, {
    'user-agent': 'Kalends',
    accept: 'image/*',
    'accept-encoding': 'identity',
    host: `127.0.0.1:${port}`,
    connection: 'close'
  })
  const { headers: _headers, ...nothing } = await fetchBytes(`http://localhost:${port}/nothing`, defaults)
  assert.deepEqual(nothing, {
    status: 404,
    contentType: '',
    bytes: Buffer.alloc(0),
    url: `http://localhost:${port}/nothing`
  })
})

test('credentials are sent to the origin they are for, and not to another that it redirects to', async () => {
  const requestHeaders: (string | undefined)[] = []
  const other = await aServer((request, response) => {
    requestHeaders.push(request.headers.authorization)
    response.end('x')
  })
  const { url } = await aServer((request, response) => {
    requestHeaders.push(request.headers.authorization)
    redirectTo(request.url === '/' ? '/again' : other.url)(response)
  })
  await fetchBytes(url, { ...defaults, headers: { authorization: 'Basic eDp5' } })
  assert.deepEqual(requestHeaders, ['Basic eDp5', 'Basic eDp5', undefined])
})

test('redirects are followed up to the limit', async () => {
  const { url } = await aServer((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) redirectTo(`/${left - 1}`, [301, 302, 303, 307, 308][left])(response)
    else response.end(decodeURIComponent(request.url ?? ''))
  })
  const end = await fetchBytes(`${url}/3`, defaults)
  assert.deepEqual([end.bytes.toString(), end.url], ['/0', `${url}/0`])
  assert.equal(await fetchForReason(`${url}/4`), 'redirects')
  assert.equal(await fetchForReason(`${url}/1`, { redirectsMax: 0 }), 'redirects')
})

test('a redirect may name its target in UTF-8', async () => {
  const { url } = await aServer((request, response) => {
    if (request.url === '/') redirectTo(Buffer.from('/größe').toString('latin1'))(response)
    else response.end(decodeURIComponent(request.url ?? ''))
  })
  assert.equal((await fetchBytes(url, defaults)).bytes.toString(), '/größe')
})

test('a redirect loop ends', async () => {
  const { url } = await aServer((request, response) => redirectTo(request.url === '/a' ? '/b' : '/a')(response))
  assert.equal(await fetchForReason(`${url}/a`, { redirectsMax: 10 }), 'redirects')
})

test('a URL that is not plain http or https is refused, also in a redirect', async () => {
  const addresses = [
    '',
    'image.png',
    '//example.org/x.png',
    'file:///etc/passwd',
    'ftp://example.org/x.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'http://',
    'http://user@example.org/',
    'http://user:word@example.org/',
    'http://:word@example.org/',
    'http://256.1.1.1/',
    'http://[fe80::1%25eth0]/',
    'http://example.org:99999/'
  ]
  for (const address of addresses) assert.equal(await fetchForReason(address), 'address', address)

  let target = ''
  const { url } = await aServer((_, response) => redirectTo(target)(response))
  for (target of ['file:///etc/passwd', 'gopher://127.0.0.1/', 'http://user:word@127.0.0.1/', 'http://[']) {
    assert.equal(await fetchForReason(url), 'address', target)
  }
})

test('a private address is refused in any spelling, and nothing is sent to it', async () => {
  let requests = 0
  const { port } = await aServer((_, response) => {
    requests += 1
    response.end()
  })
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    'localhost',
    'LOCALHOST',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::127.0.0.1]',
    '[2002:7f00:1::]'
  ]
  for (const host of hosts) {
    assert.equal(await fetchForReason(`http://${host}:${port}/`, { allowPrivate: false }), 'private-address', host)
  }
  assert.equal(requests, 0)
})

test('a redirect to a private address is refused, also by host name', async () => {
  let target = ''
  let requests = 0
  const { url, port } = await aServer((_, response) => {
    requests += 1
    redirectTo(target)(response)
  })
  const resolver: NetworkResolver = {
    ...testResolver,
    resolve: async host => (host === 'inside.example' ? ['10.0.0.7'] : ['127.0.0.1'])
  }
  const targets = [
    `http://127.0.0.2:${port}/`,
    `//127.2:${port}/`,
    `http://[::1]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `http://inside.example:${port}/`,
    'https://inside.example/'
  ]
  for (target of targets) {
    const start = `http://outside.example:${port}/`
    assert.equal(await fetchForReason(start, { allowPrivate: false }, resolver), 'private-address', target)
  }
  assert.equal(requests, targets.length)
  // A redirect to a public address is followed, so the first request was allowed.
  target = url
  assert.equal(await fetchForReason(`http://outside.example:${port}/`, { allowPrivate: false }, resolver), 'redirects')
})

test('a host name is resolved once, and the connection uses the checked address', async () => {
  const { port } = await aServer((_, response) => response.end('first'))
  let lookups = 0
  const changing: NetworkResolver = {
    ...testResolver,
    resolve: async () => {
      lookups += 1
      return lookups === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
  }
  const fetching = { ...defaults, allowPrivate: false }
  const { bytes } = await fetchBytes(`http://changing.example:${port}/`, fetching, changing)
  assert.deepEqual([bytes.toString(), lookups], ['first', 1])
  assert.equal(await fetchForReason(`http://changing.example:${port}/`, fetching, changing), 'private-address')
})

test('a host name with a private address among its addresses is refused', async () => {
  const { port } = await aServer((_, response) => response.end())
  for (const addresses of [
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::1'],
    ['127.0.0.1', 'fe80::1%eth0'],
    ['nonsense']
  ]) {
    const resolver: NetworkResolver = { ...testResolver, resolve: async () => addresses }
    const reason = await fetchForReason(`http://several.example:${port}/`, { allowPrivate: false }, resolver)
    assert.equal(reason, 'private-address', addresses.join())
  }
})

test('a server that cannot be reached or sends an invalid response is “unreachable”', async () => {
  const closedServer = createSocketServer().listen(0, '127.0.0.1')
  await once(closedServer, 'listening')
  const { port } = closedServer.address() as AddressInfo
  closedServer.close()
  const { url } = await aServer((_, response) => response.end())
  const failing = {
    'connection refused': `http://127.0.0.1:${port}/`,
    'no TLS': url.replace('http:', 'https:'),
    reset: await aSocketServer(socket => socket.on('data', () => socket.resetAndDestroy())),
    'closed at once': await aSocketServer(socket => socket.end()),
    'no HTTP': await aSocketServer(socket => socket.end('hello\r\n\r\n')),
    'endless headers': await aSocketServer(socket => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`)),
    'another protocol': await aSocketServer(socket =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    ),
    'less than announced': await aSocketServer(socket =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort')
    ),
    'reset in the middle': await aSocketServer(socket =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort', () => socket.resetAndDestroy())
    ),
    'reset in a body without length': await aSocketServer(socket =>
      socket.write('HTTP/1.1 200 OK\r\n\r\nshort', () => setTimeout(() => socket.resetAndDestroy(), 20))
    ),
    'broken chunks': await aSocketServer(socket =>
      socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')
    )
  }
  for (const [what, address] of Object.entries(failing))
    assert.equal(await fetchForReason(address), 'unreachable', what)
  assert.equal(await fetchForReason('http://nobody.invalid/'), 'unreachable')
  const nowhere: NetworkResolver = { ...testResolver, resolve: async () => [] }
  assert.equal(await fetchForReason('http://nowhere.example/', {}, nowhere), 'unreachable')
})

test('more bytes than announced are not read', async () => {
  const url = await aSocketServer(socket =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello${'x'.repeat(5000)}`)
  )
  assert.equal((await fetchBytes(url, defaults)).bytes.toString(), 'hello')
})

test('a body over the limit is refused, with or without Content-Length, and reading stops', async () => {
  const { url: announced } = await aServer((_, response) => response.writeHead(200, { 'content-length': 1001 }).end())
  assert.equal(await fetchForReason(announced), 'too-large')

  let connection: Socket | undefined
  const endless = await aSocketServer(socket => {
    connection = socket
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const writing = setInterval(() => socket.write('x'.repeat(400)), 5)
    socket.on('close', () => clearInterval(writing))
  })
  assert.equal(await fetchForReason(endless), 'too-large')
  await new Promise(resolve => (connection?.closed ? resolve(undefined) : connection?.on('close', resolve)))

  const { url: full } = await aServer((_, response) => response.end('x'.repeat(1000)))
  assert.equal((await fetchBytes(full, defaults)).bytes.length, 1000)
})

test('the timeout applies to every phase of a request', async () => {
  const slowly = (text: string) => (socket: Socket) => {
    let sent = 0
    const writing = setInterval(() => socket.write(text.charAt(sent++) || 'x'), 10)
    socket.on('close', () => clearInterval(writing))
  }
  const { url: circle } = await aServer((_, response) => setTimeout(() => redirectTo('/')(response), 50))
  const slow = {
    silent: await aSocketServer(() => {}),
    'slow headers': await aSocketServer(slowly(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1000)}`)),
    'slow body': await aSocketServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      slowly('')(socket)
    }),
    'never ready': await aSocketServer(socket => {
      const writing = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(writing))
    }),
    redirects: circle
  }
  const fetching = { timeoutMs: 200, redirectsMax: 1000 }
  for (const [what, url] of Object.entries(slow)) {
    assert.equal(await fetchForReason(url, fetching), 'timeout', what)
    if (what === 'silent')
      assert.equal(await fetchForReason(url.replace('http:', 'https:'), fetching), 'timeout', 'no TLS')
  }
  const unresolved: NetworkResolver = { ...testResolver, resolve: async () => await new Promise(() => {}) }
  assert.equal(await fetchForReason('http://slow.example/', fetching, unresolved), 'timeout')
})

const privateAddresses = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.0', '10.255.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.1', '127.255.255.255', '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ...['203.0.113.255', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b:1::8.8.8.8', '100::1', '5f00::1'],
  ...['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1'],
  ...['2002:7f00:1::', '2002:808:808::1', '3fff::1', '4000::1', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
  ...['fe80::1', 'febf::1', 'fe80::1%eth0', '2606:4700::1%eth0', 'fec0::1', 'ff02::1', 'ffff::1'],
  ...['', 'localhost', '8.8.8', '010.8.8.8', '8.8.8.8 ', '[2606:4700::1]', '1.2.3.4.5']
]
const publicAddresses = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '168.63.129.17', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.167.255.255', '198.17.255.255'],
  ...['198.20.0.0', '223.255.255.255', '::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8', '2001:200::1'],
  ...['2001:4860:4860::8888', '2606:4700:4700::1111', '2a00:1450::1', '3ffe::1']
]

test('only globally reachable addresses are public', () => {
  for (const address of privateAddresses) assert.equal(isPublicAddress(address), false, address)
  for (const address of publicAddresses) assert.equal(isPublicAddress(address), true, address)
})

test('an IPv4 address is as public as its IPv6 forms', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.constantFrom(...privateAddresses.slice(0, 25))), address => {
      const bytes = address.split('.').map(Number)
      const hex = bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
      const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`
      for (const form of [`::ffff:${address}`, `::ffff:${groups}`, `64:ff9b::${address}`, `64:ff9b::${groups}`]) {
        assert.equal(isPublicAddress(form), isPublicAddress(address), form)
      }
    })
  )
})
