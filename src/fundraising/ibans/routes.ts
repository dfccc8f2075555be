import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { preferredLanguage } from '#platform/language.ts'
import type { Scope } from '#platform/service.ts'
import { normalIban } from '../iban.ts'
import { notAnIban } from '../problems.ts'
import { IbanAnswer, IbanQuestion } from './schema.ts'
import { toWire } from './wire.ts'

/** A form asks once for each number that somebody types; whoever asks more is looking for something else. */
const limit = { name: 'ibans', perMinute: 60 }

export function ibanRoutes({ app, settings }: Scope): void {
  function answer(request: FastifyRequest, reply: FastifyReply, text: string): IbanAnswer {
    const iban = normalIban(text)
    if (iban === undefined) throw notAnIban()
    const language = preferredLanguage(request.headers['accept-language'], settings.defaultLanguage)
    reply.headers({ 'content-language': language, vary: 'Accept-Language' })
    return toWire(iban, language)
  }

  app.get('/ibans/:iban', {
    config: { needs: 'nothing', limit },
    schema: {
      summary: 'Look at an IBAN: is it valid, and which bank is it?',
      description:
        'For accounts that everybody may know. Addresses stand in the logs of proxies, so a form in which people write ' +
        'their own account uses POST /ibans.',
      params: Type.Object({ iban: Type.String({ examples: ['DE89370400440532013000'] }) }),
      response: { 200: IbanAnswer }
    },
    handler: async (request, reply) => answer(request, reply, request.params.iban)
  })

  app.post('/ibans', {
    config: { needs: 'nothing', limit },
    schema: {
      summary: 'Look at an IBAN without its standing in an address',
      description: 'Answers the same and keeps nothing.',
      body: IbanQuestion,
      response: { 200: IbanAnswer }
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return answer(request, reply, request.body.iban)
    }
  })
}
