import { buildContentEtag } from '#platform/http/etag.ts'
import type { InternalClient, InternalRequest, InternalResponse } from '#platform/http/internal-client.ts'
import type { SiteSettings } from '../server/site-settings.ts'

/** Time shows on pages (today, on now, an hour ago), so none is used longer than this. */
const usableMs = 1000
const keptMax = 100

/** A page, and the answers of the services that it was made of. */
export interface RenderedPage {
  site: SiteSettings
  requests: { call: InternalRequest; answer: InternalResponse }[]
  bytes: Buffer
  headers: Record<string, string>
  /** When its questions were put, counted in writes through this process; undefined where writes go past it. */
  generation: number | undefined
  untilMs: number
}

/**
 * Pages of the last second. As long as nothing is written through this process, they are good as they are; what another
 * process writes is seen a second later at most. After a write the services are asked again what the page was made of, and
 * only if one of them says something else is it rendered anew.
 */
export interface PageCache {
  /** The page that somebody else waits for already, if nothing was written since. */
  findInFlight(key: string, moment: number | undefined): Promise<RenderedPage | undefined>
  /** Makes a page for all who ask meanwhile; undefined if it is for one visitor only. */
  render(
    key: string,
    moment: number | undefined,
    render: () => Promise<RenderedPage | undefined>
  ): Promise<RenderedPage | undefined>
  /** The page if it is still good; what was answered, by path, if it is not. */
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

/** Notes what a page asks, and answers what is known already. */
export function recordRequests(call: InternalClient, known: Map<string, InternalResponse>) {
  const asked: RenderedPage['requests'] = []
  const noted: InternalClient = async (visitor, one) => {
    const answer = known.get(one.path) ?? (await call(visitor, one))
    asked.push({ call: one, answer })
    return answer
  }
  return { asked, noted }
}
