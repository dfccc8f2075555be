import { parseIfMatch, requireVersion } from '#platform/http/etag.ts'
import type { RouteContext } from '#platform/http/service.ts'
import { newPageNotFoundProblem, newRouteNotFoundProblem } from '../contract/problems.ts'
import { buildListResult, pagingParams, parsePage } from '../contract/routing/paging.ts'
import { defineRoute, type RouteTable } from '../contract/routing/route.ts'
import { buildListSchema } from '../contract/shapes.ts'
import { newFileNotFoundProblem, removeFile } from './file.ts'
import * as files from './queries.ts'
import { fileSchema, toFileJson } from './wire.ts'

/** Files are copied and deleted, never updated, so the version is constant. */
const onlyVersion = 1

const editorRoles = ['editor'] as const

export function registerFileRoutes(scope: RouteContext, table: RouteTable): void {
  defineRoute(scope, table, {
    methods: ['GET'],
    path: '/files',
    requires: editorRoles,
    summary: 'List files, newest first',
    description: 'Documents that imports have copied, because texts link to them.',
    problems: { 404: ['file-archive-page-not-found'] },
    params: pagingParams,
    response: buildListSchema('files', fileSchema),
    handler: async (context, values) => {
      const page = parsePage(values)
      const { rows, total } = await files.list(context.db, page)
      const items = rows.map(row => toFileJson(row, context.site))
      return buildListResult(context, 'files', items, {
        page,
        total,
        query: {},
        beyond: () => newPageNotFoundProblem('file')
      })
    }
  })

  defineRoute(scope, table, {
    methods: ['DELETE'],
    path: '/files/{id}',
    requires: editorRoles,
    summary: 'Delete a file permanently',
    description: 'Links to it then return 404.',
    problems: { 404: ['rest-file-not-found'] },
    params: {},
    response: fileSchema,
    handler: async (context, _values, { id }) => {
      const found = await files.find(context.db, id)
      if (found === undefined) throw newFileNotFoundProblem(id)
      requireVersion(parseIfMatch(context.request), onlyVersion)
      await removeFile(context, id)
      return { body: toFileJson(found, context.site), version: onlyVersion }
    }
  })

  scope.app.get('/files/:id/:token/:name', {
    config: { requires: 'public' },
    schema: {
      summary: 'Download a file',
      description: 'Always as a download. The bytes at a URL never change, so it can be cached permanently.',
      problems: { 404: ['rest_no_route'] },
      params: {
        type: 'object',
        properties: { id: { type: 'integer' }, token: { type: 'string' }, name: { type: 'string' } }
      },
      produces: 'application/*',
      response: { 200: { type: 'string', format: 'binary' } }
    },
    handler: async (request, reply) => {
      const { id = '', token = '' } = request.params as Record<string, string>
      const isOurs = /^\d{1,15}$/.test(id) && /^[0-9a-f]{16}$/.test(token)
      const file = isOurs ? await files.findContent(scope.db, Number(id), token) : undefined
      if (file === undefined) throw newRouteNotFoundProblem()
      return reply
        .headers({
          'content-type': file.mimeType,
          // Never shown inside a page: a document may hold scripts.
          'content-disposition': `attachment; filename="${file.name.replace(/[^\w.-]/g, '_')}.${file.extension}"`,
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${token}"`
        })
        .serializer(passThrough)
        .send(file.bytes as unknown as string)
    }
  })
}

const passThrough = (bytes: unknown) => bytes as string
