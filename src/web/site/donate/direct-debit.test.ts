import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaign, startSite, type TestResponse } from '#test/support/services.ts'

const { visitor, admin } = await startSite()

const organisation = { legalName: 'Musikschule Lindenhof e. V.', creditorId: 'DE98ZZZ09999999999' }
const changeOrganisation = async (change: object = organisation) =>
  assert.equal((await admin.patch('/organisation', change)).status, 200)

/** A new campaign, and the path of its page. */
async function aCampaign(fields: object = {}): Promise<{ id: number; path: string }> {
  const { id } = (await admin.post('/campaigns', { ...campaign, name: 'Dach', ...fields })).body
  return { id, path: `/de/spenden/${id}-dach` }
}

const unescapeHtml = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<')
const readField = ({ text }: TestResponse, name: string) =>
  unescapeHtml(
    new RegExp(`<(?:input[^>]* name="${name}" value="|textarea name="${name}"[^>]*>)([^"<]*)`).exec(text)?.[1] ?? ''
  )

/** The fields of the form as a browser sends them: line breaks of hidden fields become CRLF. */
function fillIn(page: TestResponse, more: Record<string, string>): Record<string, string> {
  return {
    own: '40',
    name: 'Jürgen Größwein',
    iban: 'DE02 1203 0000 0000 2020 51',
    payment: 'direct_debit',
    mandateText: readField(page, 'mandateText').replaceAll('\n', '\r\n'),
    key: readField(page, 'key'),
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

const listDonations = async (id: number) => (await admin.get(`/campaigns/${id}/donations`)).body

test('direct debit is not offered without a creditor identifier, or if the account of the campaign cannot collect', async () => {
  await changeOrganisation({ creditorId: null })
  const { path } = await aCampaign()
  assert.doesNotMatch((await visitor.get(path)).text, /name="payment"|name="mandate"/)
  await changeOrganisation()
  for (const iban of ['DE00370400440532013000', 'CH9300762011623852957']) {
    const other = await aCampaign({ account: { ...campaign.account, iban } })
    assert.doesNotMatch((await visitor.get(other.path)).text, /name="payment"|name="mandate"/, iban)
  }
})

test('a donor gives a mandate with the text shown in the form, sees it on the thank-you page, and can revoke it', async () => {
  await changeOrganisation()
  const { id, path } = await aCampaign()
  const page = await visitor.get(path)
  assert.match(page.text, /<input type="radio" name="payment" value="transfer" checked\/>/)
  assert.match(page.text, /<input type="checkbox" value="yes" id="field-mandate" name="mandate"\/>/)
  const text: string = (await visitor.get('/mandate')).body.texts.de
  assert.equal(readField(page, 'mandateText'), text)

  const unticked = await send(path, fillIn(page, {}))
  assert.equal(unticked.status, 422)
  assert.match(unticked.text, /<a href="#field-mandate">Bitte erteilen Sie das Mandat/)
  assert.match(unticked.text, /value="direct_debit" checked\/>/)
  assert.equal((await listDonations(id)).length, 0)

  const sent = await send(path, fillIn(page, { mandate: 'yes' }))
  assert.equal(sent.status, 303)
  const [stored] = await listDonations(id)
  assert.equal(stored.paymentMethod, 'direct_debit')
  const thanks = await visitor.get(sent.headers.location ?? '')
  assert.match(thanks.text, /Wir ziehen 40,00\u00a0€ von Ihrem Konto ein/)
  assert.match(thanks.text, /Mandatsreferenz/)
  assert.match(thanks.text, /DE98ZZZ09999999999/)
  assert.ok(unescapeHtml(thanks.text).includes(text.split('\n').at(-1) ?? 'nothing'))
  assert.doesNotMatch(thanks.text, /Bitte überweisen Sie jetzt|qr\.svg|id="transfer-/)

  const revoked = await send(sent.headers.location ?? '', { revoke: 'yes' })
  assert.equal(revoked.status, 303)
  assert.match((await visitor.get(sent.headers.location ?? '')).text, /Bitte überweisen Sie jetzt 40,00/)
  assert.equal((await send(sent.headers.location ?? '', { revoke: 'yes' })).status, 303, 'revoking twice has no effect')
})

test('if the mandate text changed since the form was shown, the new text is shown and must be accepted again', async () => {
  await changeOrganisation()
  const { id, path } = await aCampaign()
  const page = await visitor.get(path)
  await changeOrganisation({ ...organisation, legalName: 'Musikschule Erlenhof e. V.' })
  const changed = await send(path, fillIn(page, { mandate: 'yes' }))
  assert.equal(changed.status, 422)
  assert.match(changed.text, /<a href="#field-mandate">Der Text des Mandats hat sich geändert/)
  assert.match(readField(changed, 'mandateText'), /Erlenhof/)
  assert.doesNotMatch(changed.text, /name="mandate"[^>]* checked/)
  assert.equal((await listDonations(id)).length, 0)
  assert.equal((await send(path, fillIn(changed, { mandate: 'yes' }))).status, 303)

  await changeOrganisation({ creditorId: null })
  const withoutDirectDebit = await send(path, fillIn(changed, { mandate: 'yes', key: 'k'.repeat(22) }))
  assert.equal(withoutDirectDebit.status, 422)
  assert.match(withoutDirectDebit.text, /ziehen nicht mehr per Lastschrift ein/)
  assert.doesNotMatch(withoutDirectDebit.text, /name="payment"/)
  await changeOrganisation()
})

test('an IBAN that cannot be debited has an error at its field', async () => {
  await changeOrganisation()
  const { path } = await aCampaign()
  const page = await visitor.get(path)
  const answer = await send(path, fillIn(page, { mandate: 'yes', iban: 'GB29 NWBK 6016 1331 9268 19' }))
  assert.equal(answer.status, 422)
  assert.match(answer.text, /<a href="#field-iban">Von diesem Konto können wir nicht einziehen/)
  assert.match(answer.text, /value="GB29 NWBK 6016 1331 9268 19"/)
})

test('an invalid IBAN is refused with the reason at its field', async () => {
  await changeOrganisation()
  const { id, path } = await aCampaign()
  const page = await visitor.get(path)
  const table: [string, RegExp][] = [
    ['DE03 1203 0000 0000 2020 51', /Prüfziffern stimmen nicht/],
    ['DE02 1203 0000 0000 2020 5', /hat 22 Zeichen, diese hat 21/],
    ['ZZ02 1203 0000 0000 2020 51', /Keine IBAN beginnt mit ZZ/],
    ['12345678', /beginnt mit zwei Buchstaben/],
    ['', /geben Sie Ihre IBAN ein/],
    // The checksum is correct, but German account numbers have no letters.
    ['DE77 ABCD 0000 0000 2020 51', /Prüfziffern stimmen nicht/]
  ]
  for (const [iban, message] of table) {
    const answer = await send(path, fillIn(page, { mandate: 'yes', iban }))
    assert.equal(answer.status, 422, iban)
    assert.match(/<div class="notice bad".*?<\/div>/s.exec(answer.text)?.[0] ?? '', message, iban)
    assert.match(answer.text, /id="field-iban"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="field-iban"/, iban)
  }
  assert.equal((await listDonations(id)).length, 0)
})
