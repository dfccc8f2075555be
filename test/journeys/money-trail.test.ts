// test: own process, full
// A donation from pledge to receipt: pledged on a page, transferred with a QR code, matched on a statement, certified by a receipt.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import sharp from 'sharp'
import { extractText } from 'unpdf'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'

const today = new Date().toISOString().slice(0, 10)
const account = { iban: 'DE89370400440532013000', name: 'Förderverein Mühle Überlingen e. V.' }
const donor = { name: 'Jürgen Größwein', street: 'Am Öschle 7', postalCode: '88662', city: 'Überlingen' }
const organisation = {
  legalName: account.name,
  address: { street: 'Mühlgasse 1', postalCode: '88662', city: 'Überlingen', country: 'DE' },
  taxOffice: 'Überlingen',
  taxNumber: '87001/12345',
  exemption: { kind: 'notice', date: today, period: '2024' },
  purposes: 'des Denkmalschutzes',
  signatory: 'Käthe Bürkle',
  signatoryRole: 'Kassenwartin',
  taxOfficeInformedOn: '2024-01-15',
  receiptPrefix: 'FM'
}

test('a pledge is transferred with its QR code, matched on an uploaded statement, and certified by a receipt', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  assert.equal((await site.admin.patch('/organisation', organisation)).status, 200)
  const campaign = { name: 'Neues Rad für die Mühle', donationMinimum: 5, targetAmount: 8000, account, language: 'de' }
  const { id } = (await site.admin.post('/campaigns', campaign)).body

  const donorsBrowser = await site.open({ language: 'de' })
  const donorsPage = await donorsBrowser.newPage()
  await donate(donorsPage, id)

  // The QR code contains exactly the data of the page.
  const [service, version, , kind, , holder, iban, sum = '', purpose, , reference = ''] = await scanQrCode(donorsPage)
  assert.deepEqual([service, version, kind, purpose], ['BCD', '002', 'SCT', 'CHAR'])
  const readShownText = async (part: string) => await donorsPage.locator(`#transfer-${part}`).textContent()
  assert.deepEqual(
    [holder, iban, reference],
    [await readShownText('payee'), await readShownText('iban'), await readShownText('reference')]
  )
  assert.deepEqual([holder, iban, sum], [account.name, account.iban, 'EUR120.50'])
  assert.equal(await readShownText('amount'), '120,50')

  const statement = buildStatement([
    {
      amount: sum.replace('EUR', ''),
      text: `Spende ${reference}`,
      name: 'JUERGEN GROESSWEIN',
      iban: 'DE02120300000000202051',
      bookedOn: today,
      bankReference: 'B-2026-0001'
    }
  ])
  const treasurersBrowser = await site.open({ language: 'de' })
  const treasurersPage = await treasurersBrowser.newPage()
  await signIn(treasurersPage)
  await upload(treasurersPage, statement)

  await donorsPage.reload()
  await donorsPage.getByText('Ihre Spende von 120,50 € ist eingegangen').waitFor()
  assert.equal(await donorsPage.locator('#transfer-iban, .giro-code').count(), 0)
  assert.match(
    await donorsPage.locator('.steps').innerText(),
    /Zugesagt[\s\S]*Eingegangen[\s\S]*Zuwendungsbestätigung steht noch aus/
  )

  await issueReceipt(treasurersPage, id)
  await donorsPage.reload()
  const text = await readReceipt(donorsPage)
  const number = /FM-\d{4}-\d{6}/.exec(await donorsPage.locator('.papers').innerText())?.[0] ?? 'none'
  for (const piece of [number, donor.name, donor.street, '120,50', 'einhundertzwanzig Euro und fünfzig Cent']) {
    assert.ok(text.includes(piece), `“${piece}” is missing in: ${text}`)
  }
  await Promise.all([donorsBrowser.close(), treasurersBrowser.close()])
})

async function donate(page: Page, campaignId: number): Promise<void> {
  await page.goto(`/de/spenden/${campaignId}`)
  await page.getByRole('textbox', { name: /Anderer Betrag/ }).fill('120,50')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(donor.name)
  await page.getByRole('checkbox', { name: /Spendenbescheinigung/ }).check()
  await page.getByRole('textbox', { name: 'Straße und Hausnummer' }).fill(donor.street)
  await page.getByRole('textbox', { name: 'Postleitzahl' }).fill(donor.postalCode)
  await page.getByRole('textbox', { name: 'Ort' }).fill(donor.city)
  await sleep(2100)
  await page.getByRole('button', { name: /120,50 € spenden/ }).click()
  await page.getByRole('heading', { level: 1, name: `Vielen Dank, ${donor.name}!` }).waitFor()
}

/** The lines that a banking app reads from the QR code on the screen. */
async function scanQrCode(page: Page): Promise<string[]> {
  const code = page.locator('.giro-code img')
  await code.scrollIntoViewIfNeeded()
  await page.waitForFunction('document.querySelector(".giro-code img").naturalWidth > 0')
  const picture = sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data }).split('\n')
}

async function signIn(page: Page): Promise<void> {
  const email = 'kasse@example.org'
  await site?.admin.post('/users', { name: 'Käthe Bürkle', email, role: 'treasurer', language: 'de', password })
  await page.goto('/admin')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(email)
  await page.getByLabel(/^Passwort/).fill(password)
  await page.getByRole('button', { name: /^Anmelden/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
}

async function upload(page: Page, statement: Buffer): Promise<void> {
  await page.goto('/admin/statements')
  await page.setInputFiles('input[type=file]', {
    name: 'Kontoauszüge.xml',
    mimeType: 'application/xml',
    buffer: statement
  })
  await page.getByRole('button', { name: 'Hochladen und zuordnen' }).click()
  await page.getByText('Importierte Umsätze: 1. Verbucht: 1. Zu entscheiden: 0.').waitFor()
}

async function issueReceipt(page: Page, campaignId: number): Promise<void> {
  const [donation] = (await site?.admin.get(`/campaigns/${campaignId}/donations`))?.body ?? []
  await page.goto(`/admin/donations/${campaignId}/${donation.id}`)
  await page.getByRole('button', { name: 'Bestätigung ausstellen' }).click()
  await page.getByText(/Bestätigung FM-\d{4}-\d{6} ausgestellt/).waitFor()
}

async function readReceipt(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /Zuwendungsbestätigung .* herunterladen/ }).click()
  ])
  const bytes = await readFile(await download.path())
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
  return text.replace(/\s+/g, ' ')
}
