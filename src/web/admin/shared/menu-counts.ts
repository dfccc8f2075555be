import { type ApiClient, ApiError } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'

/** Numbers beside menu entries, by their paths. */
export type MenuCounts = Record<string, number>

/** Counts what waits for editors. The calendar may run elsewhere or not at all: then there is no number. */
export async function countForMenu(api: ApiClient, isEditor: boolean): Promise<MenuCounts> {
  if (!isEditor) return {}
  try {
    const { body } = await api.get<{ total: number }>(`${calendarPath}/suggestions`, { per_page: 1, _fields: 'total' })
    return { '/admin/suggestions': body.total }
  } catch (error) {
    if (error instanceof ApiError) return {}
    throw error
  }
}
