import { inOneLine } from './node.ts'
import { splitPaymentText } from './payment-text.ts'
import { joinLines } from './transaction.ts'
import { bic, germanIban, iban, reasonForm, reference } from './values.ts'

/** What the field 86 says of a transaction. */
export interface Details {
  /** The number that German banks have for the kind of transaction; '' elsewhere. */
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

/** So many characters has a line of the field; one that is cut by one has lost the blank at its end. */
const lineLength = 65

export function readDetails(lines: string[]): Details {
  const whole = lines
    .map((line, place) => (line.length === lineLength - 1 && place < lines.length - 1 ? `${line} ` : line))
    .join('')
  const [, number, separator] = /^(\d{3})([^\w\s])(?=\d\d)/.exec(whole) ?? []
  if (number !== undefined && separator !== undefined) return readGerman(number, whole.slice(3), separator)
  const text = joinLines(lines)
  return /^\/[A-Z]{3,4}\//.test(text) ? readSlashed(text) : readPlain(text)
}

/** Codes of subfields in their order: a question mark in a text is none. */
function subfieldsIn(text: string, separator: string): Map<number, string> {
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
function readGerman(number: string, text: string, separator: string): Details {
  const fields = subfieldsIn(text, separator)
  const some = (from: number, to: number) =>
    [...fields].filter(([code]) => code >= from && code <= to).map(([, value]) => value)
  const kind = inOneLine(fields.get(0) ?? '')
  const said = splitPaymentText(joinLines([...some(20, 29), ...some(60, 63)]))
  const bank = (fields.get(30) ?? '').trim()
  const account = (fields.get(31) ?? '').trim()
  const name = joinLines(some(32, 33))
  return {
    ...said,
    number,
    // A booking of the bank itself has no text but its name.
    text: said.text === '' && said.endToEndId === null ? kind : said.text,
    name: name === '' ? said.name : name,
    iban: iban(account === '' ? null : account) ?? germanIban(bank, account) ?? said.iban,
    bic: bic(bank) ?? said.bic,
    returnReason: reasonIn(said.text, (fields.get(34) ?? '').trim())
  }
}

/** What German banks number, as far as they agree on it. */
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

function reasonIn(text: string, number: string): string | null {
  return reasonForm.exec(text)?.[0] ?? reasonNumbers[number.slice(0, 3)] ?? null
}

/** `/TRTP/SEPA OVERBOEKING/IBAN/NL…/BIC/…/NAME/ADA/REMI/Spende/EREF/12`, as Dutch and other banks write. */
function readSlashed(text: string): Details {
  const names =
    'TRTP|TYPE|ORDP|BENM|CNTP|IBAN|BIC|NAME|ADDR|ID|REMI|USTD|STRD|CDTR|EREF|MARF|CSID|KREF|PREF|NRTX|RTRN|PURP|ULTD|ULTB|UDTR|UCRD|ISDT|SVCL|RREF|IREF|ACCW|BUSP|OCMT|CHGS|EXCH|TXSTS|TRCD|SUM|PROC'
  const marks = [...text.matchAll(new RegExp(`/(${names})/`, 'g'))]
  const found = new Map<string, string>()
  for (const [place, mark] of marks.entries()) {
    const end = marks[place + 1]?.index ?? text.length
    const value = inOneLine(text.slice(mark.index + mark[0].length, Math.max(mark.index + mark[0].length, end)))
    const name = mark[1] ?? ''
    if (value !== '' && !found.has(name)) found.set(name, withoutSlashes(value))
  }
  // ING writes the other side as one: account, bank, name and town.
  const [account, bank, name] = (found.get('CNTP') ?? '').split('/')
  const remittance = [found.get('REMI'), found.get('USTD'), found.get('CDTR')].filter(part => part !== undefined)
  return {
    number: '',
    // A field that is not known may hold what somebody wrote; account numbers are kept apart, encrypted.
    text:
      remittance.length === 0
        ? text.replace(found.get('IBAN') ?? account ?? '', '')
        : remittance.join(' ').replace(/^(?:USTD|STRD)?\/+/, ''),
    name: found.get('NAME') || name || null,
    iban: iban(found.get('IBAN') ?? account ?? null),
    bic: bic(found.get('BIC') ?? bank ?? null),
    endToEndId: reference(found.get('EREF') ?? null),
    mandateReference: reference(found.get('MARF') ?? null),
    customerReference: reference(found.get('PREF') ?? found.get('KREF') ?? null),
    returnReason: reasonForm.exec(found.get('RTRN') ?? '')?.[0] ?? null,
    originalAmount: null,
    charges: null
  }
}

function readPlain(text: string): Details {
  const said = splitPaymentText(text)
  return { ...said, number: '', returnReason: reasonIn(text, '') }
}

/** Without the slashes at its end. Not by a pattern, which would look at each slash as often as there are slashes. */
function withoutSlashes(value: string): string {
  let end = value.length
  while (end > 0 && value[end - 1] === '/') end -= 1
  return value.slice(0, end)
}
