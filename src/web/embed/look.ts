import type { Visit } from '../visit.ts'

export const views = ['list', 'compact'] as const

/** How an embedded list looks. What makes no sense is as if it were not said. */
export interface Look {
  view: (typeof views)[number]
  /** How many events. */
  max: number
}

export const standardLook: Look = { view: 'list', max: 5 }
/** As many as a list of the calendar has at once. */
export const maxMax = 50

export function lookIn({ query }: Pick<Visit, 'query'>): Look {
  const count = /^\d{1,4}$/.test(query.max ?? '') ? Number(query.max) : standardLook.max
  return {
    view: views.find(one => one === query.view) ?? standardLook.view,
    max: Math.min(Math.max(count, 1), maxMax)
  }
}
