import type { PageRouter } from '../../page/page.ts'
import { buildCampaignFeed } from './campaign-feed.ts'
import { buildEventFeed } from './event-feed.ts'

/** RSS and Atom feeds. */
export function registerFeedRoutes(pages: PageRouter): void {
  pages.addRaw('eventsRss', 'load', async context => await buildEventFeed(context, 'rss'))
  pages.addRaw('eventsAtom', 'load', async context => await buildEventFeed(context, 'atom'))
  pages.addRaw('campaignsRss', 'load', async context => await buildCampaignFeed(context, 'rss'))
  pages.addRaw('campaignsAtom', 'load', async context => await buildCampaignFeed(context, 'atom'))
}
