import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite()

async function readSecurityTxt(client = visitor): Promise<Record<string, string>> {
  const { status, headers, text } = await client.get('/.well-known/security.txt')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  const lines = text.trimEnd().split('\n')
  return Object.fromEntries(lines.map(line => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)]))
}

test('security.txt has contact, languages and expiry', async () => {
  const { Contact, Expires, ...rest } = await readSecurityTxt()
  assert.match(Contact ?? '', /^http:\/\/[^/]+\/en\/imprint$/)
  const days = (Date.parse(Expires ?? '') - Date.now()) / 86_400_000
  assert.ok(days > 100 && days < 365, Expires)
  assert.match(Expires ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
  // Without PUBLIC_URL there is no Canonical, because the Host header of the request could set it to any host.
  assert.deepEqual(rest, { 'Preferred-Languages': 'en, de' })

  const changed = await admin.patch('/site', {
    contactEmail: "it's+security@example.org",
    languages: ['de'],
    defaultLanguage: 'de'
  })
  assert.equal(changed.status, 200, changed.text)
  const { Contact: changedContact, 'Preferred-Languages': changedLanguages } = await readSecurityTxt()
  assert.deepEqual([changedContact, changedLanguages], ["mailto:it's%2Bsecurity@example.org", 'de'])
})

test('security.txt has its canonical URL if PUBLIC_URL is set', async () => {
  const otherSite = await startSite({ env: { PUBLIC_URL: 'https://give.example.org' } })
  assert.deepEqual(
    { ...(await readSecurityTxt(otherSite.visitor)), Expires: undefined },
    {
      Contact: 'https://give.example.org/en/imprint',
      Expires: undefined,
      'Preferred-Languages': 'en, de',
      Canonical: 'https://give.example.org/.well-known/security.txt'
    }
  )
})

test('/.well-known/change-password redirects to the account page, and other well-known paths are 404', async () => {
  const { status, headers } = await visitor.get('/.well-known/change-password')
  assert.deepEqual([status, headers.location], [302, '/admin/account'])
  const absent = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  assert.equal((await visitor.get(absent)).status, 404)
  assert.equal((await visitor.get('/.well-known')).status, 404)
})
