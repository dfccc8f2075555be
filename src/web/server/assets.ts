import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteContext } from '#platform/http/service.ts'

/** Scripts, styles and fonts of the build; their names contain a content hash. */
const folder = new URL(import.meta.url.includes('/dist/') ? '../assets/' : '../../../dist/web/assets/', import.meta.url)

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2'
}

let names: Record<string, string> | undefined

/** URL of an asset by its source name: `site.css`, `donate.js`. */
export function getAssetPath(name: string): string {
  names ??= JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Record<string, string>
  const built = names[name]
  if (built === undefined) throw new Error(`There is no asset ${name}: npm run build makes them.`)
  return `/assets/${built}`
}

interface AssetFile {
  type: string
  plain: Buffer
  gzip: Buffer | undefined
  brotli: Buffer | undefined
}

/** Scripts that other sites load: their URL never changes, so browsers have to revalidate them. */
const widgets = ['v1.js']

export function registerAssetRoutes({ app }: RouteContext): void {
  const served = new Map<string, AssetFile>()

  function find(name: string): AssetFile | undefined {
    const known = served.get(name)
    if (known !== undefined) return known
    getAssetPath('site.css')
    // Only files in the build's manifest are read, so that input never becomes a file path.
    if (!Object.values(names ?? {}).includes(name)) return undefined
    const made = load(name)
    served.set(name, made)
    return made
  }

  app.get('/assets/:name', {
    config: { requires: 'public', crossOrigin: 'load' },
    handler: async (request, reply) => {
      const found = find((request.params as { name: string }).name)
      return found === undefined ? reply.callNotFound() : send(request, reply, found, 'max-age=31536000, immutable')
    }
  })

  app.get('/widgets/:name', {
    config: { requires: 'public', crossOrigin: 'load' },
    handler: async (request, reply) => {
      const { name } = request.params as { name: string }
      const found = widgets.includes(name) ? find(getAssetPath(name).slice('/assets/'.length)) : undefined
      return found === undefined ? reply.callNotFound() : send(request, reply, found, 'max-age=600')
    }
  })
}

function send(request: FastifyRequest, reply: FastifyReply, found: AssetFile, kept: string): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  reply.headers({ 'content-type': found.type, 'cache-control': `public, ${kept}`, vary: 'Accept-Encoding' })
  if (found.brotli !== undefined && /\bbr\b/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(found.brotli)
  }
  if (found.gzip !== undefined && /\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(found.gzip)
  }
  return reply.send(found.plain)
}

function load(name: string): AssetFile {
  const plain = readFileSync(new URL(name, folder))
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const isText = extension !== 'woff2'
  return {
    type: types[extension] ?? 'application/octet-stream',
    plain,
    gzip: isText ? gzipSync(plain, { level: 9 }) : undefined,
    brotli: isText ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) : undefined
  }
}
