import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ContentCoding, negotiateCoding } from '#platform/http/content-coding.ts'
import type { RouteContext } from '#platform/http/service.ts'

/** Scripts, styles and fonts of the build; their names contain a content hash. */
const folder = import.meta.url.includes('/dist/') ? new URL('../assets/', import.meta.url) : findNewest()

/** Run from the source, the program uses what was built last. */
function findNewest(): URL {
  const builds = new URL('../../../dist/', import.meta.url)
  return new URL(`${readFileSync(new URL('current', builds), 'utf8')}/web/assets/`, builds)
}

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
  if (built === undefined) throw new Error(`Asset ${name} not found. Run npm run build.`)
  return `/assets/${built}`
}

interface AssetFile {
  type: string
  plain: Buffer
  /** Compressed by the build; fonts are compressed already. */
  encoded: Record<ContentCoding, Buffer> | undefined
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
    // Served from memory: an error page under overload needs its styles.
    config: { requires: 'public', crossOrigin: 'load', neverShed: true },
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
  const { coding } = negotiateCoding(request.headers['accept-encoding']?.toString())
  reply.headers({ 'content-type': found.type, 'cache-control': `public, ${kept}`, vary: 'Accept-Encoding' })
  if (found.encoded === undefined || coding === undefined) return reply.send(found.plain)
  return reply.header('content-encoding', coding).send(found.encoded[coding])
}

function load(name: string): AssetFile {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const read = (file: string) => readFileSync(new URL(file, folder))
  return {
    type: types[extension] ?? 'application/octet-stream',
    plain: read(name),
    encoded: extension === 'woff2' ? undefined : { br: read(`${name}.br`), gzip: read(`${name}.gz`) }
  }
}
