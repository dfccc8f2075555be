import { contentTag } from '#platform/conditional.ts'
import type { CallInside, InsideAnswer, InsideCall } from '#platform/inside.ts'
import type { SiteInfo } from './site-info.ts'

/** Time shows on pages (today, on now, an hour ago), so none is used longer than this. */
const usableMs = 1000
const keptMax = 100

/** A page, and the answers of the services that it was made of. */
export interface Rendering {
  site: SiteInfo
  asked: { call: InsideCall; answer: InsideAnswer }[]
  bytes: Buffer
  headers: Record<string, string>
  /** When its questions were put, counted in writes through this process; undefined where writes go past it. */
  moment: number | undefined
  untilMs: number
}

/**
 * Pages of the last second. As long as nothing is written through this process, they are good as they are; what another
 * process writes is seen a second later at most. After a write the services are asked again what the page was made of, and
 * only if one of them says something else is it rendered anew.
 */
export interface Renderings {
  /** The page that somebody else waits for already, if nothing was written since. */
  underway(key: string, moment: number | undefined): Promise<Rendering | undefined>
  /** Makes a page for all who ask meanwhile; undefined if it is for one visitor only. */
  make(
    key: string,
    moment: number | undefined,
    render: () => Promise<Rendering | undefined>
  ): Promise<Rendering | undefined>
  /** The page if it is still good; what was answered, by path, if it is not. */
  recall(
    key: string,
    site: SiteInfo,
    moment: number | undefined,
    ask: (call: InsideCall) => Promise<InsideAnswer>
  ): Promise<{ known?: Rendering; answers: Map<string, InsideAnswer> }>
  keep(key: string, made: Omit<Rendering, 'bytes' | 'untilMs'>, html: string): Rendering
}

export function newRenderings(): Renderings {
  const kept = new Map<string, Rendering>()
  const flights = new Map<string, { moment: number; page: Promise<Rendering | undefined> }>()

  return {
    underway: async (key, moment) => {
      const flight = flights.get(key)
      return flight !== undefined && flight.moment === moment ? await flight.page : undefined
    },

    make: async (key, moment, render) => {
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

    recall: async (key, site, moment, ask) => {
      const known = kept.get(key)
      if (known === undefined || known.site !== site || known.untilMs < Date.now()) return { answers: new Map() }
      if (moment !== undefined && known.moment === moment) return { known, answers: new Map() }
      const answers = new Map<string, InsideAnswer>()
      let isSame = true
      await Promise.all(
        known.asked.map(async ({ call, answer }) => {
          const now = await ask(call)
          answers.set(call.path, now)
          isSame = isSame && answer.status === now.status && answer.text === now.text
        })
      )
      if (!isSame) return { answers }
      known.moment = moment
      return { known, answers }
    },

    keep: (key, made, html) => {
      if (kept.size >= keptMax) kept.clear()
      const bytes = Buffer.from(html)
      const headers = { ...made.headers, etag: contentTag(bytes) }
      const rendering = { ...made, headers, bytes, untilMs: Date.now() + usableMs }
      kept.set(key, rendering)
      return rendering
    }
  }
}

/** Notes what a page asks, and answers what is known already. */
export function noting(call: CallInside, known: Map<string, InsideAnswer>) {
  const asked: Rendering['asked'] = []
  const noted: CallInside = async (visitor, one) => {
    const answer = known.get(one.path) ?? (await call(visitor, one))
    asked.push({ call: one, answer })
    return answer
  }
  return { asked, noted }
}
