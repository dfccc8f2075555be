import { joinLines } from './camt-transaction.ts'
import { splitPaymentText } from './payment-text.ts'
import { buildGermanIban, cleanReference, returnCodePattern, toBic, toIban } from './values.ts'
import { collapseWhitespace } from './xml-node.ts'

/** The content of field 86 of a transaction. */
export interface Details {
  /** The German transaction code; '' elsewhere. */
  number: string
  text: string
  name: string | null
  iban: string | null
  bic: string | null
  endToEndId: string | null
  mandateReference: string | null
  customerReference: string | null
  returnReason: string | null
  originalAmount: string | null
  charges: string | null
}

/** The line length of the field; a line one character shorter has lost its trailing space. */
const lineLength = 65

export function parseDetails(lines: string[]): Details {
  const whole = lines
    .map((line, place) => (line.length === lineLength - 1 && place < lines.length - 1 ? `${line} ` : line))
    .join('')
  const [, number, separator] = /^(\d{3})([^\w\s])(?=\d\d)/.exec(whole) ?? []
  if (number !== undefined && separator !== undefined) return parseGerman(number, whole.slice(3), separator)
  const text = joinLines(lines)
  return /^\/[A-Z]{3,4}\//.test(text) ? parseSlashed(text) : parsePlain(text)
}

/** Subfield codes ascend, so a question mark within the text does not start a subfield. */
function parseSubfields(text: string, separator: string): Map<number, string> {
  const found = new Map<number, string>()
  let last = -1
  for (const piece of text.split(separator)) {
    const code = /^\d\d/.test(piece) ? Number(piece.slice(0, 2)) : -1
    const isNext = code > last && (code === 0 || code === 10 || (code >= 20 && code <= 34) || code >= 60)
    if (isNext) {
      found.set(code, piece.slice(2))
      last = code
    } else if (last >= 0) found.set(last, `${found.get(last)}${separator}${piece}`)
  }
  return found
}

/** `166?00GUTSCHRIFT?20EREF+12?21SVWZ+Spende?30BANKDEFF?31DE…?32ADA?33LOVELACE?34000`. */
function parseGerman(number: string, text: string, separator: string): Details {
  const fields = parseSubfields(text, separator)
  const some = (from: number, to: number) =>
    [...fields].filter(([code]) => code >= from && code <= to).map(([, value]) => value)
  const kind = collapseWhitespace(fields.get(0) ?? '')
  const said = splitPaymentText(joinLines([...some(20, 29), ...some(60, 63)]))
  const bank = (fields.get(30) ?? '').trim()
  const account = (fields.get(31) ?? '').trim()
  const name = joinLines(some(32, 33))
  return {
    ...said,
    number,
    // The bank's own bookings have no text but their type.
    text: said.text === '' && said.endToEndId === null ? kind : said.text,
    name: name === '' ? said.name : name,
    iban: toIban(account === '' ? null : account) ?? buildGermanIban(bank, account) ?? said.iban,
    bic: toBic(bank) ?? said.bic,
    returnReason: findReason(said.text, (fields.get(34) ?? '').trim())
  }
}

/** German reason numbers, as far as the banks agree on them. */
const reasonNumbers: Record<string, string> = {
  901: 'AC01',
  902: 'AC04',
  903: 'AC06',
  904: 'AG01',
  906: 'AM04',
  907: 'AM05',
  908: 'BE04',
  909: 'MD01',
  910: 'MD02',
  912: 'MD06',
  913: 'MD07',
  914: 'MS03',
  915: 'RC01'
}

function findReason(text: string, number: string): string | null {
  return returnCodePattern.exec(text)?.[0] ?? reasonNumbers[number.slice(0, 3)] ?? null
}

/** `/TRTP/SEPA OVERBOEKING/IBAN/NL…/BIC/…/NAME/ADA/REMI/Spende/EREF/12`, as used by Dutch and other banks. */
function parseSlashed(text: string): Details {
  const names =
    'TRTP|TYPE|ORDP|BENM|CNTP|IBAN|BIC|NAME|ADDR|ID|REMI|USTD|STRD|CDTR|EREF|MARF|CSID|KREF|PREF|NRTX|RTRN|PURP|ULTD|ULTB|UDTR|UCRD|ISDT|SVCL|RREF|IREF|ACCW|BUSP|OCMT|CHGS|EXCH|TXSTS|TRCD|SUM|PROC'
  const marks = [...text.matchAll(new RegExp(`/(${names})/`, 'g'))]
  const found = new Map<string, string>()
  for (const [place, mark] of marks.entries()) {
    const end = marks[place + 1]?.index ?? text.length
    const value = collapseWhitespace(
      text.slice(mark.index + mark[0].length, Math.max(mark.index + mark[0].length, end))
    )
    const name = mark[1] ?? ''
    if (value !== '' && !found.has(name)) found.set(name, trimSlashes(value))
  }
  // ING writes the counterparty as one value: account, bank, name and town.
  const [account, bank, name] = (found.get('CNTP') ?? '').split('/')
  const remittance = [found.get('REMI'), found.get('USTD'), found.get('CDTR')].filter(part => part !== undefined)
  return {
    number: '',
    // An unknown field can have the payer's text. The IBAN is removed: it is stored separately, encrypted.
    text:
      remittance.length === 0
        ? text.replace(found.get('IBAN') ?? account ?? '', '')
        : remittance.join(' ').replace(/^(?:USTD|STRD)?\/+/, ''),
    name: found.get('NAME') || name || null,
    iban: toIban(found.get('IBAN') ?? account ?? null),
    bic: toBic(found.get('BIC') ?? bank ?? null),
    endToEndId: cleanReference(found.get('EREF') ?? null),
    mandateReference: cleanReference(found.get('MARF') ?? null),
    customerReference: cleanReference(found.get('PREF') ?? found.get('KREF') ?? null),
    returnReason: returnCodePattern.exec(found.get('RTRN') ?? '')?.[0] ?? null,
    originalAmount: null,
    charges: null
  }
}

function parsePlain(text: string): Details {
  const said = splitPaymentText(text)
  return { ...said, number: '', returnReason: findReason(text, '') }
}

/** Removes trailing slashes. No regular expression, because it would take quadratic time on many slashes. */
function trimSlashes(value: string): string {
  let end = value.length
  while (end > 0 && value[end - 1] === '/') end -= 1
  return value.slice(0, end)
}
