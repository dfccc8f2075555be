import { Type } from 'typebox'
import { listAuthorNames } from '#platform/auth/keys/key.ts'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { defineRoute, type RouteTable } from '../contract/routing/route.ts'
import * as events from './queries.ts'

/** Authors in a list to choose from. */
const authorsMax = 1000

const authorListSchema = NamedObject('AuthorList', {
  authors: Type.Array(
    NamedObject('Author', {
      id: Type.Integer(),
      name: Nullable(Type.String(), { description: 'Null for the owner of the site and for removed users.' })
    })
  )
})

export function registerAuthorRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/authors',
    requires: ['editor'],
    summary: 'List the authors of events',
    description: 'Users and API keys that have events, with their names: values of the filter `author` of events.',
    params: {},
    response: authorListSchema,
    handler: async ({ db }) => {
      const ids = await events.listAuthorIds(db, authorsMax)
      const names = new Map((await listAuthorNames(db, ids)).map(({ id, name }) => [id, name]))
      return { body: { authors: ids.map(id => ({ id, name: names.get(id) ?? null })) } }
    }
  })
}
