import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { receiptFields } from '../organisation/schema.ts'

export const TreasurerTasks = NamedObject('TreasurerTasks', {
  transactionsToMatch: Type.Integer({
    description: 'Transactions of all bank statements that are to be confirmed, not matched or a problem.'
  }),
  statementsToMatch: Type.Array(Type.Integer(), {
    description: 'Ids of the bank statements with such transactions, newest first, at most 10.'
  }),
  receiptYear: Type.Integer({ description: 'The last year that is over.' }),
  donorsWithoutReceipt: Type.Integer({
    description: 'Donors who requested a receipt for a payment of that year and have none.'
  }),
  missingForReceipts: Type.Array(Type.Enum([...receiptFields]), {
    description: 'Details of the organisation that receipts need and that are missing.'
  })
})
export type TreasurerTasks = Static<typeof TreasurerTasks>
