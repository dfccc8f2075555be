import { addParagraphs, sanitize } from './html.ts'
import { countPieces } from './markup-budget.ts'
import { hasWorker, sanitizeInWorker } from './sanitize-in-worker.ts'

/** Cleaning so many tags, attributes and entities takes some 25 ms at most: longer nobody else should wait. */
export const mainThreadPiecesMax = 1000

/** HTML as it is stored and answered: cleaned by the one policy for everybody, and in paragraphs. */
export async function toRichText(html: string): Promise<string> {
  return addParagraphs(await sanitizeHtml(html))
}

export async function sanitizeHtml(html: string): Promise<string> {
  return hasWorker && countPieces(html) > mainThreadPiecesMax ? await sanitizeInWorker(html) : sanitize(html)
}

/** What is stored after a change: what is sent back as it was read stays letter by letter. */
export async function toRichTextIfChanged(given: string | undefined, before = ''): Promise<string> {
  return given === undefined || given === before ? before : await toRichText(given)
}
