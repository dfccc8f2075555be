import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CampaignCard } from '../components/campaign-card.tsx'
import { EventCard } from '../components/event-card.tsx'
import type { PageRouter, RawPage } from '../page/page.ts'
import { ApiError } from '../server/api-client.ts'
import { type CalendarEvent, calendarPath, type EventList } from '../server/calendar-api.ts'
import { getCampaignText } from '../server/campaign-text.ts'
import type { PageContext } from '../server/context.ts'
import { getPath } from '../server/paths.ts'
import { loadUploadedImages } from '../server/uploaded-images.ts'
import { ignoreUnknownFilter, toApiQuery, withFilters } from '../site/calendar/calendar-filter.ts'
import { parseFeedFilters } from '../site/calendar/feed-filter.ts'
import { isPasswordRequired } from '../site/events/load-by-slug.ts'
import { renderEmbed } from './embed-document.tsx'
import { parseEmbedOptions } from './options.ts'

/** Pages for iframes on other sites, each the counterpart of a public page. */
export function registerEmbedRoutes(pages: PageRouter): void {
  pages.addRaw('embedEvents', 'frame', withMissingPage(showEvents))
  pages.addRaw('embedEvent', 'frame', withMissingPage(showEvent))
  pages.addRaw('embedCampaign', 'frame', withMissingPage(showCampaign))
}

async function showEvents(context: PageContext): Promise<RawPage> {
  const { api, language, site, now } = context
  const strings = getMessages('embed', language)
  const filters = parseFeedFilters(context)
  const { view, max } = parseEmbedOptions(context)
  const query = { ...toApiQuery(filters), language, ends_after: 'now', per_page: max }
  const found = await ignoreUnknownFilter(api.get<EventList>(`${calendarPath}/events`, query))
  if (found === undefined) throw new ApiError(404, 'no-such-filter')
  const title = strings.events({ organisation: site.name })
  return renderEmbed(context, {
    title,
    heading: title,
    children: (
      <>
        {found.events.length === 0 ? (
          <div class="empty">
            <p>{strings.nothing}</p>
          </div>
        ) : (
          <ol class={view === 'compact' ? 'plain-list compact' : 'plain-list'}>
            {found.events.map(event => (
              <li key={event.id}>
                <EventCard
                  language={language}
                  event={event}
                  site={site}
                  now={now}
                  level={2}
                  brief={view === 'compact'}
                  target="_top"
                />
              </li>
            ))}
          </ol>
        )}
        <Footer context={context} href={withFilters(getPath('list', language), filters)} label={strings.allEvents} />
      </>
    )
  })
}

async function showEvent(context: PageContext): Promise<RawPage> {
  const { api, language, site, now, params } = context
  const strings = getMessages('embed', language)
  if (!/^\d{1,15}$/.test(params.id ?? '')) throw new ApiError(404, 'not-found')
  const { body: event } = await api.get<CalendarEvent>(`${calendarPath}/events/${params.id}`, { language })
  return renderEmbed(context, {
    title: strings.event({ title: event.title, organisation: site.name }),
    children: (
      <>
        <EventCard language={language} event={event} site={site} now={now} level={2} target="_top" />
        <Footer context={context} href={getPath('event', language, event.slug)} label={strings.more} />
      </>
    )
  })
}

async function showCampaign(context: PageContext): Promise<RawPage> {
  const { api, language, site, params } = context
  const [id = ''] = /^\d{1,15}$/.exec(params.id ?? '') ?? []
  if (id === '') throw new ApiError(404, 'not-found')
  const { body: campaign } = await api.get<Campaign>(`/campaigns/${id}`)
  const images = await loadUploadedImages(context, [campaign.imageUrl])
  return renderEmbed(context, {
    title: getMessages('embed', language).event({
      title: getCampaignText(campaign, language).name,
      organisation: site.name
    }),
    children: <CampaignCard context={context} campaign={campaign} images={images} heading="h2" target="_top" />
  })
}

function Footer({ context: { language, site }, href, label }: { context: PageContext; href: string; label: string }) {
  return (
    <p class="embed-foot">
      <a href={href} target="_top">
        {label}
      </a>
      <a class="embed-site" href={getPath('home', language)} target="_top">
        {site.name}
      </a>
    </p>
  )
}

/** Renders a short message in the embed: the site's own error page must not be framed. */
function withMissingPage(
  write: (context: PageContext) => Promise<RawPage>
): (context: PageContext) => Promise<RawPage> {
  return async context => {
    try {
      return await write(context)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error
      const { locked, missing } = getMessages('embed', context.language)
      const isLocked = isPasswordRequired(error)
      const { title, text } = isLocked ? locked : missing
      return renderEmbed(context, {
        title,
        status: isLocked ? 403 : 404,
        children: (
          <div class="empty">
            <h2>{title}</h2>
            <p>{text}</p>
            <p>
              <a class="button quiet" href={getPath('home', context.language)} target="_top">
                {getMessages('embed', context.language).toSite({ organisation: context.site.name })}
              </a>
            </p>
          </div>
        )
      })
    }
  }
}
