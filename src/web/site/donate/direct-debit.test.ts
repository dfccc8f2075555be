import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startSite, type TestResponse } from '#test/support/services.ts'

const { visitor, admin } = await startSite()

const organisation = { legalName: 'Musikschule Lindenhof e. V.', creditorId: 'DE98ZZZ09999999999' }
const offer = async (change: object = organisation) =>
  assert.equal((await admin.patch('/organisation', change)).status, 200)

/** A new campaign, and the address of its page. */
async function aCampaign(fields: object = {}): Promise<{ id: number; path: string }> {
  const { id } = (await admin.post('/campaigns', { ...campaign, name: 'Dach', ...fields })).body
  return { id, path: `/de/spenden/${id}-dach` }
}

const plain = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<')
const fieldIn = ({ text }: TestResponse, name: string) =>
  plain(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '')

/** What a browser sends of the form that a page shows: lines of hidden fields end in its own way. */
function filledIn(page: TestResponse, more: Record<string, string>): Record<string, string> {
  return {
    own: '40',
    name: 'Jürgen Größwein',
    iban: 'DE02 1203 0000 0000 2020 51',
    payment: 'direct_debit',
    mandateText: fieldIn(page, 'mandateText').replaceAll('\n', '\r\n'),
    key: fieldIn(page, 'key'),
    started: String(Date.now() - 60_000),
    ...more
  }
}

const send = async (path: string, fields: Record<string, string>) =>
  await visitor.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString()
  })

const donationsOf = async (id: number) => (await admin.get(`/campaigns/${id}/donations`)).body

test('without a creditor identifier nobody is asked how to pay, and an account that takes no debits is not offered one', async () => {
  await offer({ creditorId: null })
  const { path } = await aCampaign()
  assert.doesNotMatch((await visitor.get(path)).text, /name="payment"|name="mandate"/)
  await offer()
  for (const iban of ['DE00370400440532013000', 'CH9300762011623852957']) {
    const other = await aCampaign({ account: { ...campaign.account, iban } })
    assert.doesNotMatch((await visitor.get(other.path)).text, /name="payment"|name="mandate"/, iban)
  }
})

test('a mandate is read, ticked by the donor and stored as it was read', async () => {
  await offer()
  const { id, path } = await aCampaign()
  const page = await visitor.get(path)
  assert.match(page.text, /<input type="radio" name="payment" value="transfer" checked\/>/)
  assert.match(page.text, /<input type="checkbox" value="yes" id="field-mandate" name="mandate"\/>/)
  const text: string = (await visitor.get('/mandate')).body.texts.de
  assert.equal(fieldIn(page, 'mandateText'), text)

  const unticked = await send(path, filledIn(page, {}))
  assert.equal(unticked.status, 422)
  assert.match(unticked.text, /<a href="#field-mandate">Bitte erteilen Sie das Mandat/)
  assert.match(unticked.text, /value="direct_debit" checked\/>/)
  assert.equal((await donationsOf(id)).length, 0)

  const sent = await send(path, filledIn(page, { mandate: 'yes' }))
  assert.equal(sent.status, 303)
  const [stored] = await donationsOf(id)
  assert.equal(stored.paymentMethod, 'direct_debit')
  const thanks = await visitor.get(sent.headers.location ?? '')
  assert.match(thanks.text, /Wir ziehen 40,00\u00a0€ von Ihrem Konto ein/)
  assert.match(thanks.text, /Mandatsreferenz/)
  assert.match(thanks.text, /DE98ZZZ09999999999/)
  assert.ok(plain(thanks.text).includes(text.split('\n').at(-1) ?? 'nothing'))
  assert.doesNotMatch(thanks.text, /Bitte überweisen Sie jetzt|qr\.svg|id="transfer-/)

  const back = await send(sent.headers.location ?? '', { revoke: 'yes' })
  assert.equal(back.status, 303)
  assert.match((await visitor.get(sent.headers.location ?? '')).text, /Bitte überweisen Sie jetzt 40,00/)
  assert.equal((await send(sent.headers.location ?? '', { revoke: 'yes' })).status, 303, 'Once more does no harm.')
})

test('words that changed while somebody typed are shown again, and count only once they are agreed to', async () => {
  await offer()
  const { id, path } = await aCampaign()
  const page = await visitor.get(path)
  await offer({ ...organisation, legalName: 'Musikschule Erlenhof e. V.' })
  const changed = await send(path, filledIn(page, { mandate: 'yes' }))
  assert.equal(changed.status, 422)
  assert.match(changed.text, /<a href="#field-mandate">Der Text des Mandats hat sich geändert/)
  assert.match(fieldIn(changed, 'mandateText'), /Erlenhof/)
  assert.doesNotMatch(changed.text, /name="mandate"[^>]* checked/)
  assert.equal((await donationsOf(id)).length, 0)
  assert.equal((await send(path, filledIn(changed, { mandate: 'yes' }))).status, 303)

  await offer({ creditorId: null })
  const gone = await send(path, filledIn(changed, { mandate: 'yes', key: 'k'.repeat(22) }))
  assert.equal(gone.status, 422)
  assert.match(gone.text, /ziehen nicht mehr per Lastschrift ein/)
  assert.doesNotMatch(gone.text, /name="payment"/)
  await offer()
})

test('an account that cannot be debited is pointed out at its field', async () => {
  await offer()
  const { path } = await aCampaign()
  const page = await visitor.get(path)
  const answer = await send(path, filledIn(page, { mandate: 'yes', iban: 'GB29 NWBK 6016 1331 9268 19' }))
  assert.equal(answer.status, 422)
  assert.match(answer.text, /<a href="#field-iban">Von diesem Konto können wir nicht einziehen/)
  assert.match(answer.text, /value="GB29 NWBK 6016 1331 9268 19"/)
})

test('an account number with wrong check digits or length is refused though the API would take it', async () => {
  await offer()
  const { id, path } = await aCampaign()
  const page = await visitor.get(path)
  const table: [string, RegExp][] = [
    ['DE03 1203 0000 0000 2020 51', /Prüfziffern stimmen nicht/],
    ['DE02 1203 0000 0000 2020 5', /hat 22 Zeichen, diese hat 21/],
    ['ZZ02 1203 0000 0000 2020 51', /Keine IBAN beginnt mit ZZ/],
    ['12345678', /beginnt mit zwei Buchstaben/],
    ['', /geben Sie Ihre IBAN ein/],
    // Fits modulo 97, but German banks have no letters in their numbers.
    ['DE77 ABCD 0000 0000 2020 51', /Prüfziffern stimmen nicht/]
  ]
  for (const [iban, message] of table) {
    const answer = await send(path, filledIn(page, { mandate: 'yes', iban }))
    assert.equal(answer.status, 422, iban)
    assert.match(/<div class="notice bad".*?<\/div>/s.exec(answer.text)?.[0] ?? '', message, iban)
    assert.match(answer.text, /id="field-iban"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="field-iban"/, iban)
  }
  assert.equal((await donationsOf(id)).length, 0)
})
