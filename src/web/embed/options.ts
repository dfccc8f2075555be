import type { PageContext } from '../server/context.ts'

export const views = ['list', 'compact'] as const

/** Display options of an embedded list. Invalid values are ignored. */
export interface EmbedOptions {
  view: (typeof views)[number]
  /** Number of events. */
  max: number
}

export const defaultEmbedOptions: EmbedOptions = { view: 'list', max: 5 }
/** Page size limit of the calendar API. */
export const eventsMax = 50

export function parseEmbedOptions({ query }: Pick<PageContext, 'query'>): EmbedOptions {
  const count = /^\d{1,4}$/.test(query.max ?? '') ? Number(query.max) : defaultEmbedOptions.max
  return {
    view: views.find(one => one === query.view) ?? defaultEmbedOptions.view,
    max: Math.min(Math.max(count, 1), eventsMax)
  }
}
