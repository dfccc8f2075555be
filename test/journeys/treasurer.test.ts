// test: full
// A treasurer's January: a ZIP file of bank statements, all payments booked, the journal, and the receipts of the year.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { extractText } from 'unpdf'
import { processRuns } from '#fundraising/receipts/runs/receipt-run.ts'
import { getBrowserSkip, startSiteAndBrowser } from '#test/support/browser.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { buildZip } from '#test/support/zip.ts'

const { skip } = getBrowserSkip()
const site = skip === false ? await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin' } }) : undefined
const password = 'a long enough sentence'
const lastYear = new Date().getFullYear() - 1

const account = { iban: 'DE89370400440532013000', name: 'Förderverein Mühle e. V.' }
const organisation = {
  legalName: account.name,
  address: { street: 'Mühlgasse 1', postalCode: '88662', city: 'Überlingen', country: 'DE' },
  taxOffice: 'Überlingen',
  taxNumber: '87001/12345',
  exemption: { kind: 'provisional', date: `${lastYear}-05-04`, period: null },
  purposes: 'der Jugendhilfe',
  signatory: 'Käthe Bürkle',
  signatoryRole: 'Kassenwartin',
  receiptPrefix: 'FM'
}

/** A pledge with an address and a requested receipt. */
async function pledge(campaignId: number, donorName: string, amount: number) {
  const { body } = (await site?.admin.post(`/campaigns/${campaignId}/donations`, {
    amount,
    donorName,
    receiptRequested: true,
    address: { street: 'Am Öschle 7', postalCode: '88662', city: 'Überlingen', country: 'DE' }
  })) ?? { body: undefined }
  assert.ok(body?.id)
  return body as { id: string; reference: string }
}

test('all payments of a ZIP file of bank statements are booked with one click each, and journal and receipts have their amounts and days', {
  skip
}, async () => {
  assert.ok(site !== undefined)
  assert.equal((await site.admin.patch('/organisation', organisation)).status, 200)
  const { id } = (
    await site.admin.post('/campaigns', {
      ...{ name: 'Neues Rad', donationMinimum: 5, targetAmount: 8000, account, language: 'de' }
    })
  ).body
  const exact = await pledge(id, 'Anna Genau', 50)
  const short = await pledge(id, 'Bernd Knapp', 100)
  const typo = await pledge(id, 'Clara Tippfehler', 70)
  const [one, other] = [await pledge(id, 'Doro Doppel', 30), await pledge(id, 'Egon Doppel', 45)]
  const wrong = typo.reference.replace(/.$/, last => (last === '3' ? '4' : '3'))
  const [january, december] = [`${lastYear}-01-15`, `${lastYear}-12-30`]
  const zip = buildZip([
    {
      name: '01.xml',
      content: buildStatement([
        { amount: '50.00', text: exact.reference, name: 'Anna Genau', bookedOn: january, bankReference: 'Z1' },
        { amount: '40.00', text: short.reference, name: 'Bernd Knapp', bookedOn: january, bankReference: 'Z2' },
        { amount: '70.00', text: wrong, name: 'C Tippfehler', bookedOn: january, bankReference: 'Z3' }
      ])
    },
    {
      name: '12.xml',
      content: buildStatement([
        {
          amount: '25.00',
          text: 'Alles Gute',
          name: 'Frieda Unbekannt',
          iban: 'DE02120300000000202051',
          bookedOn: december,
          bankReference: 'Z4'
        },
        {
          amount: '75.00',
          text: `${one.reference} und ${other.reference}`,
          name: 'Familie Doppel',
          bookedOn: december,
          bankReference: 'Z5'
        }
      ])
    }
  ])
  const browser = await site.open({ language: 'de' })
  const page = await browser.newPage()
  await signIn(page)
  await page.goto('/admin/statements')
  await page.setInputFiles('input[type=file]', { name: 'Auszüge.zip', mimeType: 'application/zip', buffer: zip })
  await page.getByRole('button', { name: 'Hochladen und zuordnen' }).click()
  await page.getByText('Importierte Umsätze: 5. Verbucht: 1. Zu entscheiden: 4.').waitFor()

  // One click each.
  await book(page, 'Bernd Knapp', /40,00 € von 100,00 € annehmen/)
  await book(page, 'C Tippfehler', /Bestätigen/)
  await book(page, 'Familie Doppel', /Für diese 2 Spenden verbuchen/)
  await page.goto(`${new URL(page.url()).pathname}?result=unmatched`)
  const unknown = page.locator('.entry', { hasText: 'Frieda Unbekannt' })
  await unknown.getByRole('button', { name: 'Spende anlegen' }).click()
  await page.getByText(/25,00\s€ als neue Spende .* verbucht/).waitFor()

  const { body: campaign } = await site.admin.get(`/campaigns/${id}`)
  assert.deepEqual([campaign.amountTransferred, campaign.amountDonatedSoFar], [260, 260])

  const rows = await readJournal(page)
  assert.deepEqual(
    rows.map(row => [row.Tag, row.Eingegangen, row.Zugesagt, row.Name, row.Zahlungsart]),
    [
      [`15.01.${lastYear}`, '50,00', '50,00', 'Anna Genau', 'Überweisung'],
      [`15.01.${lastYear}`, '40,00', '100,00', 'Bernd Knapp', 'Überweisung'],
      [`15.01.${lastYear}`, '70,00', '70,00', 'Clara Tippfehler', 'Überweisung'],
      [`30.12.${lastYear}`, '25,00', '25,00', 'Frieda Unbekannt', 'Überweisung'],
      [`30.12.${lastYear}`, '30,00', '30,00', 'Doro Doppel', 'Überweisung'],
      [`30.12.${lastYear}`, '45,00', '45,00', 'Egon Doppel', 'Überweisung']
    ].sort(([day, , , name], [otherDay, , , otherName]) =>
      `${day?.slice(3, 5)} ${name}` < `${otherDay?.slice(3, 5)} ${otherName}` ? -1 : 1
    )
  )

  const text = await issueYear(page)
  for (const piece of [
    'Bernd Knapp',
    '40,00',
    'vierzig Euro',
    `15.01.${lastYear}`,
    'Doro Doppel',
    'dreißig Euro',
    `30.12.${lastYear}`,
    'Wir fördern nach unserer Satzung die Jugendhilfe'
  ]) {
    assert.ok(text.includes(piece), `“${piece}” is missing in: ${text}`)
  }
  assert.ok(!text.includes('einhundert Euro'), text)
  await browser.close()
})

async function signIn(page: Page): Promise<void> {
  const email = 'kasse@example.org'
  await site?.admin.post('/users', { name: 'Käthe Bürkle', email, role: 'treasurer', language: 'de', password })
  await page.goto('/admin')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(email)
  await page.getByLabel(/^Passwort/).fill(password)
  await page.getByRole('button', { name: /^Anmelden/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
}

/** Clicks the button that books the payment of a payer. */
async function book(page: Page, payer: string, button: RegExp): Promise<void> {
  const entry = page.locator('.entry', { hasText: payer })
  await entry.getByRole('button', { name: button }).first().click()
  await page.locator('.notice', { hasText: 'verbucht' }).first().waitFor()
}

async function readJournal(page: Page): Promise<Record<string, string>[]> {
  await page.goto(`/admin/journal?year=${lastYear}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Journal herunterladen (CSV)' }).click()
  ])
  const text = await readFile(await download.path(), 'utf8')
  assert.ok(text.startsWith('\ufeff'), 'German spreadsheets need a byte order mark')
  const rows = parse(text.slice(1), { delimiter: ';', columns: true }) as Record<string, string>[]
  return rows.sort((one, other) =>
    `${one.Tag?.slice(3, 5)} ${one.Name}` < `${other.Tag?.slice(3, 5)} ${other.Name}` ? -1 : 1
  )
}

/** Checks the preview of the receipt run, issues the receipts, and reads the PDF for printing. */
async function issueYear(page: Page): Promise<string> {
  assert.ok(site !== undefined)
  await page.goto('/admin/receipts')
  await page.locator('select[name=runYear]').selectOption(String(lastYear))
  await page.getByRole('button', { name: 'Vorschau anzeigen' }).click()
  await page.getByText('Noch ist nichts ausgestellt').waitFor()
  const preview = await page.locator('main').innerText()
  assert.match(preview, /Bernd Knapp[\s\S]*40,00/)
  assert.match(preview, /Frieda Unbekannt[\s\S]*keine gewünscht/)
  await page.getByRole('button', { name: 'Bestätigungen ausstellen' }).click()
  await processRuns(site.store, site.settings)
  const { body: runs } = await site.admin.get('/receipt-runs')
  assert.deepEqual([runs[0].status, runs[0].issued], ['done', 5])
  await page.goto('/admin/receipts')
  const year = new Date().getFullYear()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `PDF zum Drucken (${year})` }).click()
  ])
  const { text } = await extractText(new Uint8Array(await readFile(await download.path())), { mergePages: true })
  return text.replace(/\s+/g, ' ')
}
