import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDocumentProxy } from 'unpdf'
import { listUnprintable } from '#platform/images/fonts.ts'
import { skipUnlessFull } from '#test/support/full-run.ts'
import { readPdfPages, signature } from '#test/support/fundraising/receipts.ts'
import type { ReceiptContent } from '../content.ts'
import { buildReceiptPdf } from './receipt-pdf.ts'

const address = { street: 'Große Straße 5', postalCode: '50678', city: 'Köln', country: 'DE' }
const content: ReceiptContent = {
  number: 'FMK-2026-000123',
  kind: 'single',
  language: 'de',
  issuedOn: '2026-11-15',
  issuedAt: '2026-11-15T10:00:00.000Z',
  currency: 'EUR',
  amountCents: 25_010,
  issuer: {
    legalName: 'Verein e. V.',
    address,
    taxOffice: 'Köln',
    taxNumber: '1/2',
    exemption: { kind: 'provisional', date: '2025-05-12', period: null },
    purposes: 'der Jugendhilfe',
    promotes: 'die Jugendhilfe',
    signatory: 'Jürgen Weiß',
    signatoryRole: '',
    taxOfficeInformedOn: null,
    signature: null
  },
  donor: { name: 'Zoë Łukasiewicz-Παππά Иванова', address },
  period: { from: '2026-03-04', to: '2026-03-04' },
  donations: [],
  replaces: null
}
const repeatToLength = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const signatureImage = Buffer.from(signature, 'base64')

test('the same content gives the same PDF file, which is tagged and has its language', async () => {
  const file = await buildReceiptPdf(content, { signature: signatureImage })
  assert.ok(file.equals(await buildReceiptPdf(content, { signature: signatureImage })))
  const text = file.toString('latin1')
  assert.match(text, /\/Lang \(de\)/)
  assert.match(text, /\/Marked true/)
  assert.match(text, /\/StructTreeRoot/)
  for (const tag of ['H1', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'])
    assert.match(text, new RegExp(`/S /${tag}\\b`), tag)
  assert.match(text, /pdfuaid:part/)
  assert.doesNotMatch(text, /Helvetica/, 'all fonts are embedded')
  const [page = ''] = await readPdfPages(file)
  assert.ok(page.includes(content.donor.name), page)
  assert.match(
    page,
    /Bescheid vom 12\.05\.2025 nach § 60a AO gesondert festgestellt\. Wir fördern nach unserer Satzung die Jugendhilfe\./
  )
})

test('the official form fits on one page, even with the longest values', { skip: skipUnlessFull }, async () => {
  const longAddress = {
    street: repeatToLength('Straße ', 140),
    postalCode: repeatToLength('M', 60),
    city: repeatToLength('Ort ', 140),
    country: 'AT'
  }
  const issuer = {
    ...content.issuer,
    ...{
      legalName: repeatToLength('W', 140),
      address: longAddress,
      taxOffice: repeatToLength('Amt ', 100),
      taxNumber: repeatToLength('1/', 100)
    },
    ...{
      purposes: repeatToLength('der Förderung ', 300),
      signatory: repeatToLength('W', 140),
      signatoryRole: repeatToLength('Amt ', 140)
    },
    taxOfficeInformedOn: '2026-01-01'
  }
  const donor = { name: repeatToLength('W', 140), address: longAddress }
  const longest = { ...content, issuer, donor, amountCents: 99_999_999_999, replaces: 'FMK-2026-000001' }
  for (const kind of ['single', 'collective'] as const) {
    const pages = await readPdfPages(
      await buildReceiptPdf({ ...longest, kind }, { isCopy: true, signature: signatureImage })
    )
    assert.equal(pages.length, kind === 'single' ? 1 : 2)
    assert.ok(pages[0]?.endsWith('(§ 63 Abs. 5 AO).'), pages[0])
  }
})

test('the annex of a collective receipt continues over pages and contains every donation', async () => {
  const donations = Array.from({ length: 100 }, (_, index) => ({
    ...{ campaignId: 1, id: '', reference: '', receivedOn: '2026-03-04' },
    amountCents: 1000 + index
  }))
  const pages = await readPdfPages(
    await buildReceiptPdf({ ...content, kind: 'collective', donations }, { signature: undefined })
  )
  assert.ok(pages.length > 3)
  const annex = pages.slice(1).join(' ')
  for (const { amountCents } of donations) {
    assert.ok(annex.includes(`${(amountCents / 100).toFixed(2).replace('.', ',')} €`), String(amountCents))
  }
})

test('characters without a glyph are listed', () => {
  assert.deepEqual(listUnprintable('Zoë Łukasiewicz Ελένη Иван Nguyễn'), [])
  assert.deepEqual(listUnprintable('王 😀 王'), ['王', '😀'])
})

test('the window of an envelope shows name and address of the donor and the sender, and no other text', async () => {
  const repeatToLength = {
    name: 'Prof. Dr. Dr. h. c. Friederike-Charlotte Freifrau von und zu Hohenstein-Wolkenburg',
    address: { ...address, street: 'An der alten Ziegelei hinter dem Kloster Sankt Maximilian 123a', country: 'AT' }
  }
  for (const language of ['de', 'en'] as const) {
    for (const donor of [content.donor, repeatToLength]) {
      const file = await buildReceiptPdf({ ...content, language, donor }, { signature: undefined })
      const inWindow = (await readTexts(file)).filter(({ fromTop }) => fromTop > 45 && fromTop <= 90)
      const text = inWindow.map(one => one.text).join(' ')
      for (const part of [...donor.name.split(' '), donor.address.city])
        assert.ok(text.includes(part), `${part}: ${text}`)
      assert.doesNotMatch(text, /Bestätigung|Betrag|We confirm/)
      for (const one of inWindow) assert.ok(one.fromLeft >= 20 && one.fromLeft + one.width <= 110, JSON.stringify(one))
    }
  }
})

/** The texts of the first page with their positions in millimetres. */
async function readTexts(file: Buffer): Promise<{ text: string; fromTop: number; fromLeft: number; width: number }[]> {
  const page = await (await getDocumentProxy(new Uint8Array(file))).getPage(1)
  const { items } = await page.getTextContent()
  const mm = 25.4 / 72
  return (items as { str: string; transform: number[]; width: number }[]).flatMap(item =>
    item.str.trim() !== ''
      ? [
          {
            text: item.str,
            fromTop: 297 - (item.transform[5] ?? 0) * mm,
            fromLeft: (item.transform[4] ?? 0) * mm,
            width: item.width * mm
          }
        ]
      : []
  )
}
