import type { RedirectJson } from '#calendar/contract/redirect-shapes.ts'
import type { ApiClient, Query } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { ignoreRefusal } from './alternates.ts'

/** The item of an old address; undefined if there is none, or if the API refuses the values as malformed. */
export async function findRedirect(api: ApiClient, query: Query): Promise<RedirectJson | undefined> {
  const found = await api.get<{ redirects: RedirectJson[] }>(`${calendarPath}/redirects`, query).catch(ignoreRefusal)
  return found?.body.redirects[0]
}
