import { Type } from 'typebox'
import { type Caller, hasRole } from '#platform/caller.ts'
import { parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import { decodeCursor, encodeCursor, getFetchSize, Paging, parseNumber, sendPage } from '#platform/http/paging.ts'
import { jsonOrMergePatch } from '#platform/http/plugins/body-parsers.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { isDay } from '../../dates.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { newUpdateNotFoundProblem } from '../../problems/updates.ts'
import { getVisibility } from '../campaign.ts'
import * as campaigns from '../queries.ts'
import { createUpdate, deleteUpdate, patchUpdate } from './campaign-update.ts'
import { findMailing, sendUpdate } from './mailing.ts'
import type { UpdatePosition, UpdateRow } from './queries.ts'
import * as updates from './queries.ts'
import { CampaignUpdate, CampaignUpdatePatch, NewCampaignUpdate, UpdateMailing } from './schema.ts'
import { buildUpdateEtag, forEditor, forPublic } from './wire.ts'

const CampaignParams = Type.Object({ campaignId: Type.Integer() })
const UpdateParams = Type.Object({ campaignId: Type.Integer(), updateId: Type.Integer() })
const writers = ['editor', 'treasurer'] as const

export function registerUpdateRoutes(scope: RouteContext): void {
  const { app, db, settings, enqueueSoon } = scope
  const isWriter = (caller: Caller) => hasRole(caller, ...writers)
  const toJson = (caller: Caller, row: UpdateRow) => (isWriter(caller) ? forEditor(row) : forPublic(row))
  const getEtag = (caller: Caller, row: UpdateRow) => buildUpdateEtag(row, isWriter(caller) ? 'editor' : 'public')

  async function findUpdate(caller: Caller, key: { campaignId: number; id: number }): Promise<UpdateRow> {
    await requireVisibleCampaign(caller, key.campaignId)
    const row = await updates.find(db, key, isWriter(caller) ? 'drafts too' : 'published')
    if (row === undefined) throw newUpdateNotFoundProblem()
    return row
  }

  async function requireVisibleCampaign(caller: Caller, campaignId: number): Promise<void> {
    const found = await campaigns.find(db, campaignId, getVisibility(caller))
    if (found === undefined) throw newCampaignNotFoundProblem(campaignId)
  }

  app.get('/campaigns/:campaignId/updates', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'List updates of a campaign, newest first',
      description: 'News about a campaign. Published updates are public; editors and treasurers also see drafts.',
      problems: { 404: ['campaign-not-found'] },
      params: CampaignParams,
      querystring: Paging,
      response: { 200: Type.Array(CampaignUpdate) }
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      await requireVisibleCampaign(caller, params.campaignId)
      const visible = isWriter(caller) ? 'drafts too' : 'published'
      const after = decodeCursor(query.cursor, parsePosition)
      const [rows, total] = await Promise.all([
        updates.listOfCampaign(db, params.campaignId, visible, { after, rows: getFetchSize(query.limit) }),
        updates.count(db, params.campaignId, visible)
      ])
      const cursorAfter = ({ date, id }: UpdateRow) => encodeCursor(`${date} ${id}`)
      return sendPage(request, reply, settings, { rows, limit: query.limit, total, cursorAfter }).map(row =>
        toJson(caller, row)
      )
    }
  })

  app.get('/campaign-updates', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaigns'] } },
    schema: {
      summary: 'List the updates of all campaigns, latest first',
      description: 'Published updates of open and closed campaigns, in the order in which they were created.',
      querystring: Paging,
      response: { 200: Type.Array(CampaignUpdate) }
    },
    handler: async (request, reply) => {
      const { query } = request
      const beforeId = decodeCursor(query.cursor, parseNumber)
      const [rows, total] = await Promise.all([
        updates.listAllPublished(db, { beforeId, rows: getFetchSize(query.limit) }),
        updates.countAllPublished(db)
      ])
      const cursorAfter = ({ id }: UpdateRow) => encodeCursor(id)
      return sendPage(request, reply, settings, { rows, limit: query.limit, total, cursorAfter }).map(forPublic)
    }
  })

  app.post('/campaigns/:campaignId/updates', {
    config: { requires: writers, creates: true },
    schema: {
      summary: 'Create an update of a campaign',
      description: 'Default status: draft. Nothing is sent to donors: see `POST …/mailing`.',
      problems: {
        400: ['too-much-markup'],
        404: ['campaign-not-found'],
        422: ['in-the-future', 'update-without-text']
      },
      params: CampaignParams,
      body: NewCampaignUpdate,
      response: { 201: CampaignUpdate }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      return await withIdempotency(scope, request, reply, async tx => {
        const row = await createUpdate(tx, { by: caller, settings }, params.campaignId, body)
        const location = `/campaigns/${row.campaignId}/updates/${row.id}`
        return { location, body: forEditor(row), etag: getEtag(caller, row) }
      })
    }
  })

  app.get('/campaigns/:campaignId/updates/:updateId', {
    config: { requires: 'public', cache: { tags: ['fundraising', 'campaign :campaignId'] } },
    schema: {
      summary: 'Get an update of a campaign',
      description: 'A draft returns 404 except to editors and treasurers.',
      problems: { 404: ['campaign-not-found', 'update-not-found'] },
      params: UpdateParams,
      response: { 200: CampaignUpdate }
    },
    handler: async ({ caller, params }, reply) => {
      const row = await findUpdate(caller, { campaignId: params.campaignId, id: params.updateId })
      reply.header('etag', getEtag(caller, row))
      return toJson(caller, row)
    }
  })

  app.patch('/campaigns/:campaignId/updates/:updateId', {
    config: { requires: writers, consumes: jsonOrMergePatch },
    schema: {
      summary: 'Update an update of a campaign',
      description:
        'JSON merge patch (RFC 7396): omitted fields are kept, also inside texts; null removes a language or the image.',
      problems: {
        400: ['too-much-markup'],
        404: ['campaign-not-found', 'update-not-found'],
        422: ['in-the-future', 'update-without-text', 'update-without-title']
      },
      params: UpdateParams,
      body: CampaignUpdatePatch,
      response: { 200: CampaignUpdate }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const key = { campaignId: params.campaignId, id: params.updateId }
      const row = await patchUpdate(db, { by: caller, settings, expected: parseIfMatch(request) }, key, body)
      reply.header('etag', getEtag(caller, row))
      return forEditor(row)
    }
  })

  app.delete('/campaigns/:campaignId/updates/:updateId', {
    config: { requires: writers },
    schema: {
      summary: 'Delete an update of a campaign permanently',
      description: 'Emails that were queued for it and not sent yet are dropped.',
      problems: { 404: ['campaign-not-found', 'update-not-found'] },
      params: UpdateParams,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      const { caller, params } = request
      const key = { campaignId: params.campaignId, id: params.updateId }
      await deleteUpdate(db, { by: caller, expected: parseIfMatch(request) }, key)
      return reply.code(204).send(null)
    }
  })

  app.get('/campaigns/:campaignId/updates/:updateId/mailing', {
    config: { requires: writers },
    schema: {
      summary: 'Get the number of donors who would get an update by email',
      description: 'Also says whether it was sent, and what prevents it from being sent.',
      problems: { 404: ['campaign-not-found', 'update-not-found'] },
      params: UpdateParams,
      response: { 200: UpdateMailing }
    },
    handler: async ({ caller, params }) =>
      await findMailing(db, settings, await findUpdate(caller, { campaignId: params.campaignId, id: params.updateId }))
  })

  app.post('/campaigns/:campaignId/updates/:updateId/mailing', {
    config: { requires: writers },
    schema: {
      summary: 'Send an update to the donors who asked for news',
      description:
        'Queues one email per donor with a link to unsubscribe (RFC 8058). Possible once per update, and only if SMTP_URL and PUBLIC_URL are set.',
      problems: {
        404: ['campaign-not-found', 'update-not-found'],
        409: ['email-not-configured', 'no-recipients', 'update-already-sent', 'update-is-draft']
      },
      params: UpdateParams,
      response: { 200: UpdateMailing }
    },
    handler: async ({ caller, params }) => {
      const key = { campaignId: params.campaignId, id: params.updateId }
      const mailing = await sendUpdate(db, { by: caller, settings }, key)
      enqueueSoon('send-emails')
      return mailing
    }
  })
}

function parsePosition(text: string): UpdatePosition | undefined {
  const [, date = '', id = ''] = /^(\d{4}-\d\d-\d\d) (\d{1,15})$/.exec(text) ?? []
  return id === '' || !isDay(date) ? undefined : { date, id: Number(id) }
}
