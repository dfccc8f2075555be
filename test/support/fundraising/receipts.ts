// For tests of receipts: an organisation that can issue them, a donor with name and address, and functions to read files.
import { extractText, getDocumentProxy } from 'unpdf'
import type { Server } from '#platform/server.ts'

/** All fields of an organisation that a receipt needs. */
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

/** A donor with the name and address that a receipt needs. */
export const donor = {
  donorName: 'Zoë Ångström-Müller',
  email: 'zoe@example.org',
  address: { street: 'Übergasse 7', postalCode: '10115', city: 'Berlin', country: 'DE' }
}

/** The image of a signature: a grey square. */
export const signature =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR4nGNogAIGyhgAgIQgAQ2AJGEAAAAASUVORK5CYII='

/** Downloads a file as bytes. */
export async function downloadFile({ app }: Pick<Server, 'app'>, url: string, key: string | undefined) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { statusCode, rawPayload, headers: responseHeaders } = await app.inject({ url, headers })
  return { status: statusCode, bytes: rawPayload, headers: responseHeaders }
}

/** The text of each page of a PDF file, on one line. */
export async function readPdfPages(bytes: Buffer): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(document, { mergePages: false })
  return text.map(page => page.replace(/\s+/g, ' '))
}
