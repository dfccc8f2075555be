import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Settings } from '../config.ts'
import { buildText } from '../messages/messages.ts'
import { Problem } from '../problem.ts'
import { buildUrl } from './links.ts'

export const pageSize = 50
export const pageSizeMax = 200

export const Paging = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSize, description: 'Number of items per page.' })
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'Cursor, taken from the link to the next page.' }))
})
export type Paging = Static<typeof Paging>

/** Few different sizes, because each is a prepared statement of its own; surplus rows are cut off. */
const fetchSizes = [11, 51, 101, 201]

/** At least one row more than the page has, to know whether there is a next one. */
export function getFetchSize(limit = pageSize): number {
  return fetchSizes.find(size => size > limit) ?? pageSizeMax + 1
}

export function encodeCursor(position: number | string): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** Decodes the position in a cursor; refuses a cursor that is in none of our links. */
export function decodeCursor<Position>(
  cursor: string | undefined,
  parse: (text: string) => Position | undefined
): Position | undefined {
  if (cursor === undefined) return undefined
  const position = parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (position !== undefined) return position
  const message = buildText('request-problems', 'cursor')
  throw new Problem(400, 'invalid-input', message, {
    errors: [{ in: 'query', pointer: '/cursor', code: 'cursor', message }]
  })
}

export function parseNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

export function parseUuid(text: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : undefined
}

/** Responds with a bare array; the total and the links to the previous and next page are in headers. */
export function sendPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  page: {
    rows: Row[]
    limit: number | undefined
    total: number
    cursorAfter: (row: Row) => string
    /**
     * Positions of the rows before the page, nearest first, up to `getFetchSize`; without them there is no `prev` link.
     */
    positionsBefore?: (number | string)[]
  }
): Row[] {
  const limit = page.limit ?? pageSize
  const rows = page.rows.slice(0, limit)
  const last = rows.at(-1)
  const linkTo = (cursor: string | undefined, rel: 'prev' | 'next') => {
    const [path = '', query = ''] = request.url.split('?', 2)
    const parameters = new URLSearchParams(query)
    parameters.set('limit', String(limit))
    if (cursor === undefined) parameters.delete('cursor')
    else parameters.set('cursor', cursor)
    return `<${buildUrl(request, settings, `${path}?${parameters}`)}>; rel="${rel}"`
  }
  const { positionsBefore = [] } = page
  const previous = positionsBefore[limit]
  const links = [
    ...(page.rows.length > limit && last !== undefined ? [linkTo(page.cursorAfter(last), 'next')] : []),
    ...(positionsBefore.length === 0
      ? []
      : [linkTo(previous === undefined ? undefined : encodeCursor(previous), 'prev')])
  ]
  reply.header('x-total-count', String(page.total))
  if (links.length > 0) reply.header('link', [...links, reply.getHeader('link')].filter(Boolean).join(', '))
  return rows
}

/** Links to the previous and next page of a list whose pages have numbers. */
export function linkNumberedPages(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  { page, pages }: { page: number; pages: number }
): void {
  const [path = '', query = ''] = request.url.split('?', 2)
  const linkTo = (number: number, rel: 'prev' | 'next') => {
    const parameters = new URLSearchParams(query)
    parameters.set('page', String(number))
    return `<${buildUrl(request, settings, `${path}?${parameters}`)}>; rel="${rel}"`
  }
  const links = [
    ...(page < pages ? [linkTo(page + 1, 'next')] : []),
    ...(page > 1 && pages > 0 ? [linkTo(Math.min(page - 1, pages), 'prev')] : [])
  ]
  if (links.length > 0) reply.header('link', links.join(', '))
}
