import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { ThankedDonor } from '#fundraising/donations/thanks/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { type Page, type PageRouter, type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { getThanksPath } from '../../server/campaign-paths.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { buildForLanguages } from '../../server/paths.ts'
import { findCampaign } from './find-campaign.ts'
import { findNextCursor, Pages } from './pages.tsx'

export function registerThanksWall(pages: PageRouter): void {
  pages.add('campaignThanks', showThanks)
}

const namesPerPage = 200

/** All donors who agreed to be named. */
async function showThanks(context: PageContext): Promise<Page | Redirect> {
  const { api, language, path, query } = context
  const campaign = await findCampaign(context)
  const own = getThanksPath(campaign, language)
  if (path !== own) return redirect(own, 301)
  const strings = getMessages('campaign-page', language)
  const { name, lang } = getCampaignText(campaign, language)
  const page = await api.get<ThankedDonor[]>(`/campaigns/${campaign.id}/thanks`, {
    limit: namesPerPage,
    cursor: query.after
  })
  const next = findNextCursor(page)
  return {
    title: strings.thanksTo({ campaign: name }),
    alternates: buildForLanguages(one => getThanksPath(campaign, one)),
    menu: 'donate',
    styles: 'donate',
    // Names of people are for visitors, not for search engines.
    noindex: true,
    body: (
      <div class="update-list">
        <header>
          <p class="eyebrow" lang={lang} dir="auto">
            <a href={getCampaignPath(campaign, language)}>{name}</a>
          </p>
          <h1>{strings.thanks}</h1>
          {page.body.length === 0 ? null : <p class="lead">{strings.thanksLead}</p>}
        </header>
        {page.body.length === 0 ? (
          <div class="empty">
            <p>{strings.noNames}</p>
          </div>
        ) : (
          <>
            <Names names={page.body.map(one => one.name)} />
            <p class="muted">{strings.thanksOthers}</p>
          </>
        )}
        <Pages
          language={language}
          first={query.after === undefined ? undefined : own}
          next={next === undefined ? undefined : withQuery(own, { after: next })}
        />
      </div>
    )
  }
}

function Names({ names }: { names: string[] }) {
  return (
    <ul class="thanks-names">
      {names.map(name => (
        <li key={name} dir="auto">
          {name}
        </li>
      ))}
    </ul>
  )
}

/** The latest names, on the page of the campaign. */
export function ThanksTeaser({
  context: { language },
  campaign,
  names,
  count
}: {
  context: Pick<PageContext, 'language'>
  campaign: Campaign
  names: string[]
  count: number
}) {
  const strings = getMessages('campaign-page', language)
  if (names.length === 0) return null
  return (
    <section aria-labelledby="thanks-names">
      <h2 id="thanks-names">{strings.thanks}</h2>
      <Names names={names} />
      <p>
        <a href={getThanksPath(campaign, language)}>{strings.allNames({ count: formatNumber(language, count) })}</a>
      </p>
    </section>
  )
}
