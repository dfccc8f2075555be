import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import type { Query } from '../../api.ts'
import { standingOf } from '../../campaign-text.ts'
import { type Theme, themeIn } from '../../embed/embed-document.tsx'
import { type Look, lookIn, standardLook } from '../../embed/look.ts'
import type { Visit } from '../../visit.ts'

export const kinds = ['calendar', 'news', 'events', 'campaign'] as const
export type Kind = (typeof kinds)[number]

/** What somebody has chosen on the page of feeds, besides the filters. */
export interface FeedChoice {
  kind: Kind
  /** The language of the texts. */
  spoken: Language
  look: Look
  theme: Theme
  campaign: Campaign | undefined
  /** What can be chosen from. */
  campaigns: Campaign[]
}

/** More than a list to choose from can hold. */
const campaignsMax = 50

export async function feedChoiceIn(visit: Visit): Promise<FeedChoice> {
  const { query, site, language, now } = visit
  const { body } = await visit.api.get<Campaign[]>('/campaigns')
  const isRunning = (one: Campaign) => ['open', 'soon'].includes(standingOf(one, now))
  const newest = body.toReversed()
  const campaigns = [...newest.filter(isRunning), ...newest.filter(one => !isRunning(one))].slice(0, campaignsMax)
  return {
    kind: kinds.find(one => one === query.show) ?? 'calendar',
    spoken: site.languages.find(one => one === query.in) ?? language,
    look: lookIn(visit),
    theme: themeIn(visit),
    campaign: body.find(({ id }) => String(id) === query.campaign) ?? campaigns[0],
    campaigns
  }
}

/** The choice as parameters, as far as it is one. */
export function choiceQuery({ query }: Visit, { kind, look, theme }: FeedChoice): Query {
  return {
    show: kind === 'calendar' ? undefined : kind,
    in: query.in,
    ...lookQuery(look, theme),
    campaign: kind === 'campaign' ? query.campaign : undefined
  }
}

/** How it looks, where that is not as always. */
export function lookQuery({ view, max }: Look, theme: Theme): Query {
  return {
    view: view === standardLook.view ? undefined : view,
    max: max === standardLook.max ? undefined : max,
    theme: theme === 'auto' ? undefined : theme
  }
}
