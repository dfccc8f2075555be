import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { ApiError } from '../../server/api-client.ts'
import type { PageContext } from '../../server/context.ts'

/** The campaign that the path names: its id, followed by its name. */
export async function findCampaign({ api, params }: Pick<PageContext, 'api' | 'params'>): Promise<Campaign> {
  const id = /^(\d{1,9})(?:-|$)/.exec(params.campaign ?? '')?.[1]
  if (id === undefined) throw new ApiError(404, 'campaign-not-found')
  return (await api.get<Campaign>(`/campaigns/${Number(id)}`)).body
}
