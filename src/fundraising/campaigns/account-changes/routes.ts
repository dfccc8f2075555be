import { Type } from 'typebox'
import type { RouteContext } from '#platform/http/service.ts'
import { listAccountChanges } from './account-change.ts'
import { AccountChange, AccountChangesQuery } from './schema.ts'

export function registerAccountChangeRoutes({ app, db }: RouteContext): void {
  app.get('/account-changes', {
    config: { requires: ['editor', 'treasurer'] },
    schema: {
      summary: 'List changes of bank accounts that receive donations, newest first',
      description:
        'Old and new account of each change, with actor and time. Entries are kept when a campaign is deleted.',
      querystring: AccountChangesQuery,
      response: { 200: Type.Array(AccountChange) }
    },
    handler: async ({ query }) => await listAccountChanges(db, query)
  })
}
