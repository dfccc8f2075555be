import type { RouteContext } from '#platform/http/service.ts'
import { toLocalDay } from '../dates.ts'
import { listMissingForReceipts } from '../organisation/organisation.ts'
import * as organisation from '../organisation/queries.ts'
import { countNamesWithoutReceipt } from '../receipts/issuing/eligible-payments.ts'
import { listStatementsToMatch } from './queries.ts'
import { TreasurerTasks } from './schema.ts'

const statementsMax = 10

export function registerTreasurerTaskRoutes({ app, db, settings }: RouteContext): void {
  app.get('/treasurer-tasks', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get the open tasks of the treasurer',
      description: 'Numbers for an overview: transactions to match, receipts to issue, and missing details.',
      response: { 200: TreasurerTasks }
    },
    handler: async (_request, reply) => {
      const today = toLocalDay(new Date(), settings.timezone)
      const receiptYear = Number(today.slice(0, 4)) - 1
      const [statements, donorsWithoutReceipt, row] = await Promise.all([
        listStatementsToMatch(db),
        countNamesWithoutReceipt(db, receiptYear),
        organisation.find(db)
      ])
      reply.header('cache-control', 'private, no-store')
      return {
        transactionsToMatch: statements.reduce((sum, { count }) => sum + count, 0),
        statementsToMatch: statements.slice(0, statementsMax).map(({ id }) => id),
        receiptYear,
        donorsWithoutReceipt,
        missingForReceipts: listMissingForReceipts(row, today)
      }
    }
  })
}
