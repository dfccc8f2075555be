// What tests of receipts begin with: an organisation that can issue them, donors that they can name, and the text of a file.
import { extractText, getDocumentProxy } from 'unpdf'
import type { Server } from '#platform/server.ts'

/** All that a receipt needs of an organisation. */
export const organisation = {
  legalName: 'Förderverein der Musikschule Köln-Süd e. V.',
  address: { street: 'Große Straße 5', postalCode: '50678', city: 'Köln', country: 'DE' },
  taxOffice: 'Köln-Süd',
  taxNumber: '219/5880/1234',
  exemption: { kind: 'notice', date: `${new Date().getFullYear() - 1}-05-12`, period: '2021 bis 2023' },
  purposes: 'der Jugendhilfe',
  signatory: 'Jürgen Weiß',
  signatoryRole: 'Schatzmeister',
  receiptPrefix: 'FMK'
}

/** A donor whom a receipt can name. */
export const donor = {
  donorName: 'Zoë Ångström-Müller',
  email: 'zoe@example.org',
  address: { street: 'Übergasse 7', postalCode: '10115', city: 'Berlin', country: 'DE' }
}

/** A picture of a signature: a grey square. */
export const signature =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR4nGNogAIGyhgAgIQgAQ2AJGEAAAAASUVORK5CYII='

/** A file as it came, byte by byte. */
export async function downloadFile({ app }: Pick<Server, 'app'>, url: string, key: string | undefined) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { statusCode, rawPayload, headers: given } = await app.inject({ url, headers })
  return { status: statusCode, bytes: rawPayload, headers: given }
}

/** The text of a PDF file, page by page, each on one line. */
export async function readPdfPages(bytes: Buffer): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(document, { mergePages: false })
  return text.map(page => page.replace(/\s+/g, ' '))
}
