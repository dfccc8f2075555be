import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import type { ThankedDonor } from '#fundraising/donations/thanks/schema.ts'
import type { CampaignPresentation } from '#fundraising/presentation/schema.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../../server/calendar-api.ts'
import { compareByEnd, getCampaignState } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'

/** What the page of a campaign shows besides its story and the form. */
export interface CampaignExtras {
  updates: CampaignUpdate[]
  updateCount: number
  presentation: CampaignPresentation
  /** The next events of the campaign. */
  events: CalendarEvent[]
  names: string[]
  nameCount: number
  /** Open campaigns, for the page of one that is over. */
  openCampaigns: Campaign[]
}

const updatesShown = 3
const namesShown = 24
const eventsShown = 4
const campaignsShown = 3

export async function loadExtras(
  context: PageContext,
  campaignId: number
): Promise<Omit<CampaignExtras, 'openCampaigns'>> {
  const { api } = context
  const path = `/campaigns/${campaignId}`
  const [updates, names, presentation] = await Promise.all([
    api.get<CampaignUpdate[]>(`${path}/updates`, { limit: updatesShown }),
    api.get<ThankedDonor[]>(`${path}/thanks`, { limit: namesShown }),
    api.get<CampaignPresentation>(`${path}/presentation`)
  ])
  return {
    updates: updates.body,
    updateCount: Number(updates.header('x-total-count')),
    presentation: presentation.body,
    events: await listNextEvents(context, presentation.body.eventIds),
    names: names.body.map(({ name }) => name),
    nameCount: Number(names.header('x-total-count'))
  }
}

/** Events to come; those that are not published, or no longer exist, are left out. */
async function listNextEvents({ api, language, now }: PageContext, ids: number[]): Promise<CalendarEvent[]> {
  if (ids.length === 0) return []
  const query = { include: ids.join(','), per_page: 50, language }
  const { body } = await api.get<EventList>(`${calendarPath}/events`, query)
  const moment = now.toISOString().slice(0, 19).replace('T', ' ')
  return body.events
    .filter(event => event.utc_end_date > moment)
    .sort((one, other) => one.utc_start_date.localeCompare(other.utc_start_date))
    .slice(0, eventsShown)
}

/** Campaigns that accept donations: those that end next first. */
export async function listOpenCampaigns({ api, now }: PageContext): Promise<Campaign[]> {
  const { body } = await api.get<Campaign[]>('/campaigns')
  return body
    .filter(one => getCampaignState(one, now) === 'open')
    .sort(compareByEnd)
    .slice(0, campaignsShown)
}
