import { sanitize } from './html.ts'
import { countPieces } from './markup-budget.ts'
import { addParagraphs } from './paragraphs.ts'
import { hasWorker, sanitizeInWorker } from './sanitize-in-worker.ts'

/** Sanitizing this many tags, attributes and entities blocks the event loop for at most about 25 ms. */
export const mainThreadPiecesMax = 1000

/** HTML as stored and returned: sanitized by the one policy for all roles, and split into paragraphs. */
export async function toRichText(html: string): Promise<string> {
  return addParagraphs(await sanitizeHtml(html))
}

export async function sanitizeHtml(html: string): Promise<string> {
  return hasWorker && countPieces(html) > mainThreadPiecesMax ? await sanitizeInWorker(html) : sanitize(html)
}

/** The text to store after an update: a client that sends back the text it read leaves it unchanged byte for byte. */
export async function toRichTextIfChanged(given: string | undefined, before = ''): Promise<string> {
  return given === undefined || given === before ? before : await toRichText(given)
}
