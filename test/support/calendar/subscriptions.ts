import assert from 'node:assert/strict'
import { runSubscriptions } from '#calendar/subscriptions/runner/run.ts'
import { calendar, startCalendar, type TestResponse } from '../services.ts'
import type { FeedEvent } from './feed-server.ts'

type Json = TestResponse['body']

export const noCounts = {
  new: 0,
  changed: 0,
  same: 0,
  conflict: 0,
  gone: 0,
  restored: 0,
  skipped: 0,
  problem: 0
}

/** Upcoming events with their own ids. */
export function buildFeedEvents(name: string, count: number): FeedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    uid: `${name.toLowerCase().replaceAll(' ', '-')}-${index + 1}@feed.example`,
    title: `${name} ${index + 1}`,
    start: `2031060${(index % 9) + 1}T${10 + Math.floor(index / 9)}0000`,
    description: `About ${name} ${index + 1}.`,
    location: 'Town Hall\\, Main Street 1\\, 12345 Springfield'
  }))
}

/** Starts a calendar for tests of subscriptions. Its runner has a clock that tests can move forward. */
export async function startSubscriptions(env: Record<string, string> = {}) {
  const started = await startCalendar({
    env: { ALLOW_PRIVATE_ADDRESSES: 'true', TIMEZONE: 'Europe/Berlin', ...env }
  })
  const { store, settings } = started
  const editor = await started.withRole('editor')
  /** How far the clock of the runner is ahead, in milliseconds. */
  let aheadMs = 0
  const getNow = () => new Date(Date.now() + aheadMs)

  /** Fetches the due subscriptions, as the worker does. */
  async function fetchDueSubscriptions(options: { signal?: AbortSignal; fetchMs?: number } = {}): Promise<void> {
    await runSubscriptions(store, { settings, signal: new AbortController().signal, getNow, ...options })
  }

  async function read(id: number): Promise<Json> {
    const answer = await editor.get(`${calendar}/subscriptions/${id}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  const path = (id: number, below: string) => `${calendar}/subscriptions/${id}/${below}`

  return {
    ...started,
    editor,
    fetchDueSubscriptions,
    read,
    getNow,
    wait: (ms: number) => {
      aheadMs += ms
    },

    subscribe: async (url: string, fields: object = {}): Promise<Json> => {
      const created = await editor.post(`${calendar}/subscriptions`, { url, ...fields })
      assert.equal(created.status, 201, created.text)
      await fetchDueSubscriptions()
      return await read(created.body.id)
    },

    refresh: async (id: number): Promise<Json> => {
      const requested = await editor.post(path(id, 'refresh'))
      assert.equal(requested.status, 202, requested.text)
      await fetchDueSubscriptions()
      return await read(id)
    },

    listRuns: async (id: number): Promise<Json[]> => (await editor.get(path(id, 'runs?per_page=50'))).body.runs,
    listRows: async (id: number, query = ''): Promise<Json[]> =>
      (await editor.get(path(id, `rows?per_page=50${query}`))).body.rows,
    listEvents: async (id: number, query = ''): Promise<Json[]> =>
      (await editor.get(path(id, `events?per_page=50${query}`))).body.events,

    /** The events whose texts contain this title, by start. */
    findEvents: async (title: string, query = ''): Promise<Json[]> => {
      const all = `start_date=2000-01-01&end_date=2100-01-01&per_page=50&search=${encodeURIComponent(`"${title}"`)}`
      return (await editor.get(`${calendar}/events?${all}${query}`)).body.events
    }
  }
}
