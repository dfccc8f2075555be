import { newInvalidParamProblem } from '../contract/problems.ts'

/** Sanitizing takes about 100 ms for 4,000 of the most expensive pieces. The longest real descriptions have 250. */
export const piecesMax = 4000
/** Plain text is cheap but not free: 400,000 characters cost as much as the whole budget. */
export const charactersPerPiece = 100

/** Used in the API documentation. */
export const markupRule = `All texts of a request have together at most ${piecesMax} tags, attributes, entities and line breaks; ${charactersPerPiece} characters count as one more.`

interface RichTexts {
  description?: string | undefined
  excerpt?: string | undefined
  /** Inline venues and organizers have fields; references to existing ones have only an id. */
  venue?: object[] | undefined
  organizer?: object[] | undefined
}

/** Runs before sanitizing: rejects texts that together would take too long. */
export function requireMarkupBudget(...things: RichTexts[]): void {
  const texts = things.flatMap(listTexts)
  const pieces = texts.reduce((sum, { html }) => sum + countPieces(html), 0)
  if (pieces <= piecesMax) return
  const longest = texts.reduce((most, text) => (countPieces(text.html) > countPieces(most.html) ? text : most))
  throw newInvalidParamProblem(longest.field, 'too-much-markup', {
    en: `has too much markup: all texts together may have ${piecesMax} tags, attributes, entities and line breaks (${charactersPerPiece} characters count as one), and have ${pieces}`,
    de: `hat zu viele Auszeichnungen: Alle Texte zusammen dürfen ${piecesMax} Tags, Attribute, Entitäten und Zeilenumbrüche haben (${charactersPerPiece} Zeichen zählen als eines) und haben ${pieces}`
  })
}

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

interface RichText {
  field: string
  html: string
}

function listTexts({ description, excerpt, venue = [], organizer = [] }: RichTexts): RichText[] {
  return [
    ...toField('description', description),
    ...toField('excerpt', excerpt),
    ...venue.flatMap(link => toField('venue', findDescription(link))),
    ...organizer.flatMap(link => toField('organizer', findDescription(link)))
  ]
}

const toField = (field: string, html: string | undefined): RichText[] => (html === undefined ? [] : [{ field, html }])

function findDescription(link: { fields?: { description?: string } }): string | undefined {
  return link.fields?.description
}
