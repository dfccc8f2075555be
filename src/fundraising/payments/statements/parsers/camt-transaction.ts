import type { EntryProblem } from './parsed-entry.ts'
import { splitPaymentText } from './payment-text.ts'
import { cleanReference, parseCents, toBic, toIban, truncate } from './values.ts'
import { collapseWhitespace, findNode, findNodes, findText, type XmlNode } from './xml-node.ts'

/** One payment within a booking (`TxDtls`), parsed without the booking. */
export interface Transaction {
  bankReference: string | null
  endToEndId: string | null
  mandateReference: string | null
  paymentInformationId: string | null
  /** The same payment in one or more currencies, most reliable first. */
  amounts: Money[]
  /** The ordered amount: without charges, possibly in another currency. */
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
  /** An IBAN, or the bank's own account number. */
  account: string | null
  iban: string | null
  bic: string | null
}

export function parseTransaction(node: XmlNode): Transaction {
  const refs = findNode(node, 'Refs')
  const amounts = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/CntrValAmt/Amt', 'AmtDtls/InstdAmt/Amt']
  const tags = splitPaymentText(parseText(node))
  return {
    bankReference: cleanReference(findText(refs, 'AcctSvcrRef')),
    endToEndId: cleanReference(findText(refs, 'EndToEndId')) ?? tags.endToEndId,
    mandateReference: cleanReference(findText(refs, 'MndtId')) ?? tags.mandateReference,
    paymentInformationId: cleanReference(findText(refs, 'PmtInfId')) ?? tags.customerReference,
    amounts: amounts.flatMap(path => parseMoneyAt(node, path)),
    ordered: parseMoneyAt(node, 'AmtDtls/InstdAmt/Amt')[0],
    charges: parseCharges(node),
    direction: parseDirection(node),
    isReturn: findNode(node, 'RtrInf') !== undefined || isReturnCode(findNode(node, 'BkTxCd')),
    returnReason: parseReason(node),
    debtor: parseRelatedParty(node, 'Dbtr'),
    creditor: parseRelatedParty(node, 'Cdtr'),
    text: truncate(tags.text, textLengthMax)
  }
}

/** The direction as booked. For a reversal the indicator already has the opposite direction of the original. */
export function parseDirection(node: XmlNode): Direction | undefined {
  const word = findText(node, 'CdtDbtInd')
  return word === 'CRDT' ? 'in' : word === 'DBIT' ? 'out' : undefined
}

export function parseMoneyAt(node: XmlNode, path: string): Money[] {
  const found = findNode(node, ...path.split('/'))
  return found === undefined ? [] : [{ cents: parseCents(found.text), currency: found.currency }]
}

/** The total if the bank states one, else every single charge; older versions have no records. */
export function parseCharges(node: XmlNode): Money[] {
  return findNodes(node, 'Chrgs').flatMap(charge => {
    const total = parseMoneyAt(charge, 'TtlChrgsAndTaxAmt')
    if (total.length > 0) return total
    return [charge, ...findNodes(charge, 'Rcrd')].flatMap(one => parseMoneyAt(one, 'Amt'))
  })
}

/** ISO 20022 subfamilies for returned money: unpaid, reversed and recalled debits, returned and recalled transfers. */
const returnFamilies = ['UPDD', 'PRDD', 'RCDD', 'RRTN', 'RPCR']
/** The same as German transaction codes: returned debits, transfers and instant transfers, and refunded debits. */
const returnNumbers = ['108', '109', '159', '160', '181', '184', '193']

export const isReturnNumber = (number: string) => returnNumbers.includes(number)

export function isReturnCode(code: XmlNode | undefined): boolean {
  if (returnFamilies.includes(findText(code, 'Domn/Fmly/SubFmlyCd') ?? '')) return true
  // Such as NTRF+109+00931: the SWIFT code, the German transaction code, and the bank's own number.
  const [kind = '', number = ''] = (findText(code, 'Prtry/Cd') ?? '').split('+')
  return /^N?RTI$/.test(kind) || isReturnNumber(number)
}

function parseReason(node: XmlNode): string | null {
  const info = findNode(node, 'RtrInf')
  const parts = [
    findText(info, 'Rsn/Cd', 'Rsn/Prtry'),
    ...findNodes(info, 'AddtlInf').map(({ text }) => collapseWhitespace(text))
  ]
  const reason = parts.filter(part => part !== null && part !== '').join(' ')
  return reason === '' ? null : truncate(reason, 200)
}

function parseRelatedParty(node: XmlNode, role: 'Dbtr' | 'Cdtr'): Party {
  return parseParty(findNode(node, 'RltdPties'), role, findNode(node, 'RltdAgts'))
}

/** Newer versions nest a party one level deeper. If the payer has no name, the ultimate party counts. */
export function parseParty(parties: XmlNode | undefined, role: 'Dbtr' | 'Cdtr', agents = parties): Party {
  const name = findText(parties, `${role}/Pty/Nm`, `${role}/Nm`, `Ultmt${role}/Pty/Nm`, `Ultmt${role}/Nm`)
  const account = findText(parties, `${role}Acct/Id/IBAN`, `${role}Acct/Id/Othr/Id`)
  const agent = findNode(agents, `${role}Agt`, 'FinInstnId')
  return {
    name: name === null ? null : truncate(name, 140),
    account: account?.replaceAll(' ', '').toUpperCase() ?? null,
    iban: toIban(account),
    bic: toBic(findText(agent, 'BICFI', 'BIC'))
  }
}

export const textLengthMax = 1000

function parseText(node: XmlNode): string {
  const remittance = findNode(node, 'RmtInf')
  const structured = findNodes(remittance, 'Strd').flatMap(one => [
    ...findNodes(one, 'CdtrRefInf', 'Ref'),
    ...findNodes(one, 'AddtlRmtInf')
  ])
  const written = [
    joinLines(findNodes(remittance, 'Ustrd').map(({ text }) => text)),
    ...structured.map(({ text }) => collapseWhitespace(text))
  ]
  const text = written.filter(part => part !== '').join(' ')
  return text === '' ? (findText(node, 'AddtlTxInf') ?? '') : text
}

/** Line lengths at which banks split longer texts. */
const lineLengths = [27, 35, 65, 140]

/** A line of maximum length was split there, possibly within a word; after a shorter line there was a space. */
export function joinLines(lines: string[]): string {
  const longest = lines.reduce((length, line) => Math.max(length, line.length), 0)
  const isCut = (line: string) => line.length === longest && lineLengths.includes(longest)
  return collapseWhitespace(lines.map(line => (isCut(line) ? line : `${line} `)).join(''))
}
