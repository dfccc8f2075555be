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
  isFile,
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
const isConsole = (path: string) => path.startsWith('/admin')
const knownPages = [...made.pages.public('en'), ...made.pages.public('de'), ...made.pages.console()]
const allPaths = [...new Set([...knownPages.map(({ path }) => path), ...pages.map(path => fill(path))])]

interface Attempt {
  what: string
  send(): Promise<TestResponse>
  faults(answer: TestResponse): string[]
}

/** Runs all attempts, several at a time, and reports all faults together. */
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

const newPageAttempt = (url: string, headers: Record<string, string> = {}, path = url): Attempt => ({
  what: url,
  send: async () => await visitor.get(url, { ...browserHeaders, ...headers }),
  faults: answer => findPageFaults(answer, { isPage: !isFile(path) })
})

/** The same, following redirects: the URL of a campaign contains its name. */
const newFollowingAttempt = (url: string, headers: Record<string, string> = {}): Attempt => ({
  ...newPageAttempt(url, headers),
  send: async () => await crawler.follow(url, { ...browserHeaders, ...headers })
})

test('the crawler finds the pages, their parameters and their forms', () => {
  assert.ok(pages.length > 80, `${pages.length} pages`)
  assert.ok((crawler.parameters.get('/admin/events')?.size ?? 0) > 3, 'links of lists are not found any more')
  assert.ok(crawler.forms.size > 40, `${crawler.forms.size} forms`)
})

test('malicious content in all texts is escaped on every page', async () => {
  await attempt(allPaths.map(path => newFollowingAttempt(path, cookieOf('admin'))))
  const { text } = await crawler.follow(`/en/donate/${made.roof.id}`, {})
  assert.match(text, /&lt;img src=x onerror=steal\(\)>/, 'the malicious content is on the page')
})

test('malformed path segments cause no fault on any page, and change nothing', async () => {
  const before = await fingerprintTables(crawler)
  await attempt(
    pages.flatMap(path =>
      [...path.matchAll(/:(\w+)|\*/g)].flatMap(([part, name = part]) =>
        (path.startsWith('/de/') ? pickInTurns(parameterValues, path.length, 3) : parameterValues).map(value =>
          newPageAttempt(fill(path, { [name]: value }), isConsole(path) ? cookieOf('admin') : {}, path)
        )
      )
    )
  )
  assert.deepEqual(await fingerprintTables(crawler), before)
})

test('malformed query parameters cause no fault on any page, and change nothing', async () => {
  // A download is recorded.
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
  '/admin/setup/restore': ['token', 'started'],
  '/en/event/:slug': ['preview-image'],
  '/de/spenden/:campaign': ['preview-image'],
  '/admin/activity': ['subjectId']
}

function pickInTurns<Value>(values: Value[], place: number, every: number): Value[] {
  const share = isFullRun ? every : 12 * every
  return values.filter((_, index) => index % share === place % share)
}

function listMalformedParameters(path: string): Attempt[] {
  const linked = crawler.parameters.get(path.replace('.csv', '')) ?? []
  const names = [...new Set([...linked, ...(unlinked[path] ?? [])])]
  const at = (query: string) => newPageAttempt(`${fill(path)}?${query}`, isConsole(path) ? cookieOf('admin') : {}, path)
  if (names.length === 0 || names.join() === 'lang') {
    return pickInTurns(parameterValues, path.length, 5).map(value => at(`lang=${value}&page=${value}`))
  }
  // All parameters together, where the first refused one may hide the others, and a share of the values for each one alone.
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

test('path segments of dots, which browsers do not send, are 404 in the console and cause no fault elsewhere', async () => {
  const sendRaw = async (path: string, headers: Record<string, string>) =>
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
  const dottedUrls = pages.flatMap(path =>
    [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
      ['.', '..', '%2e%2e', '%2E.'].map(value => ({ path, url: fill(path, { [name]: value }) }))
    )
  )
  await attempt(
    [...dottedUrls, { path: '/', url: '//evil.example' }, { path: '/', url: '//evil.example/%2e%2e' }].map(
      ({ path, url }) => ({
        what: url,
        send: async () => await sendRaw(url, { ...browserHeaders, ...(isConsole(path) ? cookieOf('admin') : {}) }),
        faults: answer => [
          ...findPageFaults(answer, { isPage: !isFile(path) }),
          ...(isConsole(path) && answer.status !== 404 ? ['should be 404'] : [])
        ]
      })
    )
  )
})

test('pages of the console redirect visitors to the sign-in, and respond 403 to roles without permission', async () => {
  const consolePages = pages.filter(path => isConsole(path) && !isSignedOutPage.test(path))
  await attempt([
    ...consolePages.map(path => ({
      ...newPageAttempt(fill(path)),
      faults: ({ status, headers }: TestResponse) =>
        status === 303 && headers.location?.startsWith('/admin/sign-in?next=') ? [] : ['should redirect to the sign-in']
    })),
    ...consolePages.flatMap(path =>
      userRoles.map(role => ({
        ...newPageAttempt(fill(path), cookieOf(role), path),
        what: `${path} for a ${role}`,
        faults: (answer: TestResponse) =>
          isAllowedAt({ method: 'GET', path }, role) === (answer.status !== 403)
            ? []
            : ['does not match the permissions of the role']
      }))
    )
  ])
})

test('no public page and no page for viewers and editors contains IBAN, email, address or token of a donor', async () => {
  const { donorToken } = made.given
  const hidden = [secrets.iban, secrets.email, secrets.street.replace(' ', ''), donorToken]
  const findSecrets = (text: string) => {
    const plain = text.replace(/(?:&nbsp;|[\s\u00a0\u202f])+/g, '')
    return hidden.filter(secret => plain.includes(secret.replace(/\s/g, ''))).map(secret => `contains ${secret}`)
  }
  const openPaths = allPaths.filter(path => !isConsole(path) && !path.includes(donorToken))
  const listEmailAddresses = (text: string) =>
    text.match(/\b(?:admin|viewer|editor|treasurer|xss)[\w-]*@example\.org/g) ?? []
  const roles: UserRole[] = ['viewer', 'editor']
  await attempt([
    ...openPaths.map(path => ({ ...newFollowingAttempt(path), faults: ({ text }: TestResponse) => findSecrets(text) })),
    ...roles.flatMap(role =>
      allPaths.filter(isConsole).map(path => ({
        ...newFollowingAttempt(path, cookieOf(role)),
        what: `${path} for a ${role}`,
        faults: ({ text }: TestResponse) => findSecrets(text)
      }))
    ),
    ...(['viewer', 'editor', 'treasurer'] as const).map(role => ({
      ...newPageAttempt('/admin/search?q=example.org', cookieOf(role)),
      what: `a search by a ${role}`,
      faults: ({ text }: TestResponse) => listEmailAddresses(text).map(email => `contains ${email}`)
    })),
    // This page is for the holder of the token in its URL, and must not contain IBAN and address.
    {
      ...newPageAttempt(`/en/donate/thanks/${donorToken}`),
      faults: ({ text, headers }: TestResponse) => [
        ...findSecrets(text).filter(one => one.includes(secrets.iban) || one.includes(secrets.street)),
        ...(headers['referrer-policy'] === 'no-referrer' ? [] : ['sends its URL as referrer'])
      ]
    }
  ])
  const forTreasurer = await visitor.get(fill('/admin/donations/:campaign/:donation'), cookieOf('treasurer'))
  assert.ok(findSecrets(forTreasurer.text).length >= 2, 'the secrets are on the page for treasurers')
})

test('formulas in CSV downloads are neutralised', async () => {
  const files = pages.filter(path => path.endsWith('.csv'))
  let neutralised = 0
  for (const path of files) {
    const { text, status } = await visitor.get(fill(path), cookieOf('admin'))
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /(?:^|[\n;,\t]|[\n;,\t]")[=+@]\w/, path)
    neutralised += text.includes("'=HYPERLINK") ? 1 : 0
  }
  assert.ok(neutralised >= 3, `Only ${neutralised} of ${files} have a formula.`)
})

test('a forged session redirects to the sign-in, and an API key or donor token is no session', async () => {
  const forged = [...forgedSessions, adminKey, made.key.key, made.given.donorToken]
  const before = await fingerprintTables(crawler)
  await attempt(
    ['/admin', '/admin/donations.csv', '/admin/users/new'].flatMap(path =>
      forged.map(session => ({
        ...newPageAttempt(path, { cookie: `kalends_session=${session}` }),
        what: `${path} with ${session}`,
        faults: (answer: TestResponse) => [
          ...findPageFaults(answer),
          ...(answer.status === 303 && answer.headers.location?.startsWith('/admin/sign-in')
            ? []
            : ['is accepted as a session'])
        ]
      }))
    )
  )
  assert.deepEqual(await fingerprintTables(crawler), before)
})

test('a forged flash cookie causes no fault on a page', async () => {
  await attempt(
    [...forgedNotices, ...brokenNotices].map(notice => ({
      ...newPageAttempt('/admin/account', { cookie: `${cookieOf('admin').cookie}; kalends_flash=${notice}` }),
      what: decodeURIComponent(notice.replace(/%(?![0-9A-F]{2})/g, '%25')),
      faults: (answer: TestResponse) => [...findPageFaults(answer), ...(answer.status === 200 ? [] : ['should be 200'])]
    }))
  )
})

test('signing in redirects only to the console, and its cookie is HttpOnly and SameSite=Lax', async () => {
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
          : [`redirects to ${answer.headers.location}`])
      ]
    }))
  )
  await attempt(foreignUrls.map(next => newPageAttempt(`/admin/sign-in?next=${encodeURIComponent(next)}`)))
  const [cookie = ''] = [(await signIn('/admin')).headers['set-cookie'] ?? ''].flat()
  assert.match(cookie, /^kalends_session=[^;]+; Path=\/admin; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
})

test('a separate web process redirects forged sessions to the sign-in, and behind https sets __Host- cookies', async () => {
  const { newWebService: webService } = await import('#web/service.ts')
  const webOnly = await startServices([webService], {
    env: { API_URL: origin, TRUST_PROXY: 'loopback' }
  })
  const client = newClient(webOnly.server)
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
