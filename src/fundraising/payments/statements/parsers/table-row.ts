import { addLine, problem } from './entry-problems.ts'
import { createParsedPayment, type EntryProblem, type ParsedPayment } from './parsed-entry.ts'
import { splitPaymentText } from './payment-text.ts'
import type { TableField } from './table-fields.ts'
import { parseAmount, parseTableDay, type SignedCents, type TableFormat } from './table-values.ts'
import { cleanReference, parseCurrency, returnCodePattern, toBic, toIban, truncate } from './values.ts'
import { collapseWhitespace } from './xml-node.ts'

export type Cells = Partial<Record<TableField, string>>

const pending = /vorgemerkt|vormerkung|pending|ausstehend|^offen$/i
const returned = /r(?:ü|ue)ck(?:lastschrift|gabe|belastung|(?:ü|ue)berweisung)|retoure|storno|returned|reversal/i
export function parseRow(cells: Cells, line: number, habits: TableFormat, currency: string): ParsedPayment {
  const problems: EntryProblem[] = []
  const money = parseSignedAmount(cells, habits)
  if ('code' in money) problems.push(money)
  const { cents, isNegative } = 'code' in money ? { cents: 0, isNegative: false } : money
  const isPending = [cells.status, cells.bookedOn, cells.type].some(cell => pending.test(cell ?? ''))
  const direction = isNegative ? 'out' : 'in'
  const tags = splitPaymentText(cells.text ?? '')
  const kind = `${cells.type ?? ''} ${tags.hasTags ? tags.before : ''}`
  const isReturn = returned.test(kind)
  const charges = isReturn && isNegative ? parseCharges(cells, habits, cents) : 0
  const party = isNegative ? (cells.payee ?? cells.payer) : (cells.payer ?? cells.payee)
  const name = collapseWhitespace(cells.name ?? party ?? '') || (tags.name ?? '')
  return {
    ...createParsedPayment(parseCurrency(cells.currency, currency)),
    account: toIban(cells.account ?? null),
    bankReference: cleanReference(cells.bankReference || null),
    bookedOn: parseDayCell(cells.bookedOn, habits, isPending ? [] : problems),
    valueOn: parseDayCell(cells.valueOn, habits, problems),
    amountCents: cents - charges,
    chargesCents: charges,
    direction,
    isReturn,
    returnReason: isReturn ? (returnCodePattern.exec(`${kind} ${tags.text}`)?.[0] ?? null) : null,
    isPending,
    endToEndId: cleanReference(collapseWhitespace(cells.endToEndId ?? '') || null) ?? tags.endToEndId,
    mandateReference: cleanReference(collapseWhitespace(cells.mandateReference ?? '') || null) ?? tags.mandateReference,
    paymentInformationId:
      cleanReference(collapseWhitespace(cells.paymentInformationId ?? '') || null) ?? tags.customerReference,
    text: truncate(tags.text, 1000),
    counterpartName: name === '' ? null : truncate(name, 140),
    counterpartIban: toIban(cells.iban || null) ?? tags.iban,
    counterpartBic: toBic(cells.bic ?? null) ?? tags.bic,
    problems: problems.map(one => addLine(line, one))
  }
}

/** For a row with an unclosed quote that contains the rest of the file. */
export function newBrokenRow(line: number, currency: string): ParsedPayment {
  return { ...createParsedPayment(currency), problems: [problem.quote(line)] }
}

/** A balance row, such as the last row of Postbank, which has the balance in a column of another field. */
export const isBalanceLine = ([first = '']: string[]) =>
  /^(?:(?:letzter|aktueller|alter|neuer) )?kontostand\b|^saldo\b/i.test(first.trim())

export const isBalance = (cell: string) =>
  /^\W{0,3}(?:anfangs|end)saldo$|^(?:alter|neuer) kontostand$/i.test(cell.trim())

/** Three layouts: one signed column, one with a debit/credit letter next to it, or one column per direction. */
function parseSignedAmount(cells: Cells, habits: TableFormat): SignedCents | EntryProblem {
  const amount = parseAmount(cells.amount ?? '', habits)
  if (amount !== undefined) {
    if ('code' in amount || (cells.direction ?? '') === '') return amount
    const word = (cells.direction ?? '').toLowerCase()
    if (/^(?:s|soll|d|dbit|debit|belastung|ausgang)$/.test(word)) return { ...amount, isNegative: true }
    return /^(?:h|haben|c|crdt|credit|gutschrift|eingang)$/.test(word) ? amount : problem.direction()
  }
  const credit = parseAmount(cells.credit ?? '', habits)
  const debit = parseAmount(cells.debit ?? '', habits)
  const isThere = (one: typeof debit) => one !== undefined && ('code' in one || one.cents > 0)
  if (isThere(credit) && isThere(debit)) return problem.direction()
  if (credit !== undefined && !isThere(debit)) return credit
  if (debit === undefined || 'code' in debit) return debit ?? problem.amount()
  return { ...debit, isNegative: true }
}

function parseDayCell(cell: string | undefined, habits: TableFormat, problems: EntryProblem[]): string | null {
  if (cell === undefined || cell === '') return null
  const day = parseTableDay(cell, habits)
  if (day === undefined) problems.push(problem.day())
  return day ?? null
}

/** The charges of a returned debit: as stated, or the amount booked in excess of the debit. */
function parseCharges(cells: Cells, habits: TableFormat, booked: number): number {
  const ordered = parseAmount(cells.ordered ?? '', habits)
  if (ordered !== undefined && 'cents' in ordered && ordered.cents > 0) return Math.max(0, booked - ordered.cents)
  const charges = parseAmount(cells.charges ?? '', habits)
  return charges !== undefined && 'cents' in charges && charges.cents < booked ? charges.cents : 0
}
