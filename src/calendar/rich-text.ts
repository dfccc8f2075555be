import { cleanInWorker, hasWorker } from './clean-in-worker.ts'
import { sanitized, withParagraphs } from './html.ts'
import { countPieces } from './markup-budget.ts'

/** Cleaning so many tags, attributes and entities takes some 25 ms at most: longer nobody else should wait. */
export const piecesHereMax = 1000

/** HTML as it is stored and answered: cleaned by the one policy for everybody, and in paragraphs. */
export async function richText(html: string): Promise<string> {
  return withParagraphs(await cleanHtml(html))
}

export async function cleanHtml(html: string): Promise<string> {
  return hasWorker && countPieces(html) > piecesHereMax ? await cleanInWorker(html) : sanitized(html)
}

/** What is stored after a change: what is sent back as it was read stays letter by letter. */
export async function richTextAfter(given: string | undefined, before = ''): Promise<string> {
  return given === undefined || given === before ? before : await richText(given)
}
