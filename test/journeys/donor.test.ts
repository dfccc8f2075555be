// A visitor donates, with and without scripts in the browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { campaign } from '#test/support/services.ts'
import { skipUnlessFull } from '../support/full-run.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser() : undefined

async function aCampaign(): Promise<{ id: number; name: string }> {
  const created = await site?.admin.post('/campaigns', { ...campaign, presetAmounts: [10, 25, 100] })
  return created?.body
}

test('a visitor donates with JavaScript off: errors keep the input, and the thank-you page has the data of the transfer', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { id } = await aCampaign()
  const context = await site.open({ language: 'de', width: 390, withoutScripts: true })
  const page = await context.newPage()
  await page.goto(`/de/spenden/${id}`)
  await page.getByRole('textbox', { name: /Anderer Betrag/ }).fill('12,50')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Familie Überreuther')
  await page.getByRole('textbox', { name: /E-Mail/ }).fill('niemand')
  assert.equal(await page.locator('[name=iban]').count(), 0)
  await sleep(2100)
  await page
    .getByRole('button', { name: /spenden/i })
    .last()
    .click()

  const summary = page.getByRole('alert')
  await summary.getByText('E-Mail-Adresse').waitFor()
  // The browser scrolls to the form with the summary, not to the top of a long page.
  assert.match(page.url(), /#donate$/)
  const place = await summary.boundingBox()
  assert.ok(place !== null && place.y >= 0 && place.y < 500, JSON.stringify(place))
  await summary.getByRole('link', { name: /E-Mail-Adresse/ }).click()
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-email')
  assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Familie Überreuther')
  assert.equal(await page.getByRole('textbox', { name: /Anderer Betrag/ }).inputValue(), '12,50')
  await page.getByRole('textbox', { name: /E-Mail/ }).fill('')
  await page
    .getByRole('button', { name: /spenden/i })
    .last()
    .click()

  await page.getByRole('heading', { level: 1, name: /Familie Überreuther/ }).waitFor()
  assert.match(page.url(), /\/de\/spenden\/danke\/[A-Za-z0-9]{20,}#thanks$/)
  const text = await page.locator('main').innerText()
  assert.match(text, /12,50/)
  assert.match(text, /DE89370400440532013000/)
  const [donation] = (await site.admin.get(`/campaigns/${id}/donations`)).body
  assert.equal(donation.amount, 12.5)
  assert.ok(text.includes(donation.reference))
  await context.close()
})

test('a visitor donates with JavaScript on: the button shows the amount, a double click donates once, and another visitor sees the pledge, then the payment', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  const { id } = await aCampaign()
  const context = await site.open({ language: 'en' })
  const page = await context.newPage()
  const otherVisitor = await context.newPage()
  await Promise.all([
    otherVisitor.waitForResponse(answer => answer.url().includes('/stream') && answer.status() === 200),
    otherVisitor.goto(`/en/donate/${id}`)
  ])
  assert.match(await otherVisitor.locator('main').innerText(), /No donations yet/)
  await page.goto(`/en/donate/${id}`)
  await page.getByRole('radio', { name: '€100' }).check()
  await page.getByRole('button', { name: /Donate €100/ }).waitFor()
  await page.getByRole('textbox', { name: /Other amount/ }).fill('40')
  await page.getByRole('button', { name: /Donate €40/ }).waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace')
  await sleep(2100)
  await page.getByRole('button', { name: /Donate €40/ }).dblclick()
  await page.getByRole('heading', { level: 1, name: /Ada Lovelace/ }).waitFor()
  const donations = (await site.admin.get(`/campaigns/${id}/donations`)).body
  assert.equal(donations.length, 1)

  await otherVisitor.getByText('€40', { exact: true }).first().waitFor()
  const seen = await otherVisitor.locator('main').innerText()
  assert.match(seen, /€0\s+received, €40 pledged\s+0% of €8,000 received\s+1 donation\b/)
  assert.match(seen, /Recent donations\s+Pledged, not received yet\s+Anonymous\s+€40\s+this minute/)
  assert.doesNotMatch(seen, /No donations yet|Ada/)
  const bar = otherVisitor.getByRole('progressbar').first()
  assert.equal(await bar.getAttribute('aria-valuetext'), '0%: €0 of €8,000 received, €40 pledged')
  assert.deepEqual(await otherVisitor.locator('[aria-live]').evaluateAll(all => all.map(one => one.textContent)), [
    '€0 received, €40 pledged'
  ])

  const path = `/campaigns/${id}/donations/${donations[0].id}`
  await site.admin.patch(path, { status: 'TRANSFERRED' })
  await otherVisitor.getByRole('heading', { level: 3, name: 'Received' }).waitFor()
  // The sum is requested separately from the list, so either may arrive first.
  await otherVisitor.waitForFunction(() =>
    /€40\s+received\s+0% of/.test(document.querySelector('main')?.innerText ?? '')
  )
  const later = await otherVisitor.locator('main').innerText()
  assert.match(later, /€40\s+received\s+0% of €8,000 received/)
  assert.match(later, /Recent donations\s+Received\s+Anonymous\s+€40/)
  assert.doesNotMatch(later, /[Pp]ledged/)
  assert.equal(await bar.locator('.bar-received').getAttribute('width'), '1')
  await context.close()
})

test('the IBAN field is shown for direct debits only, and checked while typing', { skip }, async () => {
  assert.ok(site !== undefined)
  await site.admin.patch('/organisation', { legalName: 'Music School', creditorId: 'DE98ZZZ09999999999' })
  const { id } = await aCampaign()
  const context = await site.open({ language: 'en' })
  const page = await context.newPage()
  await page.goto(`/en/donate/${id}`)
  const iban = page.getByRole('textbox', { name: 'Your IBAN' })
  assert.equal(await iban.isVisible(), false)
  await page.getByText('After this you get a reference').waitFor()
  await page.getByRole('radio', { name: /SEPA direct debit/ }).check()
  assert.equal(await page.getByText('After this you get a reference').isVisible(), false)
  await iban.pressSequentially('de0212030000000020205')
  // The check is loaded with the first character.
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#field-iban')?.value.includes(' '))
  assert.equal(await iban.inputValue(), 'DE02 1203 0000 0000 2020 5')
  await iban.press('Tab')
  await page.getByText(/has 22 characters/).waitFor()
  await iban.press('End')
  await iban.pressSequentially('1')
  await iban.press('Tab')
  await page.getByText('IBAN is valid').waitFor()
  await context.close()
  await site.admin.patch('/organisation', { creditorId: null })
})

test('scripts that are loaded on demand and do not arrive leave the form as it is without them', { skip }, async () => {
  assert.ok(site !== undefined)
  const { id } = await aCampaign()
  const context = await site.open({ language: 'en' })
  const page = await context.newPage()
  await page.goto(`/en/donate/${id}`)
  await page.getByRole('radio', { name: '€100' }).check()
  await page.getByRole('button', { name: /Donate €100/ }).waitFor()
  // As after an update of the server: the files of this page are gone.
  await page.route('**/assets/*.js', async route => await route.fulfill({ status: 404 }))
  await page.getByRole('textbox', { name: /Other amount/ }).fill('40')
  // Not the amount that was chosen before.
  await page.getByRole('button', { name: 'Donate', exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace')
  await sleep(2100)
  await page.getByRole('button', { name: 'Donate', exact: true }).click()
  await page.waitForURL(/\/en\/donate\/thanks\//)
  const [donation] = (await site.admin.get(`/campaigns/${id}/donations`)).body
  assert.equal(donation.amount, 40)
  await context.close()
})

test('a pledge of 999,999,999.99 changes no public page, and is held for review on the dashboard of the treasurer', {
  skip: skip || skipUnlessFull
}, async () => {
  assert.ok(site !== undefined)
  const { id } = await aCampaign()
  const context = await site.open({ language: 'en' })
  const page = await context.newPage()
  const paths = [`/en/donate/${id}`, '/en/donate', '/en', `/en/embed/campaigns/${id}`]
  const readPages = async () => {
    const seen: string[] = []
    for (const path of paths) {
      await page.goto(path)
      seen.push(await page.locator('main').innerText())
    }
    return seen
  }
  const before = await readPages()
  await page.goto(`/en/donate/${id}`)
  await page.getByRole('textbox', { name: /Other amount/ }).fill('999999999.99')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Donald Duck')
  await page.getByRole('textbox', { name: /Message/ }).fill('Buy my watches')
  await page.getByRole('checkbox', { name: /Show my name/ }).check()
  await sleep(2100)
  await page.locator('.donate-button').click()
  await page.getByRole('heading', { level: 1, name: /Donald Duck/ }).waitFor()
  assert.deepEqual(await readPages(), before)
  const email = 'tess@example.org'
  const password = 'a long one for the treasurer'
  await site.admin.post('/users', { name: 'Tess', email, role: 'treasurer', language: 'en', password })
  const { token } = (await site.visitor.post('/sessions', { email, password })).body
  const { hostname } = new URL(site.origin)
  await context.addCookies([{ name: 'kalends_session', value: token, domain: hostname, path: '/admin' }])
  await page.goto('/admin')
  const card = page.getByRole('region', { name: 'Needs review' })
  assert.match(await card.innerText(), /Donald Duck[\s\S]*€999,999,999\.99/)
  assert.match(await page.getByRole('region', { name: 'Messages to review' }).innerText(), /Buy my watches/)
  await context.close()
})

test('with proof of work enabled, the browser computes the proof while the visitor types, and the form waits for it', {
  skip: skip || skipUnlessFull
}, async () => {
  assert.ok(site !== undefined)
  const { id } = await aCampaign()
  await site.admin.patch('/organisation', { proofOfWork: true })
  const context = await site.open({ language: 'en' })
  const page = await context.newPage()
  await page.goto(`/en/donate/${id}`)
  const proof = page.locator('[name=proofOfWork]')
  assert.equal(await proof.inputValue(), '', 'nothing is computed before the first input')
  await page.getByRole('radio', { name: '€100' }).check()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace')
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=proofOfWork]')?.value !== '')
  // A used proof: the form requests another one before it is sent.
  const used = await proof.inputValue()
  const donation = { amount: 5, donorName: 'Somebody', account: { iban: 'DE75512108001245126199' }, proofOfWork: used }
  assert.equal((await site.visitor.post(`/campaigns/${id}/donations`, donation)).status, 201)
  await proof.evaluate((field: HTMLInputElement) => {
    field.value = ''
  })
  await sleep(2100)
  await page.getByRole('button', { name: /Donate €100/ }).click()
  await page.waitForURL(/\/en\/donate\/thanks\//)
  assert.equal((await site.admin.get(`/campaigns/${id}`)).body.donationCount, 2)
  await site.admin.patch('/organisation', { proofOfWork: false })
  await context.close()
})
