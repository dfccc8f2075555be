import assert from 'node:assert/strict'
import { createCalendarJobs } from '#calendar/jobs.ts'
import { calendar, startCalendar, type TestResponse } from '../services.ts'
import { readCalendarState } from './calendar-state.ts'
import type { TecSite } from './tec-site.ts'

const noDifferences = { explained: 0, differs: 0, missing: 0 }
export const noCounts = { new: 0, changed: 0, same: 0, skipped: 0, problem: 0, gone: 0, kept: 0, ...noDifferences }

/** Starts a calendar for tests of imports, with functions that create, run, read and undo imports. */
export async function startImports() {
  const started = await startCalendar({ env: { ALLOW_PRIVATE_ADDRESSES: 'true', TIMEZONE: 'Europe/Berlin' } })
  const { store } = started
  const editor = await started.withRole('editor')
  const [runImportsJob, deleteOldDataJob] = createCalendarJobs(started.settings)

  /** Runs the waiting imports, as the worker does. */
  async function runWaitingImports(stopping = new AbortController().signal): Promise<void> {
    await runImportsJob?.run(store, {}, stopping)
  }

  async function createImport(site: Pick<TecSite, 'url'>, fields: object = {}): Promise<number> {
    const created = await editor.post(`${calendar}/imports`, {
      source: 'tec',
      url: site.url,
      dry_run: false,
      ...fields
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.status, 'waiting')
    return created.body.id
  }

  async function read(id: number): Promise<TestResponse['body']> {
    return (await editor.get(`${calendar}/imports/${id}`)).body
  }

  return {
    ...started,
    editor,
    runWaitingImports,
    createImport,
    read,
    deleteOldData: async () => await deleteOldDataJob?.run(store, {}, new AbortController().signal),

    runImport: async (site: Pick<TecSite, 'url'>, fields: object = {}): Promise<TestResponse['body']> => {
      const id = await createImport(site, fields)
      await runWaitingImports()
      return await read(id)
    },

    undoImport: async (id: number): Promise<TestResponse['body']> => {
      const response = await editor.post(`${calendar}/imports/${id}/undo`)
      assert.equal(response.status, 202, response.text)
      await runWaitingImports()
      return await read(id)
    },

    listRows: async (id: number, query = ''): Promise<TestResponse['body'][]> =>
      (await editor.get(`${calendar}/imports/${id}/rows?per_page=50${query}`)).body.rows,

    /** All rows of the calendar except the activity log. */
    readState: async (): Promise<Record<string, string>> => {
      const { activity: _recorded, ...rest } = await readCalendarState(store)
      return rest
    },

    findEvent: async (title: string): Promise<TestResponse['body']> => {
      const query = `start_date=2000-01-01&end_date=2100-01-01&search="${encodeURIComponent(title)}"`
      return (await started.visitor.get(`${calendar}/events?${query}`)).body.events[0]
    }
  }
}
