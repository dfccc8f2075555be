import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { hasRole } from '../caller.ts'
import { buildContentEtag, parseIfMatch } from '../http/etag.ts'
import { withIdempotency } from '../http/idempotency.ts'
import type { RouteContext } from '../http/service.ts'
import { changePage, createPage, getPage, removePage } from './page.ts'
import { newPageNotFoundProblem } from './problems.ts'
import * as pages from './queries.ts'
import { NewPage, PageChanges, SitePage } from './schema.ts'

const OfPage = Type.Object({ id: Type.Integer() })

export function registerPageRoutes(scope: RouteContext): void {
  const { app, db, settings } = scope

  app.get('/pages', {
    config: { requires: 'public', cache: { tags: ['site'] } },
    schema: {
      summary: 'List pages, in the order of the menus',
      description: 'About us, legal notice, privacy and other pages with rich text. Only editors see drafts.',
      response: { 200: Type.Array(SitePage) }
    },
    handler: async ({ caller }) => await pages.list(db, hasRole(caller, 'editor', 'viewer'))
  })

  app.post('/pages', {
    config: { requires: ['editor'], creates: true },
    schema: {
      summary: 'Create a page',
      description: 'A draft unless `status` says otherwise. HTML is sanitised on saving.',
      problems: { 400: ['too-much-markup'], 409: ['too-many-pages'], 422: ['no-text', 'slug-taken'] },
      body: NewPage,
      response: { 201: SitePage }
    },
    handler: async (request, reply) =>
      await withIdempotency(scope, request, reply, async tx => {
        const page = await createPage(tx, { by: request.caller, settings }, request.body)
        return { location: `/pages/${page.id}`, body: page, etag: buildPageEtag(page) }
      })
  })

  app.get('/pages/:id', {
    config: { requires: 'public', cache: { tags: ['site'] } },
    schema: {
      summary: 'Get a page',
      description: 'Its texts in all languages. Only editors see drafts.',
      problems: { 404: ['page-not-found'] },
      params: OfPage,
      response: { 200: SitePage }
    },
    handler: async ({ caller, params }, reply) => {
      const page = await getPage(db, params.id)
      if (page.status !== 'published' && !hasRole(caller, 'editor', 'viewer')) throw newPageNotFoundProblem(params.id)
      return toPageWithEtag(page, reply)
    }
  })

  app.patch('/pages/:id', {
    config: { requires: ['editor'] },
    schema: {
      summary: 'Update a page',
      description:
        'Omitted fields are kept, also those of one language. The addresses of about us, legal notice and privacy cannot be changed.',
      problems: {
        400: ['required', 'too-much-markup'],
        404: ['page-not-found'],
        422: ['always-linked', 'always-published', 'fixed-slug', 'no-text', 'slug-taken']
      },
      params: OfPage,
      body: PageChanges,
      response: { 200: SitePage }
    },
    handler: async (request, reply) => {
      const { caller, params, body } = request
      const context = { by: caller, settings, expected: parseIfMatch(request) }
      return toPageWithEtag(await changePage(db, context, params.id, body), reply)
    }
  })

  app.delete('/pages/:id', {
    config: { requires: ['editor'] },
    schema: {
      summary: 'Delete a page permanently',
      description: 'Its address is no longer found. About us, legal notice and privacy cannot be deleted.',
      problems: { 404: ['page-not-found'], 409: ['built-in-page'] },
      params: OfPage,
      response: { 204: Type.Null() }
    },
    handler: async (request, reply) => {
      await removePage(db, { by: request.caller, expected: parseIfMatch(request) }, request.params.id)
      return reply.code(204).send(null)
    }
  })
}

function buildPageEtag(page: SitePage): string {
  return buildContentEtag(JSON.stringify(page), page.version)
}

function toPageWithEtag(page: SitePage, reply: FastifyReply): SitePage {
  reply.header('etag', buildPageEtag(page))
  return page
}
