import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startSite, type TestResponse } from '#test/support/services.ts'

const { visitor, admin } = await startSite()

const aCampaign = async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
const readPath = async (id: number, language = 'en') => {
  const { headers } = await visitor.get(`/${language}/${language === 'en' ? 'donate' : 'spenden'}/${id}`)
  return headers.location ?? ''
}
const listDonations = async (id: number) => (await admin.get(`/campaigns/${id}/donations`)).body

/** The fields of the form as a browser without JavaScript sends them, shown a minute ago. */
function readFields({ text }: TestResponse): Record<string, string> {
  const form = /<form class="donate-form".*?<\/form>/s.exec(text)?.[0] ?? ''
  assert.notEqual(form, '', 'the page has no form')
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1]
    const isChosen = !/type="(radio|checkbox)"/.test(input) || / checked(?=[ />])/.test(input)
    const name = attribute('name')
    if (name !== undefined && isChosen) fields[name] = attribute('value') ?? ''
  }
  return { ...fields, started: String(Date.now() - 60_000) }
}

const send = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  await visitor.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString()
  })

const filledIn: Record<string, string> = {
  name: 'Familie K.'
}

/** A campaign, the path of its page, and its form filled in. */
async function aForm(fields: object = {}, language = 'en') {
  const { id } = await aCampaign(fields)
  const path = await readPath(id, language)
  return { id, path, filled: { ...readFields(await visitor.get(path)), ...filledIn } }
}

const readErrors = ({ text }: TestResponse) => /<div class="notice bad".*?<\/div>/s.exec(text)?.[0] ?? ''

test('a visitor donates without JavaScript, and is redirected to the thank-you page', async () => {
  const { id, path, filled } = await aForm({ presetAmounts: [10, 30, 80] })
  assert.equal(filled.amount, '30', 'the middle amount is preselected')
  assert.equal(filled.website, '')
  const sent = await send(path, {
    ...filled,
    email: 'k@example.org',
    // The form for a transfer has no such field, so its value is not stored.
    iban: 'de02 1203 0000 0000 2020 51',
    receipt: 'yes',
    street: 'Am Anger 1',
    postalCode: '12345',
    city: 'Köln',
    message: 'Viel Glück!\nAlles Gute.'
  })
  assert.equal(sent.status, 303)
  assert.equal(sent.headers['cache-control'], 'no-store')
  assert.match(sent.headers.location ?? '', /^\/en\/donate\/thanks\/[0-9A-Za-z]{22}#thanks$/)

  const thanks = await visitor.get(sent.headers.location ?? '')
  assert.equal(thanks.status, 200)
  assert.match(thanks.text, /<h1>Thank you, Familie K\.!<\/h1>/)

  const [stored, ...others] = await listDonations(id)
  assert.equal(others.length, 0)
  assert.equal(stored.amount, 30)
  assert.equal(stored.account, null)
  assert.equal(stored.email, 'k@example.org')
  assert.equal(stored.message, 'Viel Glück!\nAlles Gute.')
  assert.equal(stored.showName, false)
  assert.equal(stored.receiptRequested, true)
  assert.equal(stored.language, 'en')
  assert.deepEqual(stored.address, { street: 'Am Anger 1', postalCode: '12345', city: 'Köln', country: 'DE' })
  assert.equal(stored.consent.text, 'Message (optional): Shown publicly on this page after we have read it.')
  assert.equal(stored.consent.version, '2')
})

test('a custom amount is parsed in the notation of the language, and the address is stored only with a requested receipt', async () => {
  const { id, path, filled } = await aForm({}, 'de')
  const sent = await send(path, { ...filled, own: '1.250,50', street: 'Am Anger 1', showName: 'yes' })
  assert.equal(sent.status, 303)
  assert.match(sent.headers.location ?? '', /^\/de\/spenden\/danke\//)
  const [stored] = await listDonations(id)
  assert.equal(stored.amount, 1250.5)
  assert.equal(stored.address, null)
  assert.equal(stored.showName, true)
  assert.equal(stored.consent.text, 'Meinen Namen auf dieser Seite zeigen')
  assert.equal(stored.language, 'de')
})

test('the form names the controller of the data, and a donation without a published name or message stores no consent', async () => {
  const { id, path, filled } = await aForm()
  const { text } = await visitor.get(path)
  const { account } = (await admin.get(`/campaigns/${id}`)).body
  assert.ok(text.includes(`${account.name} processes your details in order to handle your donation.`))
  assert.doesNotMatch(text, /name="consent"/)
  assert.equal((await send(path, filled)).status, 303)
  const [stored] = await listDonations(id)
  assert.equal(stored.consent, null)
})

test('a form that is sent several times, also concurrently, creates one donation', async () => {
  const { id, path, filled } = await aForm()
  const answers = await Promise.all([send(path, filled), send(path, filled), send(path, filled)])
  answers.push(await send(path, filled))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303])
  assert.equal(new Set(answers.map(({ headers }) => headers.location)).size, 1)
  assert.equal((await listDonations(id)).length, 1)

  const changed = await send(path, { ...filled, own: '77' })
  assert.equal(changed.status, 422)
  assert.match(readErrors(changed), /already donated with this form/)
  assert.equal((await listDonations(id)).length, 1)
  const again = await send(path, { ...readFields(changed), ...filledIn })
  assert.equal(again.status, 303)
  assert.equal((await listDonations(id)).length, 2)
})

test('concurrent visitors get forms with different idempotency keys', async () => {
  const { path } = await aForm()
  const shown = await Promise.all([visitor.get(path), visitor.get(path), visitor.get(path)])
  assert.equal(new Set(shown.map(one => readFields(one).key)).size, 3)
})

test('sending the form again from another network is refused with 409, without the token of the donation', async () => {
  for (const [language, words] of [
    ['en', /Your donation was already recorded/],
    ['de', /Ihre Spende war schon gespeichert/]
  ] as const) {
    const { id, path, filled } = await aForm({}, language)
    const sendFrom = async (remoteAddress: string, fields: Record<string, string>) =>
      await visitor.send({
        method: 'POST',
        url: path,
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString()
      })
    const entered = { ...filled, own: '20' }
    const first = await sendFrom('192.0.2.1', entered)
    assert.equal(first.status, 303, first.text)
    const other = await sendFrom('192.0.2.2', entered)
    assert.equal(other.status, 409)
    assert.match(readErrors(other), words)
    const token = (first.headers.location ?? '').replace(/^.*\/|#.*/g, '')
    assert.ok(token.length > 20 && !other.text.includes(token))
    assert.equal((await listDonations(id)).length, 1)
    const again = { ...readFields(other), ...filledIn, own: '20' }
    assert.equal((await sendFrom('192.0.2.2', again)).status, 303, 'the new form has a new key')
    assert.equal((await sendFrom('192.0.2.1', entered)).headers.location, first.headers.location)
  }
})

test('all invalid fields have errors in the summary and at the field, and the input is kept', async () => {
  const { id, path, filled } = await aForm()
  const entered = { own: 'viel', name: '', email: 'nobody', receipt: 'yes', message: 'Hello "you"' }
  const answer = await send(path, { ...filled, ...entered })
  assert.equal(answer.status, 422)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const summary = readErrors(answer)
  assert.match(summary, /role="alert"/)
  // The browser scrolls to the summary without a script.
  const section = answer.text.slice(answer.text.indexOf('id="donate"'))
  assert.ok(section.indexOf('id="errors"') > 0 && section.indexOf('id="errors"') < section.indexOf('<fieldset'))
  assert.match(answer.text, new RegExp(`action="${path}#donate"`))
  const names = ['own', 'name', 'email', 'street', 'postalCode', 'city']
  assert.deepEqual(
    [...summary.matchAll(/href="#field-(\w+)"/g)].map(([, name]) => name),
    names
  )
  for (const name of names) {
    const input = new RegExp(`<input [^>]*id="field-${name}"[^>]*>`).exec(answer.text)?.[0] ?? ''
    assert.match(input, /aria-invalid="true"/, name)
    assert.match(input, new RegExp(`aria-describedby="[^"]*field-${name}-error`), name)
    assert.match(answer.text, new RegExp(`id="field-${name}-error"`), name)
  }
  const kept = readFields(answer)
  assert.equal(kept.own, 'viel')
  assert.equal(kept.email, 'nobody')
  assert.equal(kept.receipt, 'yes')
  assert.equal(kept.key, filled.key)
  assert.match(answer.text, /<textarea[^>]*>Hello &quot;you&quot;<\/textarea>|<textarea[^>]*>Hello "you"<\/textarea>/)
  assert.equal((await listDonations(id)).length, 0)
})

test('the form for a transfer has no IBAN field, and shows payee and account', async () => {
  const account = { ...campaign.account, name: 'Förderverein Mühle e. V.' }
  for (const [language, next] of [
    ['en', /After this you get a reference/],
    ['de', /Danach erhalten Sie eine Referenz/]
  ] as const) {
    const { path } = await aForm({ account }, language)
    const { text } = await visitor.get(path)
    const form = /<form class="donate-form".*?<\/form>/s.exec(text)?.[0] ?? ''
    assert.doesNotMatch(form, /name="iban"|name="bank"/)
    assert.match(form, next)
    assert.match(form, /Förderverein Mühle e\. V\./)
    assert.match(form, /DE89 3704 0044 0532 0130 00/)
  }
})

test('an amount below the minimum, an ambiguous amount, and two amounts at once are refused with a message', async () => {
  const { id, path, filled } = await aForm({ donationMinimum: 12.5, presetAmounts: [20, 50, 100] })
  const table: [Record<string, string>, RegExp][] = [
    [{ own: '12,49' }, /The minimum for this campaign is €12\.50/],
    [{ own: '0' }, /The minimum for this campaign is €12\.50/],
    [{ own: '1.250' }, /“1\.250” can mean two amounts\. Please type 1250 or 1\.25\./],
    [{ own: '5000000000' }, /larger than we can accept/],
    [{ amount: '100', own: '30' }, /You chose €100 and typed “30”/],
    [{ amount: '7', own: '' }, /choose an amount/],
    [{ amount: '', own: '' }, /choose an amount/]
  ]
  for (const [fields, message] of table) {
    const answer = await send(path, { ...filled, ...fields })
    assert.equal(answer.status, 422, JSON.stringify(fields))
    assert.match(readErrors(answer), message)
    assert.match(readErrors(answer), /href="#field-own"/)
  }
  assert.equal((await listDonations(id)).length, 0)
  assert.equal((await send(path, { ...filled, own: '12,50' })).status, 303)
})

test('a filled honeypot field, a form sent too fast and a bad key are refused once, and accepted when sent again', async () => {
  for (const trap of [
    { website: 'https://spam.example' },
    { started: 'now' },
    { started: '' },
    { started: 'x' },
    { started: String(Date.now() + 3_600_000) },
    { key: '' },
    { key: 'short' }
  ]) {
    const { id, path, filled } = await aForm()
    const trapFields = trap.started === 'now' ? { started: String(Date.now()) } : trap
    const answer = await send(path, { ...filled, ...trapFields })
    assert.equal(answer.status, 422, JSON.stringify(trapFields))
    assert.match(readErrors(answer), /has not been sent yet/)
    assert.equal((await listDonations(id)).length, 0)
    const shown = readFields(answer)
    assert.equal(shown.website, '')
    assert.equal(shown.name, 'Familie K.')
    assert.equal((await send(path, { ...shown })).status, 303, JSON.stringify(trapFields))
    assert.equal((await listDonations(id)).length, 1)
  }
})

test('a form from another site is refused', async () => {
  const { id, path, filled } = await aForm()
  assert.equal((await send(path, filled, { origin: 'https://evil.example' })).status, 403)
  assert.equal((await listDonations(id)).length, 0)
})

test('a campaign that was closed since responds 409, and shows no form', async () => {
  const { id, path, filled } = await aForm()
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
  const answer = await send(path, filled)
  assert.equal(answer.status, 409)
  assert.match(answer.text, /closed in the meantime/)
  assert.doesNotMatch(answer.text, /<form class="donate-form"/)
  assert.equal((await listDonations(id)).length, 0)
})

test('donations above the rate limit of an IP address are refused with 429, and the input is kept', async () => {
  const limited = await startSite({ env: { RATE_LIMIT_DONATIONS: '1' } })
  const { id } = (await limited.admin.post('/campaigns', campaign)).body
  const sendFrom = { remoteAddress: '203.0.113.7' }
  const shown = await limited.visitor.send({
    method: 'GET',
    url: `/en/donate/${id}-new-roof-for-the-music-school`,
    ...sendFrom
  })
  const statuses: number[] = []
  let last = shown
  for (const key of ['a', 'b']) {
    const fields = { ...readFields(shown), ...filledIn, key: key.repeat(22) }
    last = await limited.visitor.send({
      method: 'POST',
      url: `/en/donate/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
      ...sendFrom
    })
    statuses.push(last.status)
  }
  assert.deepEqual(statuses, [303, 429])
  assert.match(readErrors(last), /wait a minute/)
  assert.equal(readFields(last).name, 'Familie K.')
})

test('invisible characters in a name are refused with an error at the field', async () => {
  const { path, filled } = await aForm()
  const answer = await send(path, { ...filled, name: 'Ada \u202eecalevoL' })
  assert.equal(answer.status, 422)
  assert.match(readErrors(answer), /href="#field-name"/)
})

test('with proof of work enabled, the form has a challenge and a hint for browsers without scripts, and a forged proof is refused', async () => {
  const { id, path, filled } = await aForm()
  assert.doesNotMatch((await visitor.get(path)).text, /data-proof|proof-of-work/)
  assert.equal((await admin.patch('/organisation', { proofOfWork: true })).status, 200)
  try {
    const { text } = await visitor.get(path)
    assert.match(text, /data-proof="\{&quot;challenge&quot;/)
    assert.match(text, /<script type="module" src="\/assets\/proof-of-work-/)
    assert.match(text, /<noscript><p class="notice warn">This form needs JavaScript/)
    const answer = await send(path, { ...filled, proofOfWork: 'made up' })
    assert.equal(answer.status, 422)
    assert.match(readErrors(answer), /security check has expired/)
    assert.equal((await listDonations(id)).length, 0)
  } finally {
    await admin.patch('/organisation', { proofOfWork: false })
  }
})
