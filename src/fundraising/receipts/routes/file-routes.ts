import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { fetchBatches, prefetchFirst } from '#platform/database/streaming.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { writeZip } from '#platform/zip/zip-writer.ts'
import { newNoReceiptsToPrintProblem } from '../../problems/receipts.ts'
import { filesAtOnce, listFiles, type ReceiptFile } from '../file-queries.ts'
import { mergePdfs } from '../pdf/merge.ts'
import { ReceiptsToPrint } from '../schema.ts'

/** All receipts of a year in one download, for printing and archiving. */
export function registerReceiptFileRoutes({ app, db }: RouteContext): void {
  app.get('/receipts.pdf', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Download all receipts of a year as one PDF file for printing',
      description: 'Valid receipts, by number, with their pages as issued.',
      problems: { 404: ['no-receipts-to-print'] },
      querystring: ReceiptsToPrint,
      produces: 'application/pdf',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ query }, reply) => {
      async function* pages(files: AsyncIterable<ReceiptFile>) {
        for await (const { file } of files) yield file
      }
      const title = `Zuwendungsbestätigungen ${query.year}`
      const merged = mergePdfs(pages(await filesOf(query)), { title, madeAt: new Date() })
      return sendFile(reply, 'application/pdf', `receipts-${query.year}.pdf`, merged)
    }
  })

  app.get('/receipts.zip', {
    config: { requires: ['treasurer'] },
    schema: {
      summary: 'Download all receipts of a year as a ZIP archive with one PDF file each',
      description: 'Valid receipts, each byte for byte as issued.',
      problems: { 404: ['no-receipts-to-print'] },
      querystring: ReceiptsToPrint,
      produces: 'application/zip',
      response: { 200: Type.String({ format: 'binary' }) }
    },
    handler: async ({ query }, reply) => {
      async function* entries(files: AsyncIterable<ReceiptFile>) {
        for await (const { number, file, issuedAt } of files) {
          yield { name: `${number}.pdf`, content: file, modifiedAt: new Date(issuedAt) }
        }
      }
      const zip = writeZip(entries(await filesOf(query)))
      return sendFile(reply, 'application/zip', `receipts-${query.year}.zip`, zip)
    }
  })

  /** Streams the files in small batches; throws before the response begins if there are none. */
  async function filesOf(query: ReceiptsToPrint): Promise<AsyncIterable<ReceiptFile>> {
    let isEmpty = true
    async function* all() {
      for await (const chunk of fetchBatches<ReceiptFile>(
        async last => await listFiles(db, query, last),
        filesAtOnce
      )) {
        isEmpty = false
        yield* chunk
      }
    }
    const files = await prefetchFirst(all())
    if (isEmpty) throw newNoReceiptsToPrintProblem()
    return files
  }
}

function sendFile(reply: FastifyReply, type: string, name: string, content: AsyncIterable<Buffer>): never {
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'private, no-store')
    .send(Readable.from(content) as never) as never
}
