import type { Scope } from '#platform/service.ts'
import { days } from '../answers.ts'
import { narrowing } from '../events/filter.ts'
import { namedBy } from '../events/named.ts'
import { readerOf } from '../events/page.ts'
import { invalidParameter } from '../problems.ts'
import { addRoute, type RouteTable } from '../tec.ts'
import { daysBetween } from '../time.ts'
import type { Range } from './queries.ts'
import { listDays } from './queries.ts'
import { type DayValues, dayParameters, daysMax, perDayDefault } from './schema.ts'
import { daysToWire } from './wire.ts'

export function dayRoutes(scope: Scope, table: RouteTable): void {
  addRoute(scope, table, {
    methods: ['GET'],
    path: '/days',
    needs: 'nothing',
    summary: 'What takes place on each day of a range: for the pages of a calendar',
    takes: dayParameters,
    answers: days,
    handler: async (visit, values) => {
      const range = rangeIn(values)
      const narrowed = narrowing(visit, values, await namedBy(visit, values))
      return { body: daysToWire(await listDays(visit.db, narrowed, range, readerOf(visit)), range, visit) }
    }
  })
}

function rangeIn({ from = '', to = '', per_day = perDayDefault }: DayValues): Range {
  const length = daysBetween(from, to) + 1
  if (length < 1 || length > daysMax) {
    throw invalidParameter('to', 'range', {
      en: `must not be before from, and at most ${daysMax} days in all`,
      de: `darf nicht vor from liegen; höchstens ${daysMax} Tage insgesamt`
    })
  }
  return { from, to, perDay: per_day }
}
