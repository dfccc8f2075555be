import type { Payment } from './booking.ts'
import type { EntryProblem } from './entry.ts'
import { inOneLine } from './node.ts'
import { inLine, problem } from './problems.ts'
import type { TableField } from './table-fields.ts'
import { type Habits, readAmount, readTableDay, type SignedCents } from './table-values.ts'
import { bic, currencyOf, iban, reference, short } from './values.ts'

export type Cells = Partial<Record<TableField, string>>

const pending = /vorgemerkt|vormerkung|pending|ausstehend|^offen$/i
const returned = /r(?:ü|ue)ck(?:lastschrift|gabe|belastung|(?:ü|ue)berweisung)|retoure|storno|returned|reversal/i
/** Why banks send payments back, as far as the codes of SEPA say it. */
const reasonForm =
  /\b(?:AC0[1346]|AC13|AG0[12]|AM0[45]|BE0[15]|CNOR|DNOR|FF0[15]|FOCR|MD0[1267]|MS0[23]|RC01|RR0[1-4]|SL01|TM01)\b/

export function readRow(cells: Cells, line: number, habits: Habits, currency: string): Payment {
  const problems: EntryProblem[] = []
  const money = signedAmount(cells, habits)
  if ('code' in money) problems.push(money)
  const { cents, isNegative } = 'code' in money ? { cents: 0, isNegative: false } : money
  const isPending = [cells.status, cells.bookedOn, cells.type].some(cell => pending.test(cell ?? ''))
  const direction = isNegative ? 'out' : 'in'
  const tags = tagsIn(inOneLine(cells.text ?? ''))
  const kind = `${cells.type ?? ''} ${tags.kind}`
  const isReturn = returned.test(kind)
  const charges = isReturn && isNegative ? chargesIn(cells, habits, cents) : 0
  const party = isNegative ? (cells.payee ?? cells.payer) : (cells.payer ?? cells.payee)
  const name = inOneLine(cells.name ?? party ?? '') || tags.name
  return {
    ...emptyPayment(currencyOf(cells.currency, currency)),
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
    endToEndId: reference(inOneLine(cells.endToEndId ?? '') || tags.endToEndId),
    mandateReference: reference(inOneLine(cells.mandateReference ?? '') || tags.mandateReference),
    text: short(tags.text, 1000),
    counterpartName: name === '' ? null : short(name, 140),
    counterpartIban: iban(cells.iban || tags.iban),
    counterpartBic: bic(cells.bic ?? null),
    problems: problems.map(one => inLine(line, one))
  }
}

/** A row that swallowed the rest of the file. */
export function brokenRow(line: number, currency: string): Payment {
  return { ...emptyPayment(currency), problems: [problem.quote(line)] }
}

export const isBalance = (cell: string) =>
  /^\W{0,3}(?:anfangs|end)saldo$|^(?:alter|neuer) kontostand$/i.test(cell.trim())

function emptyPayment(currency: string): Payment {
  return {
    account: null,
    bankReference: null,
    bookedOn: null,
    valueOn: null,
    amountCents: 0,
    chargesCents: 0,
    currency,
    direction: 'in',
    isReturn: false,
    returnReason: null,
    isPending: false,
    endToEndId: null,
    mandateReference: null,
    text: '',
    counterpartName: null,
    counterpartIban: null,
    counterpartBic: null,
    problems: []
  }
}

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

interface Tags {
  /** What the bank calls the booking, where that stands in the text. */
  kind: string
  text: string
  name: string
  endToEndId: string | null
  mandateReference: string | null
  iban: string | null
}

const tagForm = /\b(EREF|KREF|MREF|CRED|SVWZ|ABWA|ABWE|IBAN|BIC|Auftraggeber|Buchungstext)(?:\+|: ?)/g

/** Some banks put everything into one text: `EREF+12 SVWZ+Spende`, `Auftraggeber: Ada Buchungstext: Spende`. */
function tagsIn(text: string): Tags {
  const marks = [...text.matchAll(tagForm)]
  const found = new Map<string, string>()
  for (const [place, mark] of marks.entries()) {
    const value = text.slice(mark.index + mark[0].length, marks[place + 1]?.index ?? text.length).trim()
    if (!found.has(mark[1] ?? '')) found.set(mark[1] ?? '', value)
  }
  const first = text.slice(0, marks[0]?.index ?? text.length).trim()
  return {
    kind: found.size === 0 ? '' : first,
    // Everything stays in the text: a reference is looked for wherever somebody wrote it.
    text,
    name: found.get('Auftraggeber') ?? '',
    endToEndId: found.get('EREF') ?? null,
    mandateReference: found.get('MREF') ?? null,
    iban: found.get('IBAN') ?? null
  }
}
