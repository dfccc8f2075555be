import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { buildContentEtag, isFresh } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { getVisibility } from '../../campaigns/campaign.ts'
import type { CampaignRow } from '../../campaigns/queries.ts'
import * as campaigns from '../../campaigns/queries.ts'
import * as donations from '../../donations/queries.ts'
import { isDonorToken } from '../../encryption/donor-token.ts'
import { newCampaignNotFoundProblem } from '../../problems/campaigns.ts'
import { newDonationNotFoundProblem, newDonationTokenNotFoundProblem } from '../../problems/donations.ts'
import {
  buildPayload,
  createCampaignTransfer,
  createDonationTransfer,
  type Transfer,
  type TransferTarget
} from './girocode.ts'
import { formatTitle, imageCache } from './qr-image.ts'

const CampaignParams = Type.Object({ campaignId: Type.Integer() })
const DonationParams = Type.Object({ campaignId: Type.Integer(), donationId: Type.String({ format: 'uuid' }) })
const TokenParams = Type.Object({ token: Type.String() })

const contentTypes = { svg: 'image/svg+xml', png: 'image/png' } as const
type ImageFormat = keyof typeof contentTypes

/** QR codes for banking apps, so that donors need not type an IBAN and do not forget the reference. */
export function registerGiroCodeRoutes({ app, db, settings }: RouteContext): void {
  function draw(request: FastifyRequest, reply: FastifyReply, transfer: Transfer, form: ImageFormat): never {
    const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
    const payload = buildPayload(transfer)
    const title = formatTitle(transfer, language)
    reply
      .type(contentTypes[form])
      .header('etag', buildContentEtag(`2 ${form} ${title} ${payload}`))
      .serializer(passThrough)
    if (form === 'svg') reply.headers({ 'content-language': language, vary: 'Accept-Language' })
    // A client with a fresh copy gets a 304 without rendering.
    if (isFresh(request, reply)) return reply.send('') as never
    return reply.send(imageCache.draw(form, payload, title)) as never
  }

  const described = (form: ImageFormat, summary: string, description = '') => ({
    summary: `Get a GiroCode ${summary} (${form.toUpperCase()})`,
    description: `${description}409 no-qr-code gives the reason if there is none.`,
    produces: contentTypes[form],
    response: { 200: Type.String(form === 'png' ? { format: 'binary' } : {}) }
  })

  for (const form of ['svg', 'png'] as const) {
    app.get(`/campaigns/:campaignId/qr.${form}`, {
      config: { requires: 'public' },
      schema: {
        ...described(
          form,
          'for a transfer to a campaign',
          'It has no amount; the remittance text is the reference and name of the campaign. '
        ),
        problems: { 404: ['campaign-not-found'], 409: ['no-qr-code'] },
        params: CampaignParams
      },
      handler: async (request, reply) => {
        const { campaignId } = request.params
        const campaign = await campaigns.find(db, campaignId, getVisibility(request.caller))
        if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
        const { id, name, status, endsAt } = campaign
        const transfer = createCampaignTransfer({ ...toTarget(campaign), id, name, status, endsAt }, new Date())
        return draw(request, reply, transfer, form)
      }
    })

    app.get(`/campaigns/:campaignId/donations/:donationId/qr.${form}`, {
      config: { requires: ['treasurer'] },
      schema: {
        ...described(form, 'for the transfer of a donation', 'It has the amount and the reference. '),
        problems: { 404: ['campaign-not-found', 'donation-not-found'], 409: ['no-qr-code'] },
        params: DonationParams
      },
      handler: async (request, reply) => {
        const { campaignId, donationId } = request.params
        const campaign = await campaigns.find(db, campaignId, getVisibility(request.caller))
        if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
        const donation = await donations.find(db, campaignId, donationId, 'all')
        if (donation === undefined) throw newDonationNotFoundProblem()
        return draw(request, reply, createDonationTransfer(donation, toTarget(campaign)), form)
      }
    })

    app.get(`/donations/by-token/:token/qr.${form}`, {
      config: { requires: 'public' },
      schema: {
        ...described(form, 'for the transfer of your donation', 'It has the amount and the reference. '),
        problems: { 404: ['donation-not-found'], 409: ['no-qr-code'] },
        params: TokenParams
      },
      handler: async (request, reply) => {
        const { token } = request.params
        const row = isDonorToken(token) ? await donations.findByToken(db, token) : undefined
        if (row === undefined) throw newDonationTokenNotFoundProblem()
        reply.header('cache-control', 'private, no-cache')
        const target = { iban: row.campaignIban, holder: row.campaignAccountName, currency: row.currency }
        return draw(request, reply, createDonationTransfer(row, target), form)
      }
    })
  }
}

const toTarget = (campaign: CampaignRow): TransferTarget => ({
  iban: campaign.iban,
  holder: campaign.accountName,
  currency: campaign.currency
})

const passThrough = (content: unknown) => content as string
