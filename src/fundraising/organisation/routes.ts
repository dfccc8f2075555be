import type { FastifyReply } from 'fastify'
import { buildContentEtag, parseIfMatch } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { toLocalDay } from '../dates.ts'
import { changeOrganisation, requireTreasurerFields, toOrganisationJson } from './organisation.ts'
import type { OrganisationRow } from './queries.ts'
import * as organisation from './queries.ts'
import { Organisation, OrganisationChange } from './schema.ts'

export function registerOrganisationRoutes({ app, db, settings }: RouteContext): void {
  app.get('/organisation', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Get the organisation’s legal details',
      description:
        'Legal name, address, tax office and exemption notice, which receipts need; the creditor identifier, which direct debits need.',
      response: { 200: Organisation }
    },
    handler: async (_request, reply) => answered(await organisation.find(db), reply)
  })

  app.patch('/organisation', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Update the organisation’s legal details',
      description:
        'Omitted fields are kept; null clears a field. Receipts that were issued do not change. Treasurers may change what the tax office and receipts need; name, address, direct debits and the handling of donations are for admins.',
      problems: { 400: ['signature'], 403: ['field-for-admins'] },
      body: OrganisationChange,
      response: { 200: Organisation }
    },
    handler: async (request, reply) => {
      requireTreasurerFields(request.caller, request.body)
      const actor = { by: request.caller, expected: parseIfMatch(request) }
      return answered(await changeOrganisation(db, actor, request.body), reply)
    }
  })

  function answered(row: OrganisationRow, reply: FastifyReply): Organisation {
    const body = toOrganisationJson(row, toLocalDay(new Date(), settings.timezone))
    reply.header('etag', buildContentEtag(JSON.stringify(body), row.version))
    return body
  }
}
