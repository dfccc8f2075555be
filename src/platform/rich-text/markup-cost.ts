import type { Text } from '../language.ts'
import { buildText } from '../messages/messages.ts'

/** Sanitizing takes about 100 ms for 4,000 of the most expensive pieces. The longest real descriptions have 250. */
export const piecesMax = 4000
/** Plain text is cheap but not free: 400,000 characters cost as much as the whole budget. */
export const charactersPerPiece = 100

/** Used in the API documentation. */
export const markupRule = `All texts of a request have together at most ${piecesMax} tags, attributes, entities and line breaks; ${charactersPerPiece} characters count as one more.`

/** Estimates the sanitizing cost of a text in a single scan. */
export function countPieces(html: string): number {
  let pieces = 0
  for (let at = 0; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === lessThan || code === ampersand || code === equals || code === lineFeed || code === carriageReturn) {
      pieces += 1
    }
  }
  return pieces + Math.floor(html.length / charactersPerPiece)
}

const [lineFeed, carriageReturn, ampersand, lessThan, equals] = [0x0a, 0x0d, 0x26, 0x3c, 0x3d]

/** The message about a field whose texts have more pieces than can be sanitized in time. */
export function describeTooMuchMarkup(pieces: number): Text {
  return buildText('page-problems', 'tooMuchMarkup', { piecesMax, charactersPerPiece, pieces })
}
