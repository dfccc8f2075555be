import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'

const accountPattern = /^\d{4,8}$/

/** An account number of the chart of accounts. */
const AccountNumber = (description: string) =>
  Type.String({ ledgerAccount: true, maxLength: 20, description, examples: ['0945'] })

const accounts = {
  bank: AccountNumber('For money on a bank account that bankAccounts does not name.'),
  cash: AccountNumber('For cash.'),
  donationsWithReceipt: AccountNumber('For donations that a receipt certifies.'),
  donationsWithoutReceipt: AccountNumber('For donations without a receipt.'),
  membershipFees: AccountNumber('For membership fees.')
}
export type LedgerAccount = keyof typeof accounts

const BankAccount = Type.Object({
  iban: Type.String({ iban: true, maxLength: 60, examples: ['DE89370400440532013000'] }),
  account: AccountNumber('Bookkeeping account number.')
})

const bankAccountsMax = 50

/** Account numbers of the bookkeeping; SKR 49 by default. */
export const Bookkeeping = NamedObject('Bookkeeping', {
  consultantNumber: Type.Integer({ description: 'DATEV consultant number (Beraternummer).' }),
  clientNumber: Type.Integer({ description: 'DATEV client number (Mandantennummer).' }),
  ...accounts,
  bankAccounts: Type.Array(BankAccount, {
    description: 'Bank accounts of the organisation with their bookkeeping account numbers.'
  }),
  version: Type.Integer({ description: 'Version; increases with each change, 0 initially.' })
})
export type Bookkeeping = Static<typeof Bookkeeping>

export const BookkeepingChange = Type.Partial(
  Type.Object({
    consultantNumber: Type.Integer({ minimum: 1001, maximum: 9_999_999 }),
    clientNumber: Type.Integer({ minimum: 1, maximum: 99_999 }),
    ...accounts,
    bankAccounts: Type.Array(BankAccount, { maxItems: bankAccountsMax })
  }),
  { title: 'BookkeepingChange' }
)
export type BookkeepingChange = Static<typeof BookkeepingChange>

/** SKR 49, the chart of accounts for associations, and the smallest consultant and client numbers of DATEV. */
export const defaultBookkeeping: Omit<Bookkeeping, 'version'> = {
  consultantNumber: 1001,
  clientNumber: 1,
  bank: '0945',
  cash: '0920',
  donationsWithReceipt: '3221',
  donationsWithoutReceipt: '3222',
  membershipFees: '2110',
  bankAccounts: []
}

export const ledgerAccountRule: Rule = {
  keyword: 'ledgerAccount',
  type: 'string',
  check: (given: string) => {
    const text = given.trim()
    return accountPattern.test(text)
      ? { value: text }
      : {
          code: 'ledger-account',
          message: buildText('fundraising-rules', 'ledgerAccount')
        }
  }
}
