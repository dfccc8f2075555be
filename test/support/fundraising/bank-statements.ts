// Builds statement files in the formats of banks.

/** One payment with the data of the payer and the banks. */
export interface StatementPayment {
  /** With a decimal point: `25.00`. */
  amount: string
  currency?: string
  direction?: 'in' | 'out'
  /** The remittance text; a list is the lines of one text. */
  text?: string | string[]
  /** A structured reference, in addition to the text or instead of it. */
  structured?: string
  name?: string
  iban?: string
  bic?: string
  /** NOTPROVIDED by default; null omits the element. */
  endToEndId?: string | null
  mandateId?: string
  /** The reference that the bank assigned. */
  bankReference?: string
  /** The reason code of a returned payment, such as AC04, and additional information of the bank. */
  returned?: string
  returnedInfo?: string
  /** The charges of the banks. */
  charges?: string
  /** The instructed amount with its currency: `100.00 USD`. */
  ordered?: string
}

/** A booking: one payment, or several that were booked together. */
export interface StatementBooking extends StatementPayment {
  bookedOn?: string | null
  valueOn?: string
  /** BOOK by default. */
  status?: 'BOOK' | 'PDNG' | 'INFO'
  isReversal?: boolean
  /** Such as `NTRF+166+00931`; the ISO code is such as `PMNT/RCDT/ESCT`. */
  bankCode?: string
  isoCode?: string
  /** The payments of the booking. An empty list is a booking without details. */
  payments?: StatementPayment[]
  /** The id of the batch in the order: PmtInfId of `Btch`. */
  paymentInformationId?: string
}

export interface StatementOptions {
  /** `camt.053.001.08` by default. */
  format?: string
  account?: string
  currency?: string
  encoding?: 'UTF-8' | 'ISO-8859-1'
}

/** Collects all items in a list. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

export const statementAccount = 'DE89370400440532013000'

/** Builds a file with one statement of one account. */
export function buildStatement(bookings: StatementBooking[], options: StatementOptions = {}): Buffer {
  return buildStatementFile([{ bookings, ...options }], options)
}

/** Builds a file with several statements: of several accounts or days. */
export function buildStatementFile(
  statements: ({ bookings: StatementBooking[] } & StatementOptions)[],
  options: StatementOptions = {}
): Buffer {
  const { format = 'camt.053.001.08', encoding = 'UTF-8' } = options
  const [message, statement] = getElementNames(format)
  const content = statements.map((each, index) =>
    buildElement(statement, [
      buildElement('Id', `${index + 1}`),
      buildElement('CreDtTm', '2026-03-02T06:00:00+01:00'),
      buildElement('Acct', [
        buildElement('Id', buildElement('IBAN', each.account ?? statementAccount)),
        buildElement('Ccy', each.currency ?? 'EUR'),
        buildElement('Ownr', buildElement('Nm', 'Musikschule e.V.'))
      ]),
      ...each.bookings.map(booking => buildEntry(booking, format, each.currency ?? 'EUR'))
    ])
  )
  const head = buildElement('GrpHdr', [
    buildElement('MsgId', 'M1'),
    buildElement('CreDtTm', '2026-03-02T06:00:00+01:00')
  ])
  const document = `<?xml version="1.0" encoding="${encoding}"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${format}">${buildElement(message, [head, ...content])}</Document>\n`
  return Buffer.from(document, encoding === 'UTF-8' ? 'utf8' : 'latin1')
}

function getElementNames(format: string): [message: string, statement: string] {
  if (format.startsWith('camt.052')) return ['BkToCstmrAcctRpt', 'Rpt']
  if (format.startsWith('camt.054')) return ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return ['BkToCstmrStmt', 'Stmt']
}

/** From version 04 on a party has its own element, a status is a code, and a payment has an amount. */
const isVersion4OrLater = (format: string) => Number(format.slice(-2)) >= 4

function buildEntry(booking: StatementBooking, format: string, accountCurrency: string): string {
  const { amount, currency = accountCurrency, direction = 'in', status = 'BOOK', bookedOn = '2026-03-02' } = booking
  const details = booking.payments ?? [booking]
  const batch = buildElement('Btch', [
    buildElement('PmtInfId', booking.paymentInformationId ?? 'P1'),
    buildElement('NbOfTxs', `${details.length}`)
  ])
  return buildElement('Ntry', [
    buildAmount('Amt', amount, currency),
    buildElement('CdtDbtInd', directions[direction]),
    booking.isReversal === true ? buildElement('RvslInd', 'true') : '',
    buildElement('Sts', isVersion4OrLater(format) ? buildElement('Cd', status) : status),
    bookedOn === null ? '' : buildElement('BookgDt', buildElement('Dt', bookedOn)),
    buildElement('ValDt', buildElement('Dt', booking.valueOn ?? bookedOn ?? '2026-03-02')),
    buildOptionalElement('AcctSvcrRef', booking.bankReference),
    buildCodes(booking),
    buildElement('NtryDtls', [
      booking.payments === undefined ? '' : batch,
      ...details.map(payment => buildTransaction(payment, direction, format, currency, booking.payments !== undefined))
    ]),
    buildElement('AddtlNtryInf', booking.payments?.length === 0 ? 'Sammelgutschrift' : 'SEPA-Gutschrift')
  ])
}

function buildCodes({ bankCode = 'NTRF+166+00931', isoCode = 'PMNT/RCDT/ESCT' }: StatementBooking): string {
  const [domain = '', family = '', subFamily = ''] = isoCode.split('/')
  return buildElement('BkTxCd', [
    buildElement('Domn', [
      buildElement('Cd', domain),
      buildElement('Fmly', [buildElement('Cd', family), buildElement('SubFmlyCd', subFamily)])
    ]),
    buildElement('Prtry', [buildElement('Cd', bankCode), buildElement('Issr', 'DK')])
  ])
}

function buildTransaction(
  payment: StatementPayment,
  bookingDirection: 'in' | 'out',
  format: string,
  accountCurrency: string,
  isPart: boolean
): string {
  const { amount, currency = accountCurrency, direction = bookingDirection, endToEndId = 'NOTPROVIDED' } = payment
  // The payer is the debtor, also of a returned debit.
  const role = (direction === 'in') !== (payment.returned !== undefined) ? 'Dbtr' : 'Cdtr'
  const nameElement = payment.name === undefined ? '' : buildElement('Nm', payment.name)
  const [ordered = '', orderedCurrency = ''] = (payment.ordered ?? '').split(' ')
  return buildElement('TxDtls', [
    buildElement('Refs', [
      buildOptionalElement('AcctSvcrRef', isPart ? payment.bankReference : undefined),
      endToEndId === null ? '' : buildElement('EndToEndId', endToEndId),
      buildOptionalElement('MndtId', payment.mandateId)
    ]),
    isVersion4OrLater(format)
      ? buildAmount('Amt', amount, currency) + buildElement('CdtDbtInd', directions[direction])
      : '',
    buildElement('AmtDtls', [
      ordered === '' ? '' : buildElement('InstdAmt', buildAmount('Amt', ordered, orderedCurrency)),
      isVersion4OrLater(format) ? '' : buildElement('TxAmt', buildAmount('Amt', amount, currency))
    ]),
    buildCharges(payment.charges, format, currency),
    buildElement('RltdPties', [
      nameElement === ''
        ? ''
        : buildElement(role, isVersion4OrLater(format) ? buildElement('Pty', nameElement) : nameElement),
      payment.iban === undefined
        ? ''
        : buildElement(`${role}Acct`, buildElement('Id', buildElement('IBAN', payment.iban)))
    ]),
    payment.bic === undefined
      ? ''
      : buildElement(
          'RltdAgts',
          buildElement(
            `${role}Agt`,
            buildElement('FinInstnId', buildElement(isVersion4OrLater(format) ? 'BICFI' : 'BIC', payment.bic))
          )
        ),
    buildElement('RmtInf', [
      ...[payment.text ?? []].flat().map(line => buildElement('Ustrd', line)),
      payment.structured === undefined
        ? ''
        : buildElement('Strd', buildElement('CdtrRefInf', buildElement('Ref', payment.structured)))
    ]),
    payment.returned === undefined
      ? ''
      : buildElement('RtrInf', [
          buildElement('Rsn', buildElement('Cd', payment.returned)),
          buildOptionalElement('AddtlInf', payment.returnedInfo)
        ])
  ])
}

function buildCharges(amount: string | undefined, format: string, currency: string): string {
  if (amount === undefined) return ''
  return buildElement(
    'Chrgs',
    isVersion4OrLater(format)
      ? buildElement('Rcrd', buildAmount('Amt', amount, currency))
      : buildAmount('Amt', amount, currency)
  )
}

const directions = { in: 'CRDT', out: 'DBIT' }

const buildOptionalElement = (name: string, text: string | undefined) =>
  text === undefined ? '' : buildElement(name, text)

function buildAmount(name: string, amount: string, currency: string): string {
  return `<${name} Ccy="${currency}">${amount}</${name}>`
}

/** A list, and a text that begins with `<`, already consist of elements; other text is escaped. */
function buildElement(name: string, content: string | string[]): string {
  const inner = Array.isArray(content) ? content.join('') : content.startsWith('<') ? content : escapeXml(content)
  return inner === '' ? '' : `<${name}>${inner}</${name}>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
