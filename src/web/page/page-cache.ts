import { buildContentEtag } from '#platform/http/etag.ts'
import type { InternalClient, InternalRequest, InternalResponse } from '#platform/http/internal-client.ts'
import type { SiteSettings } from '../server/site-settings.ts'

/** Pages show relative times (today, on now, an hour ago), so none is cached longer than this. */
const usableMs = 1000
const keptMax = 100

/** A rendered page, with the API responses it was rendered from. */
export interface RenderedPage {
  site: SiteSettings
  requests: { call: InternalRequest; answer: InternalResponse }[]
  bytes: Buffer
  headers: Record<string, string>
  /** Write generation of this process when the API was called; undefined if writes bypass this process. */
  generation: number | undefined
  untilMs: number
}

/**
 * Caches pages for one second. While nothing is written through this process, cached pages are used as they are; writes
 * of other processes show after a second at most. After a write the page's API calls are repeated, and it is rendered
 * again only if a response differs.
 */
export interface PageCache {
  /** The page that another request is rendering, if nothing was written since it began. */
  findInFlight(key: string, moment: number | undefined): Promise<RenderedPage | undefined>
  /** Renders once for all concurrent requests; undefined if the page is for one visitor only. */
  render(
    key: string,
    moment: number | undefined,
    render: () => Promise<RenderedPage | undefined>
  ): Promise<RenderedPage | undefined>
  /** The page if it is still valid; otherwise the new API responses, by path. */
  revalidate(
    key: string,
    site: SiteSettings,
    moment: number | undefined,
    ask: (call: InternalRequest) => Promise<InternalResponse>
  ): Promise<{ known?: RenderedPage; answers: Map<string, InternalResponse> }>
  store(key: string, made: Omit<RenderedPage, 'bytes' | 'untilMs'>, html: string): RenderedPage
}

export function newPageCache(): PageCache {
  const kept = new Map<string, RenderedPage>()
  const flights = new Map<string, { moment: number; page: Promise<RenderedPage | undefined> }>()

  return {
    findInFlight: async (key, moment) => {
      const flight = flights.get(key)
      return flight !== undefined && flight.moment === moment ? await flight.page : undefined
    },

    render: async (key, moment, render) => {
      const page = render()
      if (moment === undefined) return await page
      const flight = { moment, page }
      flights.set(key, flight)
      try {
        return await page
      } finally {
        if (flights.get(key) === flight) flights.delete(key)
      }
    },

    revalidate: async (key, site, moment, ask) => {
      const known = kept.get(key)
      if (known === undefined || known.site !== site || known.untilMs < Date.now()) return { answers: new Map() }
      if (moment !== undefined && known.generation === moment) return { known, answers: new Map() }
      const answers = new Map<string, InternalResponse>()
      let isSame = true
      await Promise.all(
        known.requests.map(async ({ call, answer }) => {
          const now = await ask(call)
          answers.set(call.path, now)
          isSame = isSame && answer.status === now.status && answer.text === now.text
        })
      )
      if (!isSame) return { answers }
      known.generation = moment
      return { known, answers }
    },

    store: (key, made, html) => {
      if (kept.size >= keptMax) kept.clear()
      const bytes = Buffer.from(html)
      const headers = { ...made.headers, etag: buildContentEtag(bytes) }
      const rendering = { ...made, headers, bytes, untilMs: Date.now() + usableMs }
      kept.set(key, rendering)
      return rendering
    }
  }
}

/** Records the API calls of a page, and reuses responses that are already known. */
export function recordRequests(call: InternalClient, known: Map<string, InternalResponse>) {
  const asked: RenderedPage['requests'] = []
  const noted: InternalClient = async (visitor, one) => {
    const answer = known.get(one.path) ?? (await call(visitor, one))
    asked.push({ call: one, answer })
    return answer
  }
  return { asked, noted }
}
