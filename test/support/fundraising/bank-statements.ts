// Statement files as banks write them, made from what a test wants to stand in them.

/** One payment, as the payer and the banks put it. */
export interface StatementPayment {
  /** With a point: `25.00`. */
  amount: string
  currency?: string
  direction?: 'in' | 'out'
  /** What the payer wrote; several are lines of one text. */
  text?: string | string[]
  /** A structured reference beside or in place of it. */
  structured?: string
  name?: string
  iban?: string
  bic?: string
  /** NOTPROVIDED unless it is said; null leaves the element out. */
  endToEndId?: string | null
  mandateId?: string
  /** What the bank calls it. */
  bankReference?: string
  /** A payment that came back: why, such as AC04, and what the bank says besides. */
  returned?: string
  returnedInfo?: string
  /** What the banks took for it. */
  charges?: string
  /** The instructed amount with its currency: `100.00 USD`. */
  ordered?: string
}

/** A booking: one payment, or several that were booked together. */
export interface StatementBooking extends StatementPayment {
  bookedOn?: string | null
  valueOn?: string
  /** BOOK unless it is said. */
  status?: 'BOOK' | 'PDNG' | 'INFO'
  isReversal?: boolean
  /** Such as `NTRF+166+00931`; the code of ISO besides, as `PMNT/RCDT/ESCT`. */
  bankCode?: string
  isoCode?: string
  /** The payments of the booking. An empty list is a booking without details. */
  payments?: StatementPayment[]
  /** What the order calls the batch: PmtInfId of `Btch`. */
  paymentInformationId?: string
}

export interface StatementOptions {
  /** Such as `camt.053.001.08`, which it is unless it is said. */
  format?: string
  account?: string
  currency?: string
  encoding?: 'UTF-8' | 'ISO-8859-1'
}

/** Everything that comes, as a list. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

export const statementAccount = 'DE89370400440532013000'

/** One statement of one account. */
export function buildStatement(bookings: StatementBooking[], options: StatementOptions = {}): Buffer {
  return buildStatementFile([{ bookings, ...options }], options)
}

/** Several statements in one file: the accounts of an organisation, or its days. */
export function buildStatementFile(
  statements: ({ bookings: StatementBooking[] } & StatementOptions)[],
  options: StatementOptions = {}
): Buffer {
  const { format = 'camt.053.001.08', encoding = 'UTF-8' } = options
  const [message, statement] = namesOf(format)
  const content = statements.map((one, place) =>
    element(statement, [
      element('Id', `${place + 1}`),
      element('CreDtTm', '2026-03-02T06:00:00+01:00'),
      element('Acct', [
        element('Id', element('IBAN', one.account ?? statementAccount)),
        element('Ccy', one.currency ?? 'EUR'),
        element('Ownr', element('Nm', 'Musikschule e.V.'))
      ]),
      ...one.bookings.map(booking => entry(booking, format, one.currency ?? 'EUR'))
    ])
  )
  const head = element('GrpHdr', [element('MsgId', 'M1'), element('CreDtTm', '2026-03-02T06:00:00+01:00')])
  const document = `<?xml version="1.0" encoding="${encoding}"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}">${element(message, [head, ...content])}</Document>\n`
  return Buffer.from(document, encoding === 'UTF-8' ? 'utf8' : 'latin1')
}

function namesOf(format: string): [message: string, statement: string] {
  if (format.startsWith('camt.052')) return ['BkToCstmrAcctRpt', 'Rpt']
  if (format.startsWith('camt.054')) return ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return ['BkToCstmrStmt', 'Stmt']
}

/** From version 04 on a party stands in an element of its own, a status is a code, and a payment has an amount. */
const isNew = (format: string) => Number(format.slice(-2)) >= 4

function entry(booking: StatementBooking, format: string, accountCurrency: string): string {
  const { amount, currency = accountCurrency, direction = 'in', status = 'BOOK', bookedOn = '2026-03-02' } = booking
  const details = booking.payments ?? [booking]
  const batch = element('Btch', [
    element('PmtInfId', booking.paymentInformationId ?? 'P1'),
    element('NbOfTxs', `${details.length}`)
  ])
  return element('Ntry', [
    money('Amt', amount, currency),
    element('CdtDbtInd', directions[direction]),
    booking.isReversal === true ? element('RvslInd', 'true') : '',
    element('Sts', isNew(format) ? element('Cd', status) : status),
    bookedOn === null ? '' : element('BookgDt', element('Dt', bookedOn)),
    element('ValDt', element('Dt', booking.valueOn ?? bookedOn ?? '2026-03-02')),
    optional('AcctSvcrRef', booking.bankReference),
    codes(booking),
    element('NtryDtls', [
      booking.payments === undefined ? '' : batch,
      ...details.map(one => transaction(one, direction, format, currency, booking.payments !== undefined))
    ]),
    element('AddtlNtryInf', booking.payments?.length === 0 ? 'Sammelgutschrift' : 'SEPA-Gutschrift')
  ])
}

function codes({ bankCode = 'NTRF+166+00931', isoCode = 'PMNT/RCDT/ESCT' }: StatementBooking): string {
  const [domain = '', family = '', subFamily = ''] = isoCode.split('/')
  return element('BkTxCd', [
    element('Domn', [element('Cd', domain), element('Fmly', [element('Cd', family), element('SubFmlyCd', subFamily)])]),
    element('Prtry', [element('Cd', bankCode), element('Issr', 'DK')])
  ])
}

function transaction(
  one: StatementPayment,
  booked: 'in' | 'out',
  format: string,
  accountCurrency: string,
  isPart: boolean
): string {
  const { amount, currency = accountCurrency, direction = booked, endToEndId = 'NOTPROVIDED' } = one
  // The payer is the debtor, also of a returned debit.
  const role = (direction === 'in') !== (one.returned !== undefined) ? 'Dbtr' : 'Cdtr'
  const named = one.name === undefined ? '' : element('Nm', one.name)
  const [ordered = '', orderedCurrency = ''] = (one.ordered ?? '').split(' ')
  return element('TxDtls', [
    element('Refs', [
      optional('AcctSvcrRef', isPart ? one.bankReference : undefined),
      endToEndId === null ? '' : element('EndToEndId', endToEndId),
      optional('MndtId', one.mandateId)
    ]),
    isNew(format) ? money('Amt', amount, currency) + element('CdtDbtInd', directions[direction]) : '',
    element('AmtDtls', [
      ordered === '' ? '' : element('InstdAmt', money('Amt', ordered, orderedCurrency)),
      isNew(format) ? '' : element('TxAmt', money('Amt', amount, currency))
    ]),
    charges(one.charges, format, currency),
    element('RltdPties', [
      named === '' ? '' : element(role, isNew(format) ? element('Pty', named) : named),
      one.iban === undefined ? '' : element(`${role}Acct`, element('Id', element('IBAN', one.iban)))
    ]),
    one.bic === undefined
      ? ''
      : element(
          'RltdAgts',
          element(`${role}Agt`, element('FinInstnId', element(isNew(format) ? 'BICFI' : 'BIC', one.bic)))
        ),
    element('RmtInf', [
      ...[one.text ?? []].flat().map(line => element('Ustrd', line)),
      one.structured === undefined ? '' : element('Strd', element('CdtrRefInf', element('Ref', one.structured)))
    ]),
    one.returned === undefined
      ? ''
      : element('RtrInf', [element('Rsn', element('Cd', one.returned)), optional('AddtlInf', one.returnedInfo)])
  ])
}

function charges(amount: string | undefined, format: string, currency: string): string {
  if (amount === undefined) return ''
  return element(
    'Chrgs',
    isNew(format) ? element('Rcrd', money('Amt', amount, currency)) : money('Amt', amount, currency)
  )
}

const directions = { in: 'CRDT', out: 'DBIT' }

const optional = (name: string, text: string | undefined) => (text === undefined ? '' : element(name, text))

function money(name: string, amount: string, currency: string): string {
  return `<${name} Ccy="${currency}">${amount}</${name}>`
}

/** A list is elements already; a text that begins with one too. */
function element(name: string, content: string | string[]): string {
  const inner = Array.isArray(content) ? content.join('') : content.startsWith('<') ? content : escaped(content)
  return inner === '' ? '' : `<${name}>${inner}</${name}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
