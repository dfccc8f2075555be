// test: own process, long, full
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type UserRole, userRoles } from '#platform/auth/users/schema.ts'
import { sql } from '#platform/database/sql.ts'
import { brokenForms, fieldValues } from '../support/crawl/malformed-page-values.ts'
import {
  browserHeaders,
  findPageFaults,
  isAllowedAt,
  isFile,
  isSignedOutPage,
  startPageCrawler
} from '../support/crawl/page-crawler.ts'
import type { Route } from '../support/crawl/page-routes.ts'
import { buildMultipartForm, fingerprintTables, picture } from '../support/crawl/route-crawler.ts'
import { isFullRun } from '../support/full-run.ts'
import type { TestResponse } from '../support/services.ts'

const crawler = await startPageCrawler()
const { admin, visitor, store, fill, cookieOf, made, forms } = crawler
const formRoutes = crawler.routes.filter(({ method }) => method === 'POST')
const isConsole = ({ path }: Route) => path.startsWith('/admin/') && !isSignedOutPage.test(path)
const tokens = {} as Record<UserRole, string>
for (const role of userRoles) tokens[role] = await crawler.tokenOf(role)

/** Forms that no page of the sample content has. */
const unlinkedForms: Record<string, Record<string, string[]>> = {
  '/admin/setup/restore': { name: [''] },
  '/admin/setup': { token: ['x'], name: ['Site'], email: ['a@example.org'], password: ['long enough to be one'] },
  '/admin/invitation': { token: ['x'], username: ['a@example.org'], password: ['long enough to be one'] },
  '/admin/reset': { token: ['x'], username: ['a@example.org'], password: ['long enough to be one'] },
  '/admin/forgotten': { email: ['a@example.org'] },
  '/admin/sign-in/code': { next: ['/admin'], code: ['123456'], passkey: ['yes'] },
  '/admin/sign-in/openid': { next: ['/admin'] },
  '/admin/sign-in/openid/return': {},
  '/admin/account/security/totp/confirm': { uri: ['otpauth://totp/x?secret=AAAA'], code: ['123456'] },
  '/admin/account/security/passkeys': { name: ['x'], credential: ['{}'] },
  '/admin/account/security/passkeys/:id': { name: ['x'] },
  '/admin/account/security/passkeys/:id/remove': { currentPassword: ['x'], code: [''] },
  '/admin/account/sessions/others': {},
  '/admin/account/sessions/:id': {},
  '/admin/sample-content': {},
  '/admin/samples/remove': {},
  '/admin/checklist': {},
  '/en/donate/news/:token': { 'List-Unsubscribe': ['One-Click'] },
  '/de/spenden/abmelden/:token': { 'List-Unsubscribe': ['One-Click'] },
  '/admin/webhooks/:id/on': {},
  '/admin/events/bulk/:id/undo': { back: [''] },
  '/admin/events/:id/versions/:version/restore': { current: ['1'] },
  '/admin/series/:id/restore': { event: ['1'], show: ['dates'], status: ['publish'] },
  '/admin/imports/:id/compare': { password: [''] },
  '/admin/imports/:id/run': { policy: ['keep'] },
  '/admin/imports/:id/cancel': {},
  '/admin/subscriptions/:id/resume': {},
  '/admin/subscriptions/:id/apply': { how: ['anyway'] },
  '/admin/receipts/given': {
    campaignId: ['1'],
    donationId: ['x'],
    givenKind: ['in_kind'],
    description: ['x'],
    condition: [''],
    origin: ['private'],
    basis: [''],
    documents: ['yes']
  },
  '/admin/receipts': { campaignId: ['1'], donationId: ['x'], kind: ['single'], year: ['2026'] },
  '/admin/statements/:id/confirm': { back: [''], 'entries[]': ['x'] },
  '/admin/campaigns/:id/restore': { name: ['x'], back: [''] },
  '/admin/venues/:id/restore': { back: [''], name: ['x'], status: ['publish'] },
  '/admin/venues/:id/delete': { back: [''], name: ['x'] },
  '/admin/organizers/:id/restore': { back: [''], name: ['x'], status: ['publish'] },
  '/admin/organizers/:id/delete': { back: [''], name: ['x'] }
}

type Fields = Record<string, string[]>

function getFields({ path }: Route): Fields {
  const fields = forms.get(path)?.fields ?? unlinkedForms[path]
  assert.ok(fields, `${path}: no page has this form; add its fields to test/crawl/malformed-input-forms.test.ts.`)
  const { _token, ...others } = fields
  return others
}

function encodeForm(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    values.map(value => [name, value] as [string, string])
  )
  return new URLSearchParams(pairs).toString()
}

async function send(route: Route, body: string | Buffer, headers: Record<string, string> = {}): Promise<TestResponse> {
  return await visitor.send({
    method: 'POST',
    url: fill(route.path),
    headers: { ...browserHeaders, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: body
  })
}

/** Sends the form as a user of this role, from its page. */
const sendAsRole = async (route: Route, role: UserRole, fields: Fields, headers: Record<string, string> = {}) =>
  await send(route, encodeForm({ _token: [tokens[role]], ...fields }), { ...cookieOf(role), ...headers })

/** The last id of the activity log, which has every change; failed sign-ins are left out. */
const readLastActivityId = async () =>
  (
    await store.one<{ id: number | null }>(sql`
    select max(id) as id from platform.activity where action <> 'session.refused'`)
  ).id

function assertNoFaults(found: string[]): void {
  assert.equal(found.length, 0, `\n${found.slice(0, 40).join('\n')}\n(${found.length} faults)`)
}

test('forms from other sites, without a valid token, or of a role without permission are refused and change nothing', async () => {
  const found: string[] = []
  const before = await fingerprintTables(crawler)
  const assertRefused = async (what: string, answer: TestResponse, statuses = [403]) => {
    const faults = findPageFaults(answer)
    if (!statuses.includes(answer.status)) faults.push('should be refused')
    found.push(...faults.map(fault => `${what}: ${fault} (${answer.status})`))
  }
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
    { origin: 'http://localhost:81' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' }
  ]
  for (const route of formRoutes) {
    const fields = getFields(route)
    for (const headers of foreign) {
      await assertRefused(`${route.path} ${JSON.stringify(headers)}`, await sendAsRole(route, 'admin', fields, headers))
    }
    if (!isConsole(route)) continue
    await assertRefused(
      `${route.path} signed out`,
      await send(route, encodeForm({ _token: [tokens.admin], ...fields })),
      [401]
    )
    for (const token of [undefined, '', 'x', tokens.editor, '☃'.repeat(32), '0'.repeat(32)]) {
      const body = encodeForm({ ...(token === undefined ? {} : { _token: [token] }), ...fields })
      await assertRefused(`${route.path} with the token ${token}`, await send(route, body, cookieOf('admin')))
    }
    const withTokenList = encodeForm({ ...fields, '_token[]': [tokens.admin], '_token[a]': [tokens.admin] })
    await assertRefused(`${route.path} with a list of tokens`, await send(route, withTokenList, cookieOf('admin')))
    for (const role of userRoles.filter(one => !isAllowedAt(route, one))) {
      await assertRefused(`${route.path} by a ${role}`, await sendAsRole(route, role, fields))
    }
  }
  assertNoFaults(found)
  assert.deepEqual(await fingerprintTables(crawler), before)
})

test('forms are not refused with 403 for any role with permission', async () => {
  const found: string[] = []
  for (const route of formRoutes.filter(isConsole)) {
    for (const role of userRoles.filter(one => isAllowedAt(route, one) && one !== 'admin')) {
      if (/sign-out|sample-content/.test(route.path)) continue
      // The URL of an unknown item, so that nothing is deleted for later tests.
      const answer = await visitor.send({
        method: 'POST',
        url: fill(route.path, { id: '99999999', donation: '00000000-0000-0000-0000-000000000000' }),
        headers: { ...browserHeaders, 'content-type': 'application/x-www-form-urlencoded', ...cookieOf(role) },
        payload: encodeForm({ _token: [tokens[role]] })
      })
      if (answer.status === 403 || answer.status >= 500) found.push(`${route.path} by a ${role}: ${answer.status}`)
    }
  }
  assertNoFaults(found)
})

test('bodies that are no forms or too large are refused and change nothing', async () => {
  const found: string[] = []
  const before = await fingerprintTables(crawler)
  for (const route of formRoutes) {
    for (const { what, type, body } of brokenForms) {
      const headers = {
        ...browserHeaders,
        ...cookieOf('admin'),
        ...(type === undefined ? {} : { 'content-type': type })
      }
      const answer = await visitor.send({ method: 'POST', url: fill(route.path), headers, payload: body })
      const faults = findPageFaults(answer)
      if (answer.status < 300) faults.push('should be refused')
      found.push(...faults.map(fault => `${route.path} ${what}: ${fault} (${answer.status})`))
    }
  }
  assertNoFaults(found)
  assert.deepEqual(await fingerprintTables(crawler), before)
})

/** Forms that delete something come last, so that the others have items. */
const inOrder = [...formRoutes].sort((one, other) => rank(one) - rank(other))
function rank({ path }: Route): number {
  return /sign-out|password/.test(path) ? 3 : /delete|remove|revoke|trash/.test(path) ? 2 : 1
}

for (const route of inOrder) {
  test(`${route.path} responds to malformed fields without an error of the server, and a refused form changes nothing`, async () => {
    const found: string[] = []
    // These forms end the session or change the password that they are sent with.
    const session = route.path.endsWith('sign-out') ? 'viewer' : route.path.endsWith('password') ? 'treasurer' : 'admin'
    // Any version: an outdated one would be refused before validation.
    const fields: Fields = { ...getFields(route), ...(getFields(route).etag === undefined ? {} : { etag: ['*'] }) }
    const every = (Object.keys(fields).length > 12 ? 12 : 6) * (isFullRun ? 1 : 6)
    const attempts: [what: string, fields: Fields][] = [
      ...fieldValues
        .filter((_, index) => index % (isFullRun ? 3 : 18) === 0)
        .map((value): [string, Fields] => [
          `all are ${value}`,
          Object.fromEntries(Object.keys(fields).map(name => [name, [value]]))
        ]),
      ...Object.keys(fields).flatMap((name, place) => [
        ...fieldValues
          .filter((_, index) => index % every === place % every)
          .map((value): [string, Fields] => [`${name} is ${value}`, { ...fields, [name]: [value] }]),
        ...[place % 2 === 0 ? `${name}[]` : `${name}[a][b]`].map((shape): [string, Fields] => {
          const { [name]: _, ...others } = fields
          return [`${shape}`, { ...others, [shape]: ['1', '2'] }]
        })
      ])
    ]
    for (const [what, malformed] of attempts) {
      const before = await readLastActivityId()
      const answer = isConsole(route)
        ? await sendAsRole(route, session, malformed)
        : await send(route, encodeForm(malformed), { origin: 'http://localhost:80' })
      const faults = findPageFaults(answer, { isPage: !isFile(route.path) })
      if (answer.status >= 400 && (await readLastActivityId()) !== before) faults.push('refused, but changed something')
      const cookies = [answer.headers['set-cookie'] ?? []].flat().join('; ')
      if (cookies.length > 8000) faults.push(`sets cookies of ${cookies.length} characters`)
      found.push(...faults.map(fault => `${JSON.stringify(what).slice(0, 100)}: ${fault} (${answer.status})`))
    }
    assertNoFaults(found)
  })
}

test('uploads with malformed names or without an image are handled without faults', async () => {
  const names = [
    '../../etc/passwd',
    'a\\"b.png',
    '<script>.svg',
    `${'a'.repeat(8000)}.png`,
    'x.png%0d%0aa: b',
    '☃.png',
    ''
  ]
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="steal()"/>')
  const found: string[] = []
  for (const path of ['/admin/images', `/admin/events/${made.shown.id}`, `/admin/campaigns/${made.roof.id}`]) {
    for (const name of names) {
      for (const file of [picture, svg, Buffer.alloc(0), Buffer.from('GIF89a')]) {
        const { headers, payload } = buildMultipartForm({ _token: tokens.admin, upload_alt: '<b>', alt: '<b>' }, file)
        const body = Buffer.from(
          (payload as Buffer)
            .toString('latin1')
            .replace('name="file"; filename="dot.png"', `name="upload"; filename="${name}"`),
          'latin1'
        )
        const answer = await visitor.send({
          method: 'POST',
          url: path,
          headers: { ...browserHeaders, ...cookieOf('admin'), ...(headers as Record<string, string>) },
          payload: body
        })
        found.push(...findPageFaults(answer).map(fault => `${path} ${name.slice(0, 40)}: ${fault} (${answer.status})`))
      }
    }
  }
  assertNoFaults(found)
})

test('after these tests every page is still available, without injected scripts', async () => {
  // The settings form has enabled it. Its forms have a <noscript>, which other pages do not have.
  assert.equal((await admin.patch('/site', { suggestionsProofOfWork: false })).status, 200)
  const found: string[] = []
  for (const { path } of crawler.routes.filter(({ method }) => method === 'GET')) {
    const answer = await visitor.get(fill(path), { ...browserHeaders, ...cookieOf('admin') })
    found.push(
      ...findPageFaults(answer, { isPage: !isFile(path) }).map(fault => `${path}: ${fault} (${answer.status})`)
    )
  }
  assertNoFaults(found)
  assert.deepEqual(Object.keys(Object.prototype), [])
})
