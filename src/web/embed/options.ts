import type { PageContext } from '../server/context.ts'

export const views = ['list', 'compact'] as const

/** How an embedded list looks. What makes no sense is as if it were not said. */
export interface EmbedOptions {
  view: (typeof views)[number]
  /** How many events. */
  max: number
}

export const defaultEmbedOptions: EmbedOptions = { view: 'list', max: 5 }
/** As many as a list of the calendar has at once. */
export const eventsMax = 50

export function parseEmbedOptions({ query }: Pick<PageContext, 'query'>): EmbedOptions {
  const count = /^\d{1,4}$/.test(query.max ?? '') ? Number(query.max) : defaultEmbedOptions.max
  return {
    view: views.find(one => one === query.view) ?? defaultEmbedOptions.view,
    max: Math.min(Math.max(count, 1), eventsMax)
  }
}
