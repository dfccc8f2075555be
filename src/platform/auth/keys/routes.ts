import { Type } from 'typebox'
import { buildVersionEtag, parseIfMatch, requireVersion } from '../../http/etag.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import type { RouteContext } from '../../http/service.ts'
import { issueKey, revokeKey } from './key.ts'
import * as keys from './queries.ts'
import { IssuedKey, Key, NewKey } from './schema.ts'

/** Constant: a key is never edited, only issued and revoked. */
const onlyVersion = 1

export function registerKeyRoutes(scope: RouteContext): void {
  const { app, db } = scope

  app.get('/keys', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'List API keys, oldest first',
      description: 'Name, role, creator, expiry and last use of each key; never the key itself.',
      response: { 200: Type.Array(Key) }
    },
    handler: async () => await keys.list(db)
  })

  app.post('/keys', {
    config: { requires: ['admin'], creates: true, requiresConfirmation: true },
    schema: {
      summary: 'Create an API key; the key is returned once',
      description:
        'A key has one role, which must not grant more than its creator has, and may have an expiry date. The database keeps only a hash, so a lost key is replaced, not recovered.',
      problems: { 400: ['in-the-past'], 403: ['beyond-maker'] },
      body: NewKey,
      response: { 201: IssuedKey }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const body = await issueKey(tx, request.caller, request.body)
        return { location: `/keys/${body.id}`, body, etag: buildVersionEtag(onlyVersion) }
      })
  })

  app.delete('/keys/:id', {
    config: { requires: ['admin'] },
    schema: {
      summary: 'Revoke an API key',
      description: 'Requests with this key are rejected from then on. Content created with it is kept.',
      problems: { 404: ['key-not-found'] },
      params: Type.Object({ id: Type.Integer() }),
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      requireVersion(parseIfMatch(request), onlyVersion)
      await revokeKey(db, request.caller, request.params.id)
      return reply.code(204).send(null)
    }
  })
}
