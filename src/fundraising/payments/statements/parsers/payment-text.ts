import { cleanReference, toBic, toIban } from './values.ts'
import { collapseWhitespace } from './xml-node.ts'

/** What a text says in which German banks put everything about a payment. */
export interface PaymentText {
  /** What stands before the first tag: what the bank calls the booking, or what the payer wrote. */
  before: string
  /** What the payer wrote, and everything else that belongs to no field. */
  text: string
  name: string | null
  endToEndId: string | null
  mandateReference: string | null
  /** Of a file with several orders. */
  customerReference: string | null
  iban: string | null
  bic: string | null
  /** What had been collected, and what the banks took for returning it: as written, such as `25,00`. */
  originalAmount: string | null
  charges: string | null
  hasTags: boolean
}

/** `EREF+` is glued to what stands before it as often as not. */
const plusTags = 'EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP'
const colonTags: Record<string, string> = {
  EREF: 'EREF',
  KREF: 'KREF',
  MREF: 'MREF',
  CRED: 'CRED',
  SVWZ: 'SVWZ',
  ABWA: 'ABWA',
  IBAN: 'IBAN',
  BIC: 'BIC',
  MTLG: 'SVWZ',
  'End-to-End-Ref.': 'EREF',
  Mandatsref: 'MREF',
  'Mandatsref.': 'MREF',
  Mandatsreferenz: 'MREF',
  Kundenreferenz: 'KREF',
  'Gläubiger-ID': 'CRED',
  'Glaeubiger-ID': 'CRED',
  Auftraggeber: 'name',
  Buchungstext: 'SVWZ'
}
const colonNames = Object.keys(colonTags)
  .toSorted((one, other) => other.length - one.length)
  .map(name => name.replace('.', '\\.'))
  .join('|')
const tagForm = new RegExp(`(${plusTags})\\+|(?<![\\p{L}\\d])(${colonNames}): ?`, 'gu')

/** An id of SEPA has no more; what is longer has more in it than an id. */
const idLengthMax = 35

/**
 * Splits `EREF+12 MREF+34SVWZ+Spende` (MT940, Sparkassen), `Spende EREF: 12` (Volksbanken), `End-to-End-Ref.: 12` (Commerzbank) and
 * `Auftraggeber: Ada Buchungstext: Spende` (comdirect). Nothing is lost: what is no field stays in the text, as a reference is
 * looked for wherever somebody wrote it.
 */
export function splitPaymentText(given: string): PaymentText {
  const all = collapseWhitespace(given)
  const marks = [...all.matchAll(tagForm)]
  const before = all.slice(0, marks[0]?.index ?? all.length).trim()
  const fields = new Map<string, string>()
  const rest: string[] = []
  for (const [place, mark] of marks.entries()) {
    const value = all.slice(mark.index + mark[0].length, marks[place + 1]?.index ?? all.length).trim()
    const [plus, colon] = [mark[1], mark[2]]
    const tag = plus ?? colonTags[colon ?? ''] ?? ''
    if (tag === 'SVWZ') rest.push(value)
    else if (fields.has(tag)) rest.push(value)
    else keepField(tag, value, colon !== undefined)
  }

  function keepField(tag: string, value: string, isColon: boolean): void {
    const end = isWhole(tag, value, isColon) ? value.length : (/\s/.exec(value)?.index ?? value.length)
    fields.set(tag, value.slice(0, end))
    if (end < value.length) rest.push(value.slice(end).trim())
  }

  return {
    before,
    text: [before, ...rest].filter(part => part !== '').join(' '),
    name: fields.get('name') || fields.get('ABWA') || null,
    endToEndId: cleanReference(fields.get('EREF') || null),
    mandateReference: cleanReference(fields.get('MREF') || null),
    customerReference: cleanReference(fields.get('KREF') || null),
    iban: toIban(fields.get('IBAN') ?? null),
    bic: toBic(fields.get('BIC') ?? null),
    originalAmount: fields.get('OAMT') ?? null,
    charges: fields.get('COAM') ?? null,
    hasTags: marks.length > 0
  }
}

/** Names and ids may have blanks; behind a colon, and in everything else, only the first word is sure to belong to the field. */
function isWhole(tag: string, value: string, isColon: boolean): boolean {
  if (tag === 'name' || tag === 'ABWA' || tag === 'ABWE') return true
  if (tag === 'IBAN') return toIban(value) !== null
  return !isColon && value.length <= idLengthMax && ['EREF', 'KREF', 'MREF'].includes(tag)
}
