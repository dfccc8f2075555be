import { cleanReference, toBic, toIban } from './values.ts'
import { collapseWhitespace } from './xml-node.ts'

/** The fields of the text in which German banks put everything about a payment. */
export interface PaymentText {
  /** The text before the first tag: the bank's booking type, or the payer's text. */
  before: string
  /** The payer's text, and everything else that belongs to no field. */
  text: string
  name: string | null
  endToEndId: string | null
  mandateReference: string | null
  /** The reference of a file with several orders. */
  customerReference: string | null
  iban: string | null
  bic: string | null
  /** The original amount and the return charges, as written, such as `25,00`. */
  originalAmount: string | null
  charges: string | null
  hasTags: boolean
}

/** `EREF+` often follows the preceding text without a space. */
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

/** The maximum length of a SEPA id; a longer value contains more than the id. */
const idLengthMax = 35

/**
 * Splits `EREF+12 MREF+34SVWZ+Spende` (MT940, Sparkassen), `Spende EREF: 12` (Volksbanken), `End-to-End-Ref.: 12`
 * (Commerzbank) and `Auftraggeber: Ada Buchungstext: Spende` (comdirect). Nothing is lost: text outside the fields
 * stays in the text, because a donation reference can be anywhere.
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

/** Names and ids can contain spaces; after a colon, and in other fields, only the first word surely belongs. */
function isWhole(tag: string, value: string, isColon: boolean): boolean {
  if (tag === 'name' || tag === 'ABWA' || tag === 'ABWE') return true
  if (tag === 'IBAN') return toIban(value) !== null
  return !isColon && value.length <= idLengthMax && ['EREF', 'KREF', 'MREF'].includes(tag)
}
