import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startSite, type TestResponse } from '#test/support/services.ts'

const { visitor, admin } = await startSite()

const aCampaign = async (fields: object = {}) => (await admin.post('/campaigns', { ...campaign, ...fields })).body
const pathOf = async (id: number, language = 'en') => {
  const { headers } = await visitor.get(`/${language}/${language === 'en' ? 'donate' : 'spenden'}/${id}`)
  return headers.location ?? ''
}
const donationsOf = async (id: number) => (await admin.get(`/campaigns/${id}/donations`)).body

/** The fields of the form as a browser without JavaScript would send them, shown long enough ago. */
function fieldsOf({ text }: TestResponse): Record<string, string> {
  const form = /<form class="donate-form".*?<\/form>/s.exec(text)?.[0] ?? ''
  assert.notEqual(form, '', 'There is no form.')
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
  name: 'Familie K.',
  consent: 'yes'
}

/** A campaign, where its page is, and its form filled in. */
async function aForm(fields: object = {}, language = 'en') {
  const { id } = await aCampaign(fields)
  const path = await pathOf(id, language)
  return { id, path, filled: { ...fieldsOf(await visitor.get(path)), ...filledIn } }
}

const errorsIn = ({ text }: TestResponse) => /<div class="notice bad".*?<\/div>/s.exec(text)?.[0] ?? ''

test('a donation goes from the form to the thanks without JavaScript', async () => {
  const { id, path, filled } = await aForm({ presetAmounts: [10, 30, 80] })
  assert.equal(filled.amount, '30', 'The middle one is proposed.')
  assert.equal(filled.website, '')
  const sent = await send(path, {
    ...filled,
    email: 'k@example.org',
    // Nobody who transfers is asked for it, so it is not kept if it comes all the same.
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

  const [stored, ...others] = await donationsOf(id)
  assert.equal(others.length, 0)
  assert.equal(stored.amount, 30)
  assert.equal(stored.account, null)
  assert.equal(stored.email, 'k@example.org')
  assert.equal(stored.message, 'Viel Glück!\nAlles Gute.')
  assert.equal(stored.showName, false)
  assert.equal(stored.receiptRequested, true)
  assert.equal(stored.language, 'en')
  assert.deepEqual(stored.address, { street: 'Am Anger 1', postalCode: '12345', city: 'Köln', country: 'DE' })
  assert.match(stored.consent.text, /^I agree that .* stores my details/)
  assert.equal(stored.consent.version, '1')
})

test('an own amount counts in the way of the language, and an address only with the wish for a receipt', async () => {
  const { id, path, filled } = await aForm({}, 'de')
  const sent = await send(path, { ...filled, own: '1.250,50', street: 'Am Anger 1', showName: 'yes' })
  assert.equal(sent.status, 303)
  assert.match(sent.headers.location ?? '', /^\/de\/spenden\/danke\//)
  const [stored] = await donationsOf(id)
  assert.equal(stored.amount, 1250.5)
  assert.equal(stored.address, null)
  assert.equal(stored.showName, true)
  assert.equal(stored.language, 'de')
})

test('a form donates once, however often and however fast it is sent', async () => {
  const { id, path, filled } = await aForm()
  const answers = await Promise.all([send(path, filled), send(path, filled), send(path, filled)])
  answers.push(await send(path, filled))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303])
  assert.equal(new Set(answers.map(({ headers }) => headers.location)).size, 1)
  assert.equal((await donationsOf(id)).length, 1)

  const changed = await send(path, { ...filled, own: '77' })
  assert.equal(changed.status, 422)
  assert.match(errorsIn(changed), /already donated with this form/)
  assert.equal((await donationsOf(id)).length, 1)
  const again = await send(path, { ...fieldsOf(changed), ...filledIn })
  assert.equal(again.status, 303)
  assert.equal((await donationsOf(id)).length, 2)
})

test('two visitors at the same moment get forms with keys of their own', async () => {
  const { path } = await aForm()
  const shown = await Promise.all([visitor.get(path), visitor.get(path), visitor.get(path)])
  assert.equal(new Set(shown.map(one => fieldsOf(one).key)).size, 3)
})

test('who sends the form again from another network hears that the donation is recorded, and does not get its page', async () => {
  for (const [language, words] of [
    ['en', /Your donation was already recorded/],
    ['de', /Ihre Spende war schon gespeichert/]
  ] as const) {
    const { id, path, filled } = await aForm({}, language)
    const from = async (remoteAddress: string, fields: Record<string, string>) =>
      await visitor.send({
        method: 'POST',
        url: path,
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString()
      })
    const typed = { ...filled, own: '20' }
    const first = await from('192.0.2.1', typed)
    assert.equal(first.status, 303, first.text)
    const other = await from('192.0.2.2', typed)
    assert.equal(other.status, 409)
    assert.match(errorsIn(other), words)
    const token = (first.headers.location ?? '').replace(/^.*\/|#.*/g, '')
    assert.ok(token.length > 20 && !other.text.includes(token))
    assert.equal((await donationsOf(id)).length, 1)
    const again = { ...fieldsOf(other), ...filledIn, own: '20' }
    assert.equal((await from('192.0.2.2', again)).status, 303, 'The form has a key of its own now.')
    assert.equal((await from('192.0.2.1', typed)).headers.location, first.headers.location)
  }
})

test('everything that is wrong is said at once, beside its field, and what was typed is kept', async () => {
  const { id, path, filled } = await aForm()
  const { consent, ...rest } = filled
  const typed = { own: 'viel', name: '', email: 'nobody', receipt: 'yes', message: 'Hello "you"' }
  const answer = await send(path, { ...rest, ...typed })
  assert.equal(answer.status, 422)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const summary = errorsIn(answer)
  assert.match(summary, /role="alert"/)
  // The browser comes back to where the summary is, without a script.
  const section = answer.text.slice(answer.text.indexOf('id="donate"'))
  assert.ok(section.indexOf('id="errors"') > 0 && section.indexOf('id="errors"') < section.indexOf('<fieldset'))
  assert.match(answer.text, new RegExp(`action="${path}#donate"`))
  const names = ['own', 'name', 'email', 'street', 'postalCode', 'city', 'consent']
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
  const kept = fieldsOf(answer)
  assert.equal(kept.own, 'viel')
  assert.equal(kept.email, 'nobody')
  assert.equal(kept.receipt, 'yes')
  assert.equal(kept.consent, undefined)
  assert.equal(kept.key, filled.key)
  assert.match(answer.text, /<textarea[^>]*>Hello &quot;you&quot;<\/textarea>|<textarea[^>]*>Hello "you"<\/textarea>/)
  assert.equal((await donationsOf(id)).length, 0)
})

test('who transfers is asked for no account, and reads before anything is sent where the money goes', async () => {
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

test('an amount below the minimum, an ambiguous one and two at once are refused in plain words', async () => {
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
    assert.match(errorsIn(answer), message)
    assert.match(errorsIn(answer), /href="#field-own"/)
  }
  assert.equal((await donationsOf(id)).length, 0)
  assert.equal((await send(path, { ...filled, own: '12,50' })).status, 303)
})

test('programs that fill in what nobody sees, or are too fast, are asked once more, and people with them can donate', async () => {
  for (const given of [
    { website: 'https://spam.example' },
    { started: 'now' },
    { started: '' },
    { started: 'x' },
    { started: String(Date.now() + 3_600_000) },
    { key: '' },
    { key: 'short' }
  ]) {
    const { id, path, filled } = await aForm()
    const trap = given.started === 'now' ? { started: String(Date.now()) } : given
    const answer = await send(path, { ...filled, ...trap })
    assert.equal(answer.status, 422, JSON.stringify(trap))
    assert.match(errorsIn(answer), /has not been sent yet/)
    assert.equal((await donationsOf(id)).length, 0)
    const shown = fieldsOf(answer)
    assert.equal(shown.website, '')
    assert.equal(shown.name, 'Familie K.')
    assert.equal((await send(path, { ...shown })).status, 303, JSON.stringify(trap))
    assert.equal((await donationsOf(id)).length, 1)
  }
})

test('a form from another site is refused', async () => {
  const { id, path, filled } = await aForm()
  assert.equal((await send(path, filled, { origin: 'https://evil.example' })).status, 403)
  assert.equal((await donationsOf(id)).length, 0)
})

test('a campaign that closed meanwhile says so, and shows no form', async () => {
  const { id, path, filled } = await aForm()
  await admin.put(`/campaigns/${id}`, { ...campaign, status: 'closed' })
  const answer = await send(path, filled)
  assert.equal(answer.status, 409)
  assert.match(answer.text, /closed in the meantime/)
  assert.doesNotMatch(answer.text, /<form class="donate-form"/)
  assert.equal((await donationsOf(id)).length, 0)
})

test('too many donations from one address are asked to wait, and nothing typed is lost', async () => {
  const limited = await startSite({ env: { RATE_LIMIT_DONATIONS: '1' } })
  const { id } = (await limited.admin.post('/campaigns', campaign)).body
  const from = { remoteAddress: '203.0.113.7' }
  const shown = await limited.visitor.send({
    method: 'GET',
    url: `/en/donate/${id}-new-roof-for-the-music-school`,
    ...from
  })
  const statuses: number[] = []
  let last = shown
  for (const key of ['a', 'b']) {
    const fields = { ...fieldsOf(shown), ...filledIn, key: key.repeat(22) }
    last = await limited.visitor.send({
      method: 'POST',
      url: `/en/donate/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
      ...from
    })
    statuses.push(last.status)
  }
  assert.deepEqual(statuses, [303, 429])
  assert.match(errorsIn(last), /wait a minute/)
  assert.equal(fieldsOf(last).name, 'Familie K.')
})

test('characters that nobody can see are pointed out at their field', async () => {
  const { path, filled } = await aForm()
  const answer = await send(path, { ...filled, name: 'Ada \u202eecalevoL' })
  assert.equal(answer.status, 422)
  assert.match(errorsIn(answer), /href="#field-name"/)
})

test('where the organisation asks browsers for a proof, the form has its place, and says what to do without scripts', async () => {
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
    assert.match(errorsIn(answer), /security check has expired/)
    assert.equal((await donationsOf(id)).length, 0)
  } finally {
    await admin.patch('/organisation', { proofOfWork: false })
  }
})
