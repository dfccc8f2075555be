import type { FastifyReply } from 'fastify'
import { contentTag, ifMatch } from '#platform/conditional.ts'
import type { Scope } from '#platform/service.ts'
import { dayOf } from '../days.ts'
import { changeOrganisation, shownOrganisation } from './organisation.ts'
import type { OrganisationRow } from './queries.ts'
import * as organisation from './queries.ts'
import { Organisation, OrganisationChange } from './schema.ts'

export function organisationRoutes({ app, db, settings }: Scope): void {
  app.get('/organisation', {
    config: { needs: ['treasurer'] },
    schema: { summary: 'Who the organisation is before the law', response: { 200: Organisation } },
    handler: async (_request, reply) => answered(await organisation.find(db), reply)
  })

  app.patch('/organisation', {
    config: { needs: ['admin'] },
    schema: {
      summary: 'Say who the organisation is before the law',
      body: OrganisationChange,
      response: { 200: Organisation }
    },
    handler: async (request, reply) =>
      answered(await changeOrganisation(db, request.caller, request.body, ifMatch(request)), reply)
  })

  function answered(row: OrganisationRow, reply: FastifyReply): Organisation {
    const body = shownOrganisation(row, dayOf(new Date(), settings.timezone))
    reply.header('etag', contentTag(JSON.stringify(body), row.version))
    return body
  }
}
