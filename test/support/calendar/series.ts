import assert from 'node:assert/strict'
import { type Client, calendar, type TestResponse } from '../services.ts'

/** An event of a series in a list. */
export interface ListedOccurrence {
  id: number
  slug: string
  title: string
  description: string
  start_date: string
  end_date: string
  utc_start_date: string
  timezone: string
  status: string
  featured: boolean
  series: { id: number; rule: string; text: string; date: string; isException: boolean; changes: string[] } | null
}

/** A rehearsal on a Tuesday from 19:00 to 21:30. */
export const rehearsal = {
  title: 'Rehearsal',
  start_date: '2031-01-07 19:00:00',
  end_date: '2031-01-07 21:30:00'
}

/** Requests for tests of series. */
export function newSeriesClient(admin: Client) {
  async function listOccurrences(seriesId: number, query = ''): Promise<ListedOccurrence[]> {
    const listed = await admin.get(
      `${calendar}/events?series=${seriesId}&start_date=2000-01-01&end_date=2200-01-01&per_page=50${query}`
    )
    assert.equal(listed.status, 200, listed.text)
    return listed.body.events
  }
  return {
    listOccurrences,
    /** Creates a series on four Tuesdays, unless the fields say otherwise. */
    createSeries: async (fields: object = {}, by: Client = admin) => {
      const recurrence = { every: 1, unit: 'week', count: 4 }
      const created = await by.post(`${calendar}/events`, { ...rehearsal, recurrence, ...fields })
      assert.equal(created.status, 201, created.text)
      return created.body
    },
    listDates: async (seriesId: number) =>
      (await listOccurrences(seriesId)).map(({ start_date }) => start_date.slice(0, 10))
  }
}

/** The status of a refused request, and code and message by field. */
export function getRefusal({
  status,
  body
}: TestResponse): [number, Record<string, { code: string; message: string }>] {
  return [status, body.data?.details ?? {}]
}
