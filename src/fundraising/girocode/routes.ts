import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { contentTag, isFresh } from '#platform/conditional.ts'
import { preferredLanguage } from '#platform/language.ts'
import type { Scope } from '#platform/service.ts'
import { visibleTo } from '../campaigns/campaign.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import * as campaigns from '../campaigns/queries.ts'
import * as donations from '../donations/queries.ts'
import { isDonorToken } from '../donor-token.ts'
import { campaignNotFound, donationNotFound, noDonationForToken } from '../problems.ts'
import { payloadOf, type Target, type Transfer, transferOf, transferToCampaign } from './girocode.ts'
import { drawings, titleOf } from './wire.ts'

const Campaign = Type.Object({ campaignId: Type.Integer() })
const Donation = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })
const Token = Type.Object({ token: Type.String() })

const forms = { svg: 'image/svg+xml', png: 'image/png' } as const
type Form = keyof typeof forms

/** Codes that banking apps scan: with them nobody types an IBAN or forgets the reference. */
export function giroCodeRoutes({ app, db, settings }: Scope): void {
  function draw(request: FastifyRequest, reply: FastifyReply, transfer: Transfer, form: Form): never {
    const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
    const payload = payloadOf(transfer)
    const title = titleOf(transfer, language)
    reply
      .type(forms[form])
      .header('etag', contentTag(`2 ${form} ${title} ${payload}`))
      .serializer(asItIs)
    if (form === 'svg') reply.headers({ 'content-language': language, vary: 'Accept-Language' })
    // Whoever has it already needs no new one drawn.
    if (isFresh(request, reply)) return reply.send('') as never
    return reply.send(drawings.draw(form, payload, title)) as never
  }

  const described = (form: Form, summary: string, description = '') => ({
    summary: `${summary} as a GiroCode (${form.toUpperCase()})`,
    description: `${description}409 no-qr-code says why there is none.`,
    produces: forms[form],
    response: { 200: Type.String(form === 'png' ? { format: 'binary' } : {}) }
  })

  for (const form of ['svg', 'png'] as const) {
    app.get(`/campaigns/:campaignId/qr.${form}`, {
      config: { needs: 'nothing' },
      schema: {
        ...described(
          form,
          'A transfer to a campaign',
          'Without an amount; reference and name of the campaign are the text. '
        ),
        params: Campaign
      },
      handler: async (request, reply) => {
        const { campaignId } = request.params
        const campaign = await campaigns.find(db, campaignId, visibleTo(request.caller))
        if (campaign === undefined) throw campaignNotFound(campaignId)
        const { id, name, status, endsAt } = campaign
        const transfer = transferToCampaign({ ...targetOf(campaign), id, name, status, endsAt }, new Date())
        return draw(request, reply, transfer, form)
      }
    })

    app.get(`/campaigns/:campaignId/donations/:donationId/qr.${form}`, {
      config: { needs: ['treasurer'] },
      schema: { ...described(form, 'The transfer of a donation', 'With its amount and reference. '), params: Donation },
      handler: async (request, reply) => {
        const { campaignId, donationId } = request.params
        const campaign = await campaigns.find(db, campaignId, visibleTo(request.caller))
        if (campaign === undefined) throw campaignNotFound(campaignId)
        const donation = await donations.find(db, campaignId, donationId, 'all')
        if (donation === undefined) throw donationNotFound()
        return draw(request, reply, transferOf(donation, targetOf(campaign)), form)
      }
    })

    app.get(`/donations/by-token/:token/qr.${form}`, {
      config: { needs: 'nothing' },
      schema: {
        ...described(form, 'The transfer of an own donation', 'With its amount and reference. '),
        params: Token
      },
      handler: async (request, reply) => {
        const { token } = request.params
        const row = isDonorToken(token) ? await donations.findByToken(db, token) : undefined
        if (row === undefined) throw noDonationForToken()
        reply.header('cache-control', 'private, no-cache')
        const target = { iban: row.campaignIban, holder: row.campaignAccountName, currency: row.currency }
        return draw(request, reply, transferOf(row, target), form)
      }
    })
  }
}

const targetOf = (campaign: CampaignRow): Target => ({
  iban: campaign.iban,
  holder: campaign.accountName,
  currency: campaign.currency
})

const asItIs = (content: unknown) => content as string
