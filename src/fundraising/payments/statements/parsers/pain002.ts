import { parseMoneyAt, parseParty, textLengthMax } from './camt-transaction.ts'
import { problem } from './entry-problems.ts'
import { newNotAStatementProblem } from './file-problems.ts'
import type { ParseOptions } from './parse-statement.ts'
import { createParsedPayment, type ParsedPayment } from './parsed-entry.ts'
import { cleanReference, parseCents, parseCurrency, parseDay, toIban, truncate } from './values.ts'
import type { MessageParser } from './xml-file.ts'
import { collapseWhitespace, findNode, findNodes, findText, type XmlNode } from './xml-node.ts'

/** Besides the ISO versions, German banks had their own (002.003.03). */
const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:(pain\.002\.00[123]\.(\d\d))$/

/** Data about the original file. */
interface Report {
  createdOn: string | null
  messageId: string | null
  /** False for a file of transfers, which have nothing to do with donations. */
  isDebits: boolean
  isRejected: boolean
  returnReason: string | null
}

/**
 * A status report on a direct debit file before collection (pain.002), if the namespace is one. Only rejected debits
 * become entries: accepted ones arrive with a statement.
 */
export function createPain002Message(
  namespace: string,
  { timezone = 'UTC', currency = 'EUR' }: ParseOptions
): MessageParser | undefined {
  const [, format = '', version = ''] = namespaceForm.exec(namespace) ?? []
  if (Number(version) < 3 || Number(version) > 15) return undefined
  let hasGroup = false
  let hasTransactions = false
  let report: Report = { createdOn: null, messageId: null, isDebits: true, isRejected: false, returnReason: null }
  /** The rejected debits of the current batch. */
  let rejected: ParsedPayment[] = []

  function takeTransaction(node: XmlNode, batch: XmlNode): void {
    hasTransactions = true
    const status = findText(node, 'TxSts') ?? findText(batch, 'PmtInfSts') ?? (report.isRejected ? 'RJCT' : '')
    if (status !== 'RJCT') return
    rejected.push(paymentIn(node, batch))
  }

  function paymentIn(node: XmlNode, batch: XmlNode): ParsedPayment {
    const original = findNode(node, 'OrgnlTxRef')
    const [money] = parseMoneyAt(original ?? node, 'Amt/InstdAmt')
    const endToEndId = cleanReference(findText(node, 'OrgnlEndToEndId'))
    const party = parseParty(original, report.isDebits ? 'Dbtr' : 'Cdtr')
    const own = findText(original, report.isDebits ? 'CdtrAcct/Id/IBAN' : 'DbtrAcct/Id/IBAN')
    const cents = money?.cents ?? 0
    return {
      ...rejection(batch, endToEndId ?? findText(node, 'OrgnlInstrId', 'StsId') ?? ''),
      account: toIban(own),
      amountCents: typeof cents === 'number' ? cents : 0,
      currency: parseCurrency(money?.currency, currency),
      returnReason: parseReason(node) ?? parseReason(batch) ?? report.returnReason,
      endToEndId,
      mandateReference: cleanReference(findText(original, 'MndtRltdInf/MndtId', 'MndtRltdInf/DrctDbtMndt/MndtId')),
      text: truncate(
        findNodes(original, 'RmtInf', 'Ustrd')
          .map(({ text }) => collapseWhitespace(text))
          .join(' '),
        textLengthMax
      ),
      counterpartName: party.name,
      counterpartIban: party.iban,
      counterpartBic: party.bic,
      problems: typeof cents === 'number' ? [] : [cents]
    }
  }

  /** Includes the batch id, so that the same debit sent again in another file is another rejection. */
  function rejection(batch: XmlNode | undefined, id: string): ParsedPayment {
    const batchId = cleanReference(findText(batch, 'OrgnlPmtInfId')) ?? report.messageId
    return {
      ...createParsedPayment(currency),
      bankReference: cleanReference(`${batchId ?? ''}/${id}`),
      bookedOn: report.createdOn,
      direction: report.isDebits ? 'out' : 'in',
      isReturn: true,
      isRejected: true,
      returnReason: report.returnReason,
      paymentInformationId: batchId
    }
  }

  /** If a batch or file is rejected as a whole, the report may omit its debits. */
  function wholeRejection(node: XmlNode | undefined, sum: string | null): ParsedPayment {
    const cents = parseCents(sum ?? '')
    return {
      ...rejection(node, ''),
      amountCents: typeof cents === 'number' ? cents : 0,
      returnReason: (node === undefined ? null : parseReason(node)) ?? report.returnReason,
      problems: [problem.batchRejected()]
    }
  }

  let groupSum: string | null = null

  function takeGroup(node: XmlNode): void {
    hasGroup = true
    groupSum = findText(node, 'OrgnlCtrlSum')
    report = {
      ...report,
      messageId: cleanReference(findText(node, 'OrgnlMsgId')),
      isDebits: !(findText(node, 'OrgnlMsgNmId') ?? '').startsWith('pain.001'),
      isRejected: findText(node, 'GrpSts') === 'RJCT',
      returnReason: parseReason(node)
    }
  }

  function takeBatch(node: XmlNode): ParsedPayment[] {
    const found = rejected
    rejected = []
    if (found.length > 0 || findText(node, 'PmtInfSts') !== 'RJCT') return found
    hasTransactions = true
    return [wholeRejection(node, findText(node, 'OrgnlCtrlSum'))]
  }

  return {
    format,
    namespace,
    collectedFrom: 3,
    isOfInterest: (name, depth) =>
      depth === 2 ? name === 'CstmrPmtStsRpt' : ['GrpHdr', 'OrgnlGrpInfAndSts', 'OrgnlPmtInfAndSts'].includes(name),
    enter: () => undefined,
    isPart: (node, parent) => node.name === 'TxInfAndSts' && parent.name === 'OrgnlPmtInfAndSts',
    takePart: takeTransaction,
    take: node => {
      if (node.name === 'OrgnlPmtInfAndSts') return takeBatch(node)
      if (node.name === 'OrgnlGrpInfAndSts') takeGroup(node)
      else report.createdOn = parseDay(findText(node, 'CreDtTm') ?? '', timezone) ?? null
      return []
    },
    end: () => {
      if (!hasGroup) throw newNotAStatementProblem()
      return report.isRejected && !hasTransactions ? [wholeRejection(undefined, groupSum)] : []
    }
  }
}

function parseReason(node: XmlNode): string | null {
  const info = findNodes(node, 'StsRsnInf')
  const parts = info.flatMap(one => [
    findText(one, 'Rsn/Cd', 'Rsn/Prtry') ?? '',
    ...findNodes(one, 'AddtlInf').map(({ text }) => collapseWhitespace(text))
  ])
  const reason = parts.filter(part => part !== '').join(' ')
  return reason === '' ? null : truncate(reason, 200)
}
