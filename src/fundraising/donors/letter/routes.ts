import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { fetchBatches, prefetchFirst } from '#platform/database/streaming.ts'
import { buildVersionEtag, parseIfMatch } from '#platform/http/etag.ts'
import { withIdempotency } from '#platform/http/idempotency.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { type Language, legalLanguages } from '#platform/language.ts'
import {
  newLetterNotFoundProblem,
  newLetterTextNotFoundProblem,
  newNoLetterToPrintProblem
} from '../../problems/donors.ts'
import { mergePdfs } from '../../receipts/pdf/merge.ts'
import { linkDonors } from '../linking/link-donors.ts'
import { DonorParams } from '../listing/schema.ts'
import { findLetterSummary, startLetterRun, writeLetter } from './letter.ts'
import { changeLetterText, readLetterTexts } from './letter-text.ts'
import * as letters from './queries.ts'
import {
  Letter,
  LetterSummary,
  LetterText,
  LetterTextChange,
  LetterTextParams,
  LetterYear,
  NewLetter
} from './schema.ts'
import { toLetterJson } from './wire.ts'

/** Annual letters of thanks, for treasurers. They certify nothing. */
export function registerDonorLetterRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope
  const requires = ['treasurer'] as const

  app.post('/donor-records/:donorId/letters', {
    config: { requires, creates: true },
    schema: {
      summary: 'Create the annual letter of a donor',
      description:
        'A letter of thanks as a PDF file with the sum and the list of gifts of the year. It is no donation receipt. The file is stored as it was written.',
      problems: {
        404: ['donor-not-found'],
        409: ['letter-sender-missing'],
        422: ['address-missing', 'letter-not-printable', 'nothing-received']
      },
      params: DonorParams,
      body: NewLetter,
      response: { 201: Letter }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const letter = await writeLetter(tx, { by: request.caller, settings }, request.params.donorId, request.body)
        return {
          location: `/donor-letters/${letter.id}/letter.pdf`,
          body: toLetterJson(letter),
          etag: buildVersionEtag(1)
        }
      })
  })

  app.get('/donor-letters/:letterId/letter.pdf', {
    config: { requires },
    schema: {
      summary: 'Download an annual letter',
      description: 'The PDF file as it was written.',
      problems: { 404: ['letter-not-found'] },
      params: Type.Object({ letterId: Type.String({ format: 'uuid' }) }),
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ params }, reply) => {
      const found = await letters.findFile(db, params.letterId)
      if (found === undefined) throw newLetterNotFoundProblem()
      return sendFile(reply, `letter-${found.year}.pdf`, Readable.from([found.file]))
    }
  })

  app.get('/donor-letters.pdf', {
    config: { requires },
    schema: {
      summary: 'Download all annual letters of a year as one PDF file for printing',
      description: 'Letters in the order in which they were written.',
      problems: { 404: ['no-letters-to-print'] },
      querystring: LetterYear,
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ query: { year } }, reply) => {
      let isEmpty = true
      async function* all() {
        const batches = fetchBatches<{ id: string; file: Buffer }>(
          async last => await letters.listFiles(db, year, last),
          letters.filesAtOnce
        )
        for await (const batch of batches) {
          isEmpty = false
          for (const { file } of batch) yield file
        }
      }
      const files = await prefetchFirst(all())
      if (isEmpty) throw newNoLetterToPrintProblem()
      const merged = mergePdfs(files, { title: `${year}`, madeAt: new Date() })
      return sendFile(reply, `letters-${year}.pdf`, Readable.from(merged))
    }
  })

  app.get('/donor-letters/summary', {
    config: { requires },
    schema: {
      summary: 'Get the number of annual letters of a year: written, due, without address',
      description: 'Counts the donors whose money was received in the year.',
      querystring: LetterYear,
      response: { 200: LetterSummary }
    },
    handler: async ({ query }, reply) => {
      reply.header('cache-control', 'private, no-store')
      await linkDonors(db, settings, { rounds: 1 })
      return await findLetterSummary(db, query.year)
    }
  })

  app.post('/donor-letters', {
    config: { requires },
    schema: {
      summary: 'Create the annual letters of all donors of a year who have none yet',
      description:
        'Runs in the background. Donors without a postal address, or with characters that cannot be printed, are left out.',
      problems: { 409: ['letter-sender-missing'] },
      body: NewLetter,
      response: { 202: LetterSummary }
    },
    handler: async (request, reply) => {
      await linkDonors(db, settings)
      await startLetterRun(db, { by: request.caller }, request.body)
      reply.code(202)
      return await findLetterSummary(db, request.body.year)
    }
  })

  app.get('/letter-texts', {
    config: { requires },
    schema: {
      summary: 'List the texts of annual letters in all languages',
      description: 'Texts around the list of gifts.',
      response: { 200: Type.Array(LetterText) }
    },
    handler: async () => {
      const texts = await readLetterTexts(db)
      return legalLanguages.map(language => texts[language])
    }
  })

  app.get('/letter-texts/:language', {
    config: { requires },
    schema: {
      summary: 'Get the text of annual letters in a language',
      description: 'Texts around the list of gifts.',
      problems: { 404: ['letter-text-not-found'] },
      params: LetterTextParams,
      response: { 200: LetterText }
    },
    handler: async ({ params }, reply) => {
      const text = (await readLetterTexts(db))[requireLanguage(params.language)]
      reply.header('etag', buildVersionEtag(text.version))
      return text
    }
  })

  app.put('/letter-texts/:language', {
    config: { requires },
    schema: {
      summary: 'Update the text of annual letters in a language',
      description: 'Letters that were written before stay as they are.',
      problems: { 404: ['letter-text-not-found'] },
      params: LetterTextParams,
      body: LetterTextChange,
      response: { 200: LetterText }
    },
    handler: async (request, reply) => {
      const actor = { by: request.caller, expected: parseIfMatch(request) }
      const text = await changeLetterText(db, actor, requireLanguage(request.params.language), request.body)
      reply.header('etag', buildVersionEtag(text.version))
      return text
    }
  })
}

function requireLanguage(text: string): Language {
  const language = legalLanguages.find(one => one === text)
  if (language === undefined) throw newLetterTextNotFoundProblem()
  return language
}

function sendFile(reply: FastifyReply, name: string, content: Readable): never {
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'private, no-store')
    .send(content as never) as never
}
