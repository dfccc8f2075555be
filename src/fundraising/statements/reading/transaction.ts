import type { EntryProblem } from './entry.ts'
import { all, at, inOneLine, type Node, said } from './node.ts'
import { bic, iban, readCents, reference, short } from './values.ts'

/** One payment within a booking, as far as it can be understood without the booking (`TxDtls`). */
export interface Transaction {
  bankReference: string | null
  endToEndId: string | null
  mandateReference: string | null
  paymentInformationId: string | null
  /** The same payment in one or more currencies, the most trustworthy first. */
  amounts: Money[]
  /** What was ordered: without charges, perhaps in another currency. */
  ordered: Money | undefined
  charges: Money[]
  direction: Direction | undefined
  isReturn: boolean
  returnReason: string | null
  debtor: Party
  creditor: Party
  text: string
}

export type Direction = 'in' | 'out'

export interface Money {
  cents: number | EntryProblem
  currency: string
}

export interface Party {
  name: string | null
  /** An IBAN, or what the bank has instead of it. */
  account: string | null
  iban: string | null
  bic: string | null
}

export function transactionIn(node: Node): Transaction {
  const refs = at(node, 'Refs')
  const amounts = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt', 'AmtDtls/InstdAmt/Amt']
  return {
    bankReference: reference(said(refs, 'AcctSvcrRef')),
    endToEndId: reference(said(refs, 'EndToEndId')),
    mandateReference: reference(said(refs, 'MndtId')),
    paymentInformationId: reference(said(refs, 'PmtInfId')),
    amounts: amounts.flatMap(path => moneyAt(node, path)),
    ordered: moneyAt(node, 'AmtDtls/InstdAmt/Amt')[0],
    charges: chargesIn(node),
    direction: directionIn(node),
    isReturn: at(node, 'RtrInf') !== undefined || isReturnCode(at(node, 'BkTxCd')),
    returnReason: reasonIn(node),
    debtor: partyIn(node, 'Dbtr'),
    creditor: partyIn(node, 'Cdtr'),
    text: textIn(node)
  }
}

/** As it was booked. A reversal is booked the other way round than what it reverses, and this is that way. */
export function directionIn(node: Node): Direction | undefined {
  const word = said(node, 'CdtDbtInd')
  return word === 'CRDT' ? 'in' : word === 'DBIT' ? 'out' : undefined
}

export function moneyAt(node: Node, path: string): Money[] {
  const found = at(node, ...path.split('/'))
  return found === undefined ? [] : [{ cents: readCents(found.text), currency: found.currency }]
}

/** A total where the bank gives one, else every single charge; the older versions have no records. */
export function chargesIn(node: Node): Money[] {
  return all(node, 'Chrgs').flatMap(charge => {
    const total = moneyAt(charge, 'TtlChrgsAndTaxAmt')
    if (total.length > 0) return total
    return [charge, ...all(charge, 'Rcrd')].flatMap(one => moneyAt(one, 'Amt'))
  })
}

/** Families of ISO 20022 for money that goes back: unpaid, reversed and recalled debits, returned and recalled transfers. */
const returnFamilies = ['UPDD', 'PRDD', 'RCDD', 'RRTN', 'RPCR']
/** The same in the numbers of German banks: returned debits, transfers and instant transfers, and debits given back. */
const returnNumbers = ['108', '109', '159', '160', '181', '184', '193']

export function isReturnCode(code: Node | undefined): boolean {
  if (returnFamilies.includes(said(code, 'Domn/Fmly/SubFmlyCd') ?? '')) return true
  // Such as NTRF+109+00931: how SWIFT calls it, the number of the German banks, and one of the bank itself.
  const [kind = '', number = ''] = (said(code, 'Prtry/Cd') ?? '').split('+')
  return /^N?RTI$/.test(kind) || returnNumbers.includes(number)
}

function reasonIn(node: Node): string | null {
  const info = at(node, 'RtrInf')
  const parts = [said(info, 'Rsn/Cd', 'Rsn/Prtry'), ...all(info, 'AddtlInf').map(({ text }) => inOneLine(text))]
  const reason = parts.filter(part => part !== null && part !== '').join(' ')
  return reason === '' ? null : short(reason, 200)
}

/** Newer versions put a party into one more element. Whoever stands behind the payer counts where the payer has no name. */
function partyIn(node: Node, role: 'Dbtr' | 'Cdtr'): Party {
  const parties = at(node, 'RltdPties')
  const name = said(parties, `${role}/Pty/Nm`, `${role}/Nm`, `Ultmt${role}/Pty/Nm`, `Ultmt${role}/Nm`)
  const account = said(parties, `${role}Acct/Id/IBAN`, `${role}Acct/Id/Othr/Id`)
  const agent = at(node, 'RltdAgts', `${role}Agt`, 'FinInstnId')
  return {
    name: name === null ? null : short(name, 140),
    account: account?.replaceAll(' ', '').toUpperCase() ?? null,
    iban: iban(account),
    bic: bic(said(agent, 'BICFI', 'BIC'))
  }
}

const textLengthMax = 1000

function textIn(node: Node): string {
  const remittance = at(node, 'RmtInf')
  const structured = all(remittance, 'Strd').flatMap(one => [
    ...all(one, 'CdtrRefInf', 'Ref'),
    ...all(one, 'AddtlRmtInf')
  ])
  const written = [joined(all(remittance, 'Ustrd')), ...structured.map(({ text }) => inOneLine(text))]
  const text = written.filter(part => part !== '').join(' ')
  return short(text === '' ? (said(node, 'AddtlTxInf') ?? '') : text, textLengthMax)
}

/** How long the lines are into which banks cut a text that is longer. */
const lineLengths = [27, 35, 65, 140]

/** A line that is as long as lines can be was cut, in the midst of a word if need be; behind a shorter one there was a blank. */
function joined(lines: Node[]): string {
  const longest = lines.reduce((length, { text }) => Math.max(length, text.length), 0)
  const isCut = ({ text }: Node) => text.length === longest && lineLengths.includes(longest)
  return inOneLine(lines.map(line => (isCut(line) ? line.text : `${line.text} `)).join(''))
}
