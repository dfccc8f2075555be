import { buildText } from '#platform/messages/messages.ts'
import { type StatementAccount, toPayments } from './camt-booking.ts'
import { parseTransaction, type Transaction } from './camt-transaction.ts'
import { newNotAStatementProblem, StatementFileProblem } from './file-problems.ts'
import type { ParseOptions } from './parse-statement.ts'
import { parseCurrency, truncate } from './values.ts'
import type { MessageParser } from './xml-file.ts'
import { findText, type XmlNode } from './xml-node.ts'

/** 053 has booked days, 054 has booked payments with details, 052 is the intraday report. */
const namespaceForm = /^urn:iso:std:iso:20022:tech:xsd:(camt\.05([234])\.001\.(\d\d))$/
const messages: Record<string, { message: string; statement: string }> = {
  2: { message: 'BkToCstmrAcctRpt', statement: 'Rpt' },
  3: { message: 'BkToCstmrStmt', statement: 'Stmt' },
  4: { message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' }
}

/**
 * A camt statement, if the namespace is one. All versions have the same structure in the parts that we read; where they
 * differ, both spellings are accepted.
 */
export function createCamtMessage(
  namespace: string,
  { timezone = 'UTC', currency = 'EUR' }: ParseOptions
): MessageParser | undefined {
  const [, format = '', kind = '', version = ''] = namespaceForm.exec(namespace) ?? []
  const names = messages[kind]
  if (names === undefined || Number(version) < 2 || Number(version) > 13) return undefined
  const newAccount = (): StatementAccount => ({ timezone, currency, number: null, isIntraday: kind === '2' })
  let account = newAccount()
  let transactions: Transaction[] = []
  let hasMessage = false
  let hasStatement = false

  function accountIn(node: XmlNode): Pick<StatementAccount, 'number' | 'currency'> {
    const number = findText(node, 'Id/IBAN', 'Id/Othr/Id')?.replaceAll(' ', '').toUpperCase()
    return {
      number: number === undefined ? null : truncate(number, 40),
      currency: parseCurrency(findText(node, 'Ccy'), currency)
    }
  }

  return {
    format,
    namespace,
    collectedFrom: 4,
    /** One path leads down to the statements; of a statement only its account and its bookings are read. */
    isOfInterest: (name, depth) => {
      if (depth === 2) return name === names.message
      if (depth === 3) return name === names.statement
      return name === 'Acct' || name === 'Ntry'
    },
    enter: depth => {
      if (depth === 2) hasMessage = true
      if (depth !== 3) return
      hasStatement = true
      account = newAccount()
    },
    isPart: (node, parent) => node.name === 'TxDtls' && parent.name === 'NtryDtls',
    takePart: part => {
      transactions.push(parseTransaction(part))
    },
    take: node => {
      const parts = transactions
      transactions = []
      if (node.name === 'Ntry') return toPayments(node, parts, account)
      account = { ...account, ...accountIn(node) }
      return []
    },
    end: () => {
      if (!hasMessage) throw newNotAStatementProblem()
      if (!hasStatement) throw newStatementMissingProblem(format, names.statement)
      return []
    }
  }
}

const newStatementMissingProblem = (format: string, element: string) =>
  new StatementFileProblem(
    'statement-missing',
    buildText('statement-file-problems', 'statementMissing', { format, element })
  )
