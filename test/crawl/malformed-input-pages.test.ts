// test: own process, long, full
import assert from 'node:assert/strict'
import { request as rawRequest } from 'node:http'
import { test } from 'node:test'
import { type UserRole, userRoles } from '#platform/auth/users/schema.ts'
import {
  brokenNotices,
  foreignUrls,
  forgedNotices,
  forgedSessions,
  listParameterShapes,
  parameterValues
} from '../support/crawl/malformed-page-values.ts'
import { secrets } from '../support/crawl/malicious-content.ts'
import {
  browserHeaders,
  findPageFaults,
  isAllowedAt,
  isSignedOutPage,
  startPageCrawler
} from '../support/crawl/page-crawler.ts'
import { fingerprintTables } from '../support/crawl/route-crawler.ts'
import { isFullRun } from '../support/full-run.ts'
import { adminKey, newClient, startServices, type TestResponse } from '../support/services.ts'

const crawler = await startPageCrawler()
const origin = await crawler.server.app.listen({ host: '127.0.0.1', port: 0 })
const { visitor, routes, fill, cookieOf, made } = crawler
const pages = routes.filter(({ method }) => method === 'GET').map(({ path }) => path)
const isFile = (path: string) =>
  /\.(?:csv|json|jsonl|ics|css|svg|txt|xml|rss|atom|pdf)$|^\/(?:assets|widgets)\/|^\/oembed/.test(path)
const isConsole = (path: string) => path.startsWith('/admin')
const knownPages = [...made.pages.public('en'), ...made.pages.public('de'), ...made.pages.console()]
const allPaths = [...new Set([...knownPages.map(({ path }) => path), ...pages.map(path => fill(path))])]

interface Attempt {
  what: string
  send(): Promise<TestResponse>
  faults(answer: TestResponse): string[]
}

/** All of them, several at a time, and every fault at once. */
async function attempt(attempts: Attempt[]): Promise<void> {
  const found: string[] = []
  const waiting = attempts.values()
  const worker = async () => {
    for (const { what, send, faults } of waiting) {
      try {
        const answer = await send()
        for (const fault of faults(answer)) found.push(`${what.slice(0, 150)}: ${fault} (${answer.status})`)
      } catch (error) {
        found.push(`${what.slice(0, 150)}: ${error}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  assert.equal(found.length, 0, `\n${found.slice(0, 40).join('\n')}\n(${found.length} faults)`)
}

const reading = (url: string, headers: Record<string, string> = {}, path = url): Attempt => ({
  what: url,
  send: async () => await visitor.get(url, { ...browserHeaders, ...headers }),
  faults: answer => findPageFaults(answer, { isPage: !isFile(path) })
})

/** The same, at the page that the address leads to: a campaign has its name in it. */
const looking = (url: string, headers: Record<string, string> = {}): Attempt => ({
  ...reading(url, headers),
  send: async () => await crawler.follow(url, { ...browserHeaders, ...headers })
})

test('the walk finds the pages, their parameters and their forms', () => {
  assert.ok(pages.length > 80, `${pages.length} pages`)
  assert.ok((crawler.parameters.get('/admin/events')?.size ?? 0) > 3, 'Links of lists are not found any more.')
  assert.ok(crawler.forms.size > 40, `${crawler.forms.size} forms`)
})

test('attacks in every text there is are shown as text on every page', async () => {
  await attempt(allPaths.map(path => looking(path, cookieOf('admin'))))
  const { text } = await crawler.follow(`/en/donate/${made.roof.id}`, {})
  assert.match(text, /&lt;img src=x onerror=steal\(\)>/, 'The attack is not even there.')
})

test('no page breaks on a malformed part of its address', async () => {
  const before = await fingerprintTables(crawler)
  await attempt(
    pages.flatMap(path =>
      [...path.matchAll(/:(\w+)|\*/g)].flatMap(([part, name = part]) =>
        (path.startsWith('/de/') ? pickInTurns(parameterValues, path.length, 3) : parameterValues).map(value =>
          reading(fill(path, { [name]: value }), isConsole(path) ? cookieOf('admin') : {}, path)
        )
      )
    )
  )
  assert.deepEqual(await fingerprintTables(crawler), before)
})

test('no page breaks on malformed parameters, and none writes because of them', async () => {
  // A download is written down.
  const before = await fingerprintTables(crawler)
  const isDownload = (path: string) => /\.(?:csv|json|jsonl|pdf|xml)$/.test(path)
  const shown = pages.filter(path => !isDownload(path))
  await attempt(shown.flatMap(listMalformedParameters))
  assert.deepEqual(await fingerprintTables(crawler), before)
  await attempt(pages.filter(isDownload).flatMap(listMalformedParameters))
})

/** Parameters that pages read and no link of the sample content has. */
const unlinked: Record<string, string[]> = {
  '/': ['post_type', 'p'],
  '/sitemap.xml': ['part'],
  '/en/calendar': ['category', 'search', 'more'],
  '/en/feeds': ['category', 'search', 'venue', 'organizer', 'more', 'show', 'campaign', 'max'],
  '/en/events.rss': ['categories', 'tags', 'venue', 'organizer', 'featured', 'search'],
  '/de/events.atom': ['categories', 'tags', 'venue', 'organizer', 'featured', 'search'],
  '/en/embed/events': ['categories', 'venue', 'search', 'view', 'max', 'theme'],
  '/en/embed/events/:id': ['theme'],
  '/de/embed/campaigns/:id': ['theme'],
  '/embed/events': ['language', 'max'],
  '/oembed': ['url', 'format', 'maxwidth', 'maxheight'],
  '/admin': ['welcome'],
  '/admin/sign-in': ['next', 'out', 'reset'],
  '/admin/sign-in/code': ['next', 'passkey'],
  '/admin/sign-in/openid/return': ['code', 'state', 'iss', 'error', 'error_description'],
  '/admin/invitation': ['token'],
  '/admin/reset': ['token'],
  '/admin/setup': ['token'],
  '/admin/activity': ['subjectId']
}

function pickInTurns<Value>(values: Value[], place: number, every: number): Value[] {
  const share = isFullRun ? every : 12 * every
  return values.filter((_, index) => index % share === place % share)
}

function listMalformedParameters(path: string): Attempt[] {
  const linked = crawler.parameters.get(path.replace('.csv', '')) ?? []
  const names = [...new Set([...linked, ...(unlinked[path] ?? [])])]
  const at = (query: string) => reading(`${fill(path)}?${query}`, isConsole(path) ? cookieOf('admin') : {}, path)
  if (names.length === 0 || names.join() === 'lang') {
    return pickInTurns(parameterValues, path.length, 5).map(value => at(`lang=${value}&page=${value}`))
  }
  // Together, where the first that is refused may hide the others, and one by one in turns.
  const share = isConsole(path)
    ? pickInTurns(parameterValues, path.length, 2)
    : pickInTurns(parameterValues, path.length, 1)
  const together = share.map(value => at(names.map(name => `${name}=${value}`).join('&')))
  if (path.startsWith('/de/')) return together
  return [
    ...together,
    ...names.flatMap((name, place) => [
      ...pickInTurns(parameterValues, place, 8).map(value => at(`${name}=${value}`)),
      ...pickInTurns(listParameterShapes(name), place, 2).map(at)
    ])
  ]
}

test('an address with dots, which a browser would never send, is that of nothing', async () => {
  const raw = async (path: string, headers: Record<string, string>) =>
    await new Promise<TestResponse>((resolve, reject) => {
      const sent = rawRequest(origin, { path, headers: { ...headers, connection: 'close' } }, answer => {
        const chunks: Buffer[] = []
        answer.on('data', chunk => chunks.push(chunk))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as TestResponse['headers'],
            text,
            body: text
          })
        })
      })
      sent.on('error', reject).end()
    })
  const dotted = pages.flatMap(path =>
    [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
      ['.', '..', '%2e%2e', '%2E.'].map(value => ({ path, url: fill(path, { [name]: value }) }))
    )
  )
  await attempt(
    [...dotted, { path: '/', url: '//evil.example' }, { path: '/', url: '//evil.example/%2e%2e' }].map(
      ({ path, url }) => ({
        what: url,
        send: async () => await raw(url, { ...browserHeaders, ...(isConsole(path) ? cookieOf('admin') : {}) }),
        faults: answer => [
          ...findPageFaults(answer, { isPage: !isFile(path) }),
          ...(isConsole(path) && answer.status !== 404 ? ['should be 404'] : [])
        ]
      })
    )
  )
})

test('pages of the console show themselves to those they are for, and to nobody else', async () => {
  const consolePages = pages.filter(path => isConsole(path) && !isSignedOutPage.test(path))
  await attempt([
    ...consolePages.map(path => ({
      ...reading(fill(path)),
      faults: ({ status, headers }: TestResponse) =>
        status === 303 && headers.location?.startsWith('/admin/sign-in?next=') ? [] : ['should lead to the door']
    })),
    ...consolePages.flatMap(path =>
      userRoles.map(role => ({
        ...reading(fill(path), cookieOf(role), path),
        what: `${path} for a ${role}`,
        faults: (answer: TestResponse) =>
          isAllowedAt({ method: 'GET', path }, role) === (answer.status !== 403) ? [] : ['is not what the role may do']
      }))
    )
  ])
})

test('what only treasurers may know of a donor stands on no page of others', async () => {
  const { donorToken } = made.given
  const hidden = [secrets.iban, secrets.email, secrets.street.replace(' ', ''), donorToken]
  const revealed = (text: string) => {
    const plain = text.replace(/(?:&nbsp;|[\s\u00a0\u202f])+/g, '')
    return hidden.filter(secret => plain.includes(secret.replace(/\s/g, ''))).map(secret => `tells ${secret}`)
  }
  const openPaths = allPaths.filter(path => !isConsole(path) && !path.includes(donorToken))
  const peopleOf = (text: string) => text.match(/\b(?:admin|viewer|editor|treasurer|xss)[\w-]*@example\.org/g) ?? []
  const roles: UserRole[] = ['viewer', 'editor']
  await attempt([
    ...openPaths.map(path => ({ ...looking(path), faults: ({ text }: TestResponse) => revealed(text) })),
    ...roles.flatMap(role =>
      allPaths.filter(isConsole).map(path => ({
        ...looking(path, cookieOf(role)),
        what: `${path} for a ${role}`,
        faults: ({ text }: TestResponse) => revealed(text)
      }))
    ),
    ...(['viewer', 'editor', 'treasurer'] as const).map(role => ({
      ...reading('/admin/search?q=example.org', cookieOf(role)),
      what: `a search by a ${role}`,
      faults: ({ text }: TestResponse) => peopleOf(text).map(email => `tells ${email}`)
    })),
    // The address of this page holds the token, and the page is for whoever has it: the account is not for it.
    {
      ...reading(`/en/donate/thanks/${donorToken}`),
      faults: ({ text, headers }: TestResponse) => [
        ...revealed(text).filter(one => one.includes(secrets.iban) || one.includes(secrets.street)),
        ...(headers['referrer-policy'] === 'no-referrer' ? [] : ['gives its address away to those it links to'])
      ]
    }
  ])
  const forTreasurer = await visitor.get(fill('/admin/donations/:campaign/:donation'), cookieOf('treasurer'))
  assert.ok(revealed(forTreasurer.text).length >= 2, 'The secrets are not even there.')
})

test('formulas in downloads are words', async () => {
  const files = pages.filter(path => path.endsWith('.csv'))
  let neutralised = 0
  for (const path of files) {
    const { text, status } = await visitor.get(path, cookieOf('admin'))
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /(?:^|[\n;,\t]|[\n;,\t]")[=+@]\w/, path)
    neutralised += text.includes("'=HYPERLINK") ? 1 : 0
  }
  assert.ok(neutralised >= 3, `Only ${neutralised} of ${files} have a formula.`)
})

test('a forged session leads to the door, and a key is none', async () => {
  const forged = [...forgedSessions, adminKey, made.key.key, made.given.donorToken]
  const before = await fingerprintTables(crawler)
  await attempt(
    ['/admin', '/admin/donations.csv', '/admin/users/new'].flatMap(path =>
      forged.map(session => ({
        ...reading(path, { cookie: `kalends_session=${session}` }),
        what: `${path} with ${session}`,
        faults: (answer: TestResponse) => [
          ...findPageFaults(answer),
          ...(answer.status === 303 && answer.headers.location?.startsWith('/admin/sign-in') ? [] : ['lets in'])
        ]
      }))
    )
  )
  assert.deepEqual(await fingerprintTables(crawler), before)
})

test('a forged notice says nothing that could do harm, and breaks no page', async () => {
  await attempt(
    [...forgedNotices, ...brokenNotices].map(notice => ({
      ...reading('/admin/account', { cookie: `${cookieOf('admin').cookie}; kalends_flash=${notice}` }),
      what: decodeURIComponent(notice.replace(/%(?![0-9A-F]{2})/g, '%25')),
      faults: (answer: TestResponse) => [...findPageFaults(answer), ...(answer.status === 200 ? [] : ['should be 200'])]
    }))
  )
})

test('nobody is led elsewhere by signing in, and the session is kept from scripts and other sites', async () => {
  const email = 'door@example.org'
  const password = 'the password of the door'
  await crawler.admin.post('/users', { name: 'Dora', email, role: 'viewer', password })
  const signIn = async (next: string) =>
    await visitor.send({
      method: 'POST',
      url: '/admin/sign-in',
      headers: { ...browserHeaders, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email, password, next }).toString()
    })
  await attempt(
    foreignUrls.map(next => ({
      what: next,
      send: async () => await signIn(next),
      faults: answer => [
        ...findPageFaults(answer),
        ...(new URL(answer.headers.location ?? '', 'http://here.example').pathname.startsWith('/admin')
          ? []
          : [`leads to ${answer.headers.location}`])
      ]
    }))
  )
  await attempt(foreignUrls.map(next => reading(`/admin/sign-in?next=${encodeURIComponent(next)}`)))
  const [cookie = ''] = [(await signIn('/admin')).headers['set-cookie'] ?? ''].flat()
  assert.match(cookie, /^kalends_session=[^;]+; Path=\/admin; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
})

test('pages that run apart from the services bear forged cookies too, and behind https give theirs to nobody else', async () => {
  const { newWebService: webService } = await import('#web/service.ts')
  const apart = await startServices([webService], {
    env: { API_URL: origin, TRUST_PROXY: 'loopback' }
  })
  const client = newClient(apart.server)
  for (const session of forgedSessions) {
    const { status } = await client.get('/admin', { ...browserHeaders, cookie: `kalends_session=${session}` })
    assert.equal(status, 303, session.slice(0, 50))
  }
  const { headers } = await client.send({
    method: 'POST',
    url: '/admin/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-proto': 'https' },
    payload: new URLSearchParams({ email: 'door@example.org', password: 'the password of the door' }).toString()
  })
  assert.match(String(headers['set-cookie']), /^__Host-kalends_session=.+; Path=\/; HttpOnly; .+; Secure; Max-Age=\d+$/)
})
