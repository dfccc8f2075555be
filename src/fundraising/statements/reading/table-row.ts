import { createPayment, type EntryProblem, type Payment } from './entry.ts'
import { inOneLine } from './node.ts'
import { splitPaymentText } from './payment-text.ts'
import { atLine, problem } from './problems.ts'
import type { TableField } from './table-fields.ts'
import { type Habits, readAmount, readTableDay, type SignedCents } from './table-values.ts'
import { bic, currencyOf, iban, reasonForm, reference, short } from './values.ts'

export type Cells = Partial<Record<TableField, string>>

const pending = /vorgemerkt|vormerkung|pending|ausstehend|^offen$/i
const returned = /r(?:ü|ue)ck(?:lastschrift|gabe|belastung|(?:ü|ue)berweisung)|retoure|storno|returned|reversal/i
export function readRow(cells: Cells, line: number, habits: Habits, currency: string): Payment {
  const problems: EntryProblem[] = []
  const money = signedAmount(cells, habits)
  if ('code' in money) problems.push(money)
  const { cents, isNegative } = 'code' in money ? { cents: 0, isNegative: false } : money
  const isPending = [cells.status, cells.bookedOn, cells.type].some(cell => pending.test(cell ?? ''))
  const direction = isNegative ? 'out' : 'in'
  const tags = splitPaymentText(cells.text ?? '')
  const kind = `${cells.type ?? ''} ${tags.hasTags ? tags.before : ''}`
  const isReturn = returned.test(kind)
  const charges = isReturn && isNegative ? chargesIn(cells, habits, cents) : 0
  const party = isNegative ? (cells.payee ?? cells.payer) : (cells.payer ?? cells.payee)
  const name = inOneLine(cells.name ?? party ?? '') || (tags.name ?? '')
  return {
    ...createPayment(currencyOf(cells.currency, currency)),
    account: iban(cells.account ?? null),
    bankReference: reference(cells.bankReference || null),
    bookedOn: dayIn(cells.bookedOn, habits, isPending ? [] : problems),
    valueOn: dayIn(cells.valueOn, habits, problems),
    amountCents: cents - charges,
    chargesCents: charges,
    direction,
    isReturn,
    returnReason: isReturn ? (reasonForm.exec(`${kind} ${tags.text}`)?.[0] ?? null) : null,
    isPending,
    endToEndId: reference(inOneLine(cells.endToEndId ?? '') || null) ?? tags.endToEndId,
    mandateReference: reference(inOneLine(cells.mandateReference ?? '') || null) ?? tags.mandateReference,
    paymentInformationId: reference(inOneLine(cells.paymentInformationId ?? '') || null) ?? tags.customerReference,
    text: short(tags.text, 1000),
    counterpartName: name === '' ? null : short(name, 140),
    counterpartIban: iban(cells.iban || null) ?? tags.iban,
    counterpartBic: bic(cells.bic ?? null) ?? tags.bic,
    problems: problems.map(one => atLine(line, one))
  }
}

/** A row that swallowed the rest of the file. */
export function brokenRow(line: number, currency: string): Payment {
  return { ...createPayment(currency), problems: [problem.quote(line)] }
}

/** A row that begins with the word, as the last one of Postbank: its figure stands in the column of something else. */
export const isBalanceLine = ([first = '']: string[]) =>
  /^(?:(?:letzter|aktueller|alter|neuer) )?kontostand\b|^saldo\b/i.test(first.trim())

export const isBalance = (cell: string) =>
  /^\W{0,3}(?:anfangs|end)saldo$|^(?:alter|neuer) kontostand$/i.test(cell.trim())

/** One column with a sign, one with a letter beside it, or one for each direction. */
function signedAmount(cells: Cells, habits: Habits): SignedCents | EntryProblem {
  const amount = readAmount(cells.amount ?? '', habits)
  if (amount !== undefined) {
    if ('code' in amount || (cells.direction ?? '') === '') return amount
    const word = (cells.direction ?? '').toLowerCase()
    if (/^(?:s|soll|d|dbit|debit|belastung|ausgang)$/.test(word)) return { ...amount, isNegative: true }
    return /^(?:h|haben|c|crdt|credit|gutschrift|eingang)$/.test(word) ? amount : problem.direction()
  }
  const credit = readAmount(cells.credit ?? '', habits)
  const debit = readAmount(cells.debit ?? '', habits)
  const isThere = (one: typeof debit) => one !== undefined && ('code' in one || one.cents > 0)
  if (isThere(credit) && isThere(debit)) return problem.direction()
  if (credit !== undefined && !isThere(debit)) return credit
  if (debit === undefined || 'code' in debit) return debit ?? problem.amount()
  return { ...debit, isNegative: true }
}

function dayIn(cell: string | undefined, habits: Habits, problems: EntryProblem[]): string | null {
  if (cell === undefined || cell === '') return null
  const day = readTableDay(cell, habits)
  if (day === undefined) problems.push(problem.day())
  return day ?? null
}

/** What the banks took for a returned debit: told, or what was booked beyond the debit. */
function chargesIn(cells: Cells, habits: Habits, booked: number): number {
  const ordered = readAmount(cells.ordered ?? '', habits)
  if (ordered !== undefined && 'cents' in ordered && ordered.cents > 0) return Math.max(0, booked - ordered.cents)
  const charges = readAmount(cells.charges ?? '', habits)
  return charges !== undefined && 'cents' in charges && charges.cents < booked ? charges.cents : 0
}
