import assert from 'node:assert/strict'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { calendar, startCalendar, type TestResponse } from '../services.ts'
import { readCalendarState } from './calendar-state.ts'
import type { TecSite } from './tec-site.ts'

const noDifferences = { explained: 0, differs: 0, missing: 0 }
export const none = { new: 0, changed: 0, same: 0, skipped: 0, problem: 0, gone: 0, kept: 0, ...noDifferences }

/** A calendar that imports, and what tests of that ask of it. */
export async function startImports() {
  const here = await startCalendar({ env: { ALLOW_PRIVATE_ADDRESSES: 'true', TIMEZONE: 'Europe/Berlin' } })
  const { store } = here
  const editor = await here.withRole('editor')
  const [runJob, forgetJob] = createCalendarJobs(here.settings)

  /** Runs what waits, as the worker would. */
  async function work(stopping = new AbortController().signal): Promise<void> {
    await runJob?.run(store, {}, stopping)
  }

  async function asked(site: Pick<TecSite, 'url'>, fields: object = {}): Promise<number> {
    const made = await editor.post(`${calendar}/imports`, { source: 'tec', url: site.url, dry_run: false, ...fields })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.status, 'waiting')
    return made.body.id
  }

  async function read(id: number): Promise<TestResponse['body']> {
    return (await editor.get(`${calendar}/imports/${id}`)).body
  }

  return {
    ...here,
    editor,
    work,
    asked,
    read,
    forget: async () => await forgetJob?.run(store, {}, new AbortController().signal),

    imported: async (site: Pick<TecSite, 'url'>, fields: object = {}): Promise<TestResponse['body']> => {
      const id = await asked(site, fields)
      await work()
      return await read(id)
    },

    undone: async (id: number): Promise<TestResponse['body']> => {
      const answer = await editor.post(`${calendar}/imports/${id}/undo`)
      assert.equal(answer.status, 202, answer.text)
      await work()
      return await read(id)
    },

    rowsOf: async (id: number, query = ''): Promise<TestResponse['body'][]> =>
      (await editor.get(`${calendar}/imports/${id}/rows?per_page=50${query}`)).body.rows,

    /** Everything but what imports keep for themselves. */
    state: async (): Promise<Record<string, string>> => {
      const { activity: _recorded, ...rest } = await readCalendarState(store)
      return rest
    },

    eventTitled: async (title: string): Promise<TestResponse['body']> => {
      const query = `start_date=2000-01-01&end_date=2100-01-01&search="${encodeURIComponent(title)}"`
      return (await here.visitor.get(`${calendar}/events?${query}`)).body.events[0]
    }
  }
}
