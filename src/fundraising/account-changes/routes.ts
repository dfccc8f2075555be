import { Type } from 'typebox'
import type { Scope } from '#platform/service.ts'
import { listAccountChanges } from './account-change.ts'
import { AccountChange, AccountChangesQuery } from './schema.ts'

export function accountChangeRoutes({ app, db }: Scope): void {
  app.get('/account-changes', {
    config: { needs: ['editor', 'treasurer'] },
    schema: {
      summary: 'List when accounts that donations go to were changed, newest first',
      querystring: AccountChangesQuery,
      response: { 200: Type.Array(AccountChange) }
    },
    handler: async ({ query }) => await listAccountChanges(db, query)
  })
}
