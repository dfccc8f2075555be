import { bareInsertName, newBareInsert } from './bare-insert.ts'
import { type Environment, key, post } from './environment.ts'
import { compare, measure } from './measure.ts'
import { serialMark, usualSize } from './options.ts'
import { makeEventsDatabase } from './sample-events.ts'
import type { Row } from './table.ts'

const path = '/calendar/events/v1/events'
const description = `<p>${'Music, words and good company for everybody who likes to come along. '.repeat(8)}</p>`
const created = 'POST event'

/** Creating events as an editor's program does: with venue, organizer, category and tags, each by its id. */
export async function benchEventWrites(environment: Environment): Promise<Row[]> {
  const databaseUrl = await makeEventsDatabase(environment, usualSize)
  const target = await environment.start(databaseUrl, { RESPONSE_CACHE: '32' })
  // The title is in the query, where the mark does not change the length of the body. Equal titles would wait for each other.
  const requests = Array.from({ length: 50 }, (_, index) =>
    post(
      `${path}?title=Evening%20${serialMark}`,
      JSON.stringify({
        description,
        start_date: `2027-03-${10 + (index % 20)} 19:00:00`,
        end_date: `2027-03-${10 + (index % 20)} 21:00:00`,
        timezone: 'Europe/Berlin',
        venue: { id: 1 + index },
        organizer: { id: 1 + (index % 20) },
        categories: [1 + (index % 20)],
        tags: [21 + index, 71 + index],
        cost: '10'
      }),
      `Authorization: Bearer ${key}\r\n`
    )
  )
  const results = await measure(environment, {
    [bareInsertName]: await newBareInsert(environment, databaseUrl),
    [created]: { target, requests, status: 201, sampleMs: 1000 }
  })
  await target.stop()
  return [compare(results, { section: 'events written', name: created, limit: bareInsertName })]
}
