import type { PageRouter } from '../../page/page.ts'
import { buildCampaignFeed } from './campaign-feed.ts'
import { buildEventFeed } from './event-feed.ts'

/** RSS and Atom feeds. */
export function registerFeedRoutes(pages: PageRouter): void {
  pages.addRaw('eventsRss', async context => await buildEventFeed(context, 'rss'))
  pages.addRaw('eventsAtom', async context => await buildEventFeed(context, 'atom'))
  pages.addRaw('campaignsRss', async context => await buildCampaignFeed(context, 'rss'))
  pages.addRaw('campaignsAtom', async context => await buildCampaignFeed(context, 'atom'))
}
