import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { RouteContext } from '#platform/http/service.ts'
import { negotiateLanguage } from '#platform/language.ts'
import { normalizeIban } from '../money/iban.ts'
import { newIbanFormatProblem } from '../problems/donations.ts'
import { IbanInfo, IbanRequest } from './schema.ts'
import { toWire } from './wire.ts'

/** A form sends one request per typed IBAN; a client that sends more is not a form. */
const limit = { name: 'ibans', perMinute: 60 }

export function registerIbanRoutes({ app, settings }: RouteContext): void {
  function answer(request: FastifyRequest, reply: FastifyReply, text: string): IbanInfo {
    const iban = normalizeIban(text)
    if (iban === undefined) throw newIbanFormatProblem()
    const language = negotiateLanguage(request.headers['accept-language'], settings.defaultLanguage)
    reply.headers({ 'content-language': language, vary: 'Accept-Language' })
    return toWire(iban, language)
  }

  app.get('/ibans/:iban', {
    config: { requires: 'public', rateLimit: limit },
    schema: {
      summary: 'Validate an IBAN and look up its bank',
      description:
        'For public accounts. URLs appear in the logs of proxies, so forms for private accounts should ' +
        'use POST /ibans.',
      problems: { 400: ['iban-form'] },
      params: Type.Object({ iban: Type.String({ examples: ['DE89370400440532013000'] }) }),
      response: { 200: IbanInfo }
    },
    handler: async (request, reply) => answer(request, reply, request.params.iban)
  })

  app.post('/ibans', {
    config: { requires: 'public', rateLimit: limit },
    schema: {
      summary: 'Validate an IBAN (in the body, so that it is not logged in URLs)',
      description: 'Same response; nothing is stored.',
      problems: { 400: ['iban-form'] },
      body: IbanRequest,
      response: { 200: IbanInfo }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return answer(request, reply, request.body.iban)
    }
  })
}
