import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { atomType, toAtom } from '#platform/http/feed-xml.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { summarizeHtml } from '../../components/rich-text.tsx'
import { buildTagUri } from '../../format/feed-item.ts'
import { type Page, type PageRouter, type RawPage, type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getUpdatePath, getUpdatesFeedPath, getUpdatesPath } from '../../server/campaign-paths.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { buildForLanguages } from '../../server/paths.ts'
import { loadUploadedImages } from '../../server/uploaded-images.ts'
import { findCampaign } from './find-campaign.ts'
import { findNextCursor, Pages } from './pages.tsx'
import { toUpdateFeedItem } from './update-feed-item.ts'
import { getUpdateText, UpdateArticle, UpdateTeaser } from './updates.tsx'

export function registerUpdatePages(pages: PageRouter): void {
  pages.add('campaignUpdates', showUpdates)
  pages.add('campaignUpdate', showUpdate)
  pages.addRaw('campaignUpdatesAtom', 'load', buildFeed)
}

const updatesPerPage = 10

async function showUpdates(context: PageContext): Promise<Page | Redirect> {
  const { api, language, path, query } = context
  const campaign = await findCampaign(context)
  const own = getUpdatesPath(campaign, language)
  if (path !== own) return redirect(own, 301)
  const strings = getMessages('campaign-page', language)
  const { name, lang } = getCampaignText(campaign, language)
  const page = await api.get<CampaignUpdate[]>(`/campaigns/${campaign.id}/updates`, {
    limit: updatesPerPage,
    cursor: query.after
  })
  const next = findNextCursor(page)
  const images = await loadUploadedImages(
    context,
    page.body.map(({ imageUrl }) => imageUrl)
  )
  return {
    title: strings.updatesOf({ campaign: name }),
    alternates: buildForLanguages(one => getUpdatesPath(campaign, one)),
    menu: 'donate',
    styles: 'donate',
    noindex: query.after !== undefined,
    atomFeed: getUpdatesFeedPath(campaign, language),
    body: (
      <div class="update-list">
        <header>
          <p class="eyebrow" lang={lang} dir="auto">
            <a href={getCampaignPath(campaign, language)}>{name}</a>
          </p>
          <h1>{strings.updates}</h1>
        </header>
        {page.body.length === 0 ? (
          <div class="empty">
            <p>{strings.noUpdates}</p>
          </div>
        ) : (
          <ol class="plain-list">
            {page.body.map(update => (
              <li key={update.id}>
                <UpdateTeaser language={language} campaign={campaign} update={update} images={images} heading="h2" />
              </li>
            ))}
          </ol>
        )}
        <Pages
          language={language}
          first={query.after === undefined ? undefined : own}
          next={next === undefined ? undefined : withQuery(own, { after: next })}
        />
        <p class="small">
          <a href={getUpdatesFeedPath(campaign, language)}>{strings.feed}</a>
        </p>
      </div>
    )
  }
}

async function showUpdate(context: PageContext): Promise<Page | Redirect> {
  const { api, language, origin, params, path } = context
  const campaign = await findCampaign(context)
  const id = /^\d{1,15}$/.exec(params.update ?? '')?.[0]
  if (id === undefined) throw new ApiError(404, 'update-not-found')
  const { body: update } = await api.get<CampaignUpdate>(`/campaigns/${campaign.id}/updates/${Number(id)}`)
  const own = getUpdatePath(campaign, update.id, language)
  if (path !== own) return redirect(own, 301)
  const { title, text } = getUpdateText(update, language)
  const summary = summarizeHtml(text)
  const images = await loadUploadedImages(context, [update.imageUrl])
  return {
    title,
    description: summary === '' ? undefined : summary,
    alternates: buildForLanguages(one => getUpdatePath(campaign, update.id, one)),
    menu: 'donate',
    styles: 'donate',
    kind: 'article',
    atomFeed: getUpdatesFeedPath(campaign, language),
    image: update.imageUrl === null ? undefined : { url: update.imageUrl, alt: update.imageAlt },
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: title,
      datePublished: update.date,
      url: origin + own,
      publisher: { '@type': 'NGO', name: context.site.name }
    },
    body: <UpdateArticle context={context} campaign={campaign} update={update} images={images} />
  }
}

const feedItems = 50

async function buildFeed(context: PageContext): Promise<RawPage> {
  const { api, language, origin, site } = context
  const campaign = await findCampaign(context)
  const strings = getMessages('campaign-page', language)
  const { name } = getCampaignText(campaign, language)
  const { body } = await api.get<CampaignUpdate[]>(`/campaigns/${campaign.id}/updates`, { limit: feedItems })
  const text = toAtom({
    title: strings.updatesOf({ campaign: name }),
    description: strings.updatesOf({ campaign: name }),
    language,
    page: origin + getUpdatesPath(campaign, language),
    self: origin + getUpdatesFeedPath(campaign, language),
    id: buildTagUri(context, `campaign/${campaign.id}/updates`),
    publisher: site.name,
    items: body.map(update => toUpdateFeedItem(context, campaign, update)),
    emptySince: new Date(campaign.createdAt)
  })
  return { type: atomType, text }
}
