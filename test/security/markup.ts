// How long other requests wait while one text is sanitized: a long text goes to a worker, so this measures the longest that does not.
// Measured against plain links in the same run.
import fc from 'fast-check'
import { sanitize, toMultilineText } from '#platform/rich-text/html.ts'
import { countPieces, piecesMax } from '#platform/rich-text/markup-cost.ts'
import { addParagraphs } from '#platform/rich-text/paragraphs.ts'
import { mainThreadPiecesMax } from '#platform/rich-text/rich-text.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'

/** Work for generated markup, in multiples of the same budget spent on links. */
const ratioMax = 6

/** Processor time of this process: other programs on the machine do not count. */
function measureMs(html: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    toMultilineText(addParagraphs(sanitize(html)))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

export const markupPiece = fc.constantFrom(
  ...['<p>', '</p>', '<b>', '</b>', '<div>', '</div>', '<a href=x>', '<a href="https://e.org/?a=1&b=2" target=_blank>'],
  ...[
    '</a>',
    '<ul>',
    '<li>',
    '</ul>',
    '<dd>',
    '<dt>',
    '<table><tr><td>',
    '</table>',
    '<pre>',
    '<br>',
    '<img src=x alt=y>'
  ],
  ...['&amp;', '&', '&#x3c;', '<', '>', '<!--', '-->', '<script>', '</script>', '<![CDATA[', ']]>', '<foo a=b c="d">'],
  ...['\n', '\n\n', ' ', '\t', '"', "'", '=', 'x', 'word ', 'é', '\u00a0', '<span title="', '<figcaption>', '<title>']
)

/** As much of the unit as the budget allows, or as is sanitized without a worker. */
export function fillBudget(unit: string, pieces = piecesMax): string {
  const html = unit.repeat(Math.max(1, Math.floor(pieces / Math.max(countPieces(unit.repeat(100)) / 100, 0.01))))
  return countPieces(html) <= pieces ? html.slice(0, 100 * pieces) : ''
}

export async function checkMarkup({ seed, cases }: Effort): Promise<Finding[]> {
  const reference = fillBudget('<a href=x>y</a>', mainThreadPiecesMax)
  measureMs(reference)
  const limit = measureMs(reference) * ratioMax
  let most = 0
  let worst = ''
  const pieces = fc.array(markupPiece, { minLength: 1, maxLength: 8 })
  for (const unit of fc.sample(pieces, { seed, numRuns: cases }).map(parts => parts.join(''))) {
    const workMs = measureMs(fillBudget(unit, mainThreadPiecesMax))
    if (workMs > most) [most, worst] = [workMs, unit]
  }
  const measured = `${cases} texts: ${most.toFixed(0)} ms of work at most, for ${JSON.stringify(worst)}`
  const faults = most > limit ? [`${JSON.stringify(worst)} takes ${most.toFixed(0)} ms (seed ${seed})`] : []
  return [toFinding('markup', measured, `${ratioMax} times as many links: ${limit.toFixed(0)} ms`, faults)]
}
