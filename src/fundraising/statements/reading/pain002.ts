import { createPayment, type Payment } from './entry.ts'
import { notAStatement } from './file-problem.ts'
import { all, at, inOneLine, type Node, said } from './node.ts'
import { problem } from './problems.ts'
import type { ReadingOptions } from './statement.ts'
import { moneyAt, partyIn, textLengthMax } from './transaction.ts'
import { currencyOf, iban, readCents, readDay, reference, short } from './values.ts'
import type { Message } from './xml-file.ts'

/** German banks had versions of their own (002.003.03) besides those of ISO. */
const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:(pain\.002\.00[123]\.(\d\d))$/

/** What a report says of the file that it is about. */
interface Report {
  createdOn: string | null
  messageId: string | null
  /** Of a file of debits; else of transfers, which are no business of donations. */
  isDebits: boolean
  isRejected: boolean
  returnReason: string | null
}

/**
 * What became of a file of debits before the bank collected them (pain.002), if the namespace is that of such a report. Only what was
 * rejected makes entries: what was accepted comes with a statement.
 */
export function createPain002Message(
  namespace: string,
  { timezone = 'UTC', currency = 'EUR' }: ReadingOptions
): Message | undefined {
  const [, format = '', version = ''] = namespaceForm.exec(namespace) ?? []
  if (Number(version) < 3 || Number(version) > 15) return undefined
  let hasGroup = false
  let hasTransactions = false
  let report: Report = { createdOn: null, messageId: null, isDebits: true, isRejected: false, returnReason: null }
  /** What was rejected of the batch that is being read. */
  let rejected: Payment[] = []

  function takeTransaction(node: Node, batch: Node): void {
    hasTransactions = true
    const status = said(node, 'TxSts') ?? said(batch, 'PmtInfSts') ?? (report.isRejected ? 'RJCT' : '')
    if (status !== 'RJCT') return
    rejected.push(paymentIn(node, batch))
  }

  function paymentIn(node: Node, batch: Node): Payment {
    const original = at(node, 'OrgnlTxRef')
    const [money] = moneyAt(original ?? node, 'Amt/InstdAmt')
    const endToEndId = reference(said(node, 'OrgnlEndToEndId'))
    const party = partyIn(original, report.isDebits ? 'Dbtr' : 'Cdtr')
    const own = said(original, report.isDebits ? 'CdtrAcct/Id/IBAN' : 'DbtrAcct/Id/IBAN')
    const cents = money?.cents ?? 0
    return {
      ...rejection(batch, endToEndId ?? said(node, 'OrgnlInstrId', 'StsId') ?? ''),
      account: iban(own),
      amountCents: typeof cents === 'number' ? cents : 0,
      currency: currencyOf(money?.currency, currency),
      returnReason: reasonIn(node) ?? reasonIn(batch) ?? report.returnReason,
      endToEndId,
      mandateReference: reference(said(original, 'MndtRltdInf/MndtId', 'MndtRltdInf/DrctDbtMndt/MndtId')),
      text: short(
        all(original, 'RmtInf', 'Ustrd')
          .map(({ text }) => inOneLine(text))
          .join(' '),
        textLengthMax
      ),
      counterpartName: party.name,
      counterpartIban: party.iban,
      counterpartBic: party.bic,
      problems: typeof cents === 'number' ? [] : [cents]
    }
  }

  /** The name of the batch makes it another rejection when the same debit is sent again in another file. */
  function rejection(batch: Node | undefined, id: string): Payment {
    const batchId = reference(said(batch, 'OrgnlPmtInfId')) ?? report.messageId
    return {
      ...createPayment(currency),
      bankReference: reference(`${batchId ?? ''}/${id}`),
      bookedOn: report.createdOn,
      direction: report.isDebits ? 'out' : 'in',
      isReturn: true,
      isRejected: true,
      returnReason: report.returnReason,
      paymentInformationId: batchId
    }
  }

  /** Of a batch, or a file, that was rejected as a whole the report need not name the debits. */
  function wholeRejection(node: Node | undefined, sum: string | null): Payment {
    const cents = readCents(sum ?? '')
    return {
      ...rejection(node, ''),
      amountCents: typeof cents === 'number' ? cents : 0,
      returnReason: (node === undefined ? null : reasonIn(node)) ?? report.returnReason,
      problems: [problem.batchRejected()]
    }
  }

  let groupSum: string | null = null

  function takeGroup(node: Node): void {
    hasGroup = true
    groupSum = said(node, 'OrgnlCtrlSum')
    report = {
      ...report,
      messageId: reference(said(node, 'OrgnlMsgId')),
      isDebits: !(said(node, 'OrgnlMsgNmId') ?? '').startsWith('pain.001'),
      isRejected: said(node, 'GrpSts') === 'RJCT',
      returnReason: reasonIn(node)
    }
  }

  function takeBatch(node: Node): Payment[] {
    const found = rejected
    rejected = []
    if (found.length > 0 || said(node, 'PmtInfSts') !== 'RJCT') return found
    hasTransactions = true
    return [wholeRejection(node, said(node, 'OrgnlCtrlSum'))]
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
      else report.createdOn = readDay(said(node, 'CreDtTm') ?? '', timezone) ?? null
      return []
    },
    end: () => {
      if (!hasGroup) throw notAStatement()
      return report.isRejected && !hasTransactions ? [wholeRejection(undefined, groupSum)] : []
    }
  }
}

function reasonIn(node: Node): string | null {
  const info = all(node, 'StsRsnInf')
  const parts = info.flatMap(one => [
    said(one, 'Rsn/Cd', 'Rsn/Prtry') ?? '',
    ...all(one, 'AddtlInf').map(({ text }) => inOneLine(text))
  ])
  const reason = parts.filter(part => part !== '').join(' ')
  return reason === '' ? null : short(reason, 200)
}
