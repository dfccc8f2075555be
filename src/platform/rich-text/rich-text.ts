import { type OwnHosts, sanitize } from './html.ts'
import { countPieces } from './markup-cost.ts'
import { addParagraphs } from './paragraphs.ts'
import { hasWorker, sanitizeInWorker } from './sanitize-in-worker.ts'

/** Sanitizing this many tags, attributes and entities blocks the event loop for at most about 25 ms. */
export const mainThreadPiecesMax = 1000

/** Where a text is written: on which site. */
export interface TextContext {
  site: { ownHosts: OwnHosts }
}

/** HTML as stored and returned: sanitized by the one policy for all roles, and split into paragraphs. */
export async function toRichText(context: TextContext, html: string): Promise<string> {
  return addParagraphs(await sanitizeHtml(context, html))
}

export async function sanitizeHtml({ site: { ownHosts } }: TextContext, html: string): Promise<string> {
  return hasWorker && countPieces(html) > mainThreadPiecesMax
    ? await sanitizeInWorker(html, ownHosts)
    : sanitize(html, ownHosts)
}

/** The text to store after an update: a client that sends back the text it read leaves it unchanged byte for byte. */
export async function toRichTextIfChanged(
  context: TextContext,
  given: string | undefined,
  before = ''
): Promise<string> {
  return given === undefined || given === before ? before : await toRichText(context, given)
}
