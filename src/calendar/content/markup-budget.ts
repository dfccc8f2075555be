import { countPieces, describeTooMuchMarkup, piecesMax } from '#platform/rich-text/markup-cost.ts'
import { newInvalidParamProblem } from '../contract/problems.ts'

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
  throw newInvalidParamProblem(longest.field, 'too-much-markup', describeTooMuchMarkup(pieces))
}

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
