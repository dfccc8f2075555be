import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { parseTheme, type Theme } from '../../embed/embed-document.tsx'
import { defaultEmbedOptions, type EmbedOptions, parseEmbedOptions } from '../../embed/options.ts'
import type { Query } from '../../server/api-client.ts'
import { getCampaignState } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'

export const kinds = ['calendar', 'news', 'events', 'campaign'] as const
export type Kind = (typeof kinds)[number]

/** Options selected on the feeds page, besides the filters. */
export interface FeedChoice {
  kind: Kind
  /** Language of the texts. */
  textLanguage: Language
  embedOptions: EmbedOptions
  theme: Theme
  campaign: Campaign | undefined
  /** Options of the campaign select. */
  campaigns: Campaign[]
}

/** Maximum number of options. */
const campaignsMax = 50

export async function loadFeedChoice(context: PageContext): Promise<FeedChoice> {
  const { query, site, language, now } = context
  const { body } = await context.api.get<Campaign[]>('/campaigns')
  const isRunning = (one: Campaign) => ['open', 'soon'].includes(getCampaignState(one, now))
  const newest = body.toReversed()
  const campaigns = [...newest.filter(isRunning), ...newest.filter(one => !isRunning(one))].slice(0, campaignsMax)
  return {
    kind: kinds.find(one => one === query.show) ?? 'calendar',
    textLanguage: site.languages.find(one => one === query.in) ?? language,
    embedOptions: parseEmbedOptions(context),
    theme: parseTheme(context),
    campaign: body.find(({ id }) => String(id) === query.campaign) ?? campaigns[0],
    campaigns
  }
}

/** Query parameters of the options, without defaults. */
export function toChoiceQuery({ query }: PageContext, { kind, embedOptions, theme }: FeedChoice): Query {
  return {
    show: kind === 'calendar' ? undefined : kind,
    in: query.in,
    ...toEmbedQuery(embedOptions, theme),
    campaign: kind === 'campaign' ? query.campaign : undefined
  }
}

/** Display options that differ from the defaults. */
export function toEmbedQuery({ view, max }: EmbedOptions, theme: Theme): Query {
  return {
    view: view === defaultEmbedOptions.view ? undefined : view,
    max: max === defaultEmbedOptions.max ? undefined : max,
    theme: theme === 'auto' ? undefined : theme
  }
}
