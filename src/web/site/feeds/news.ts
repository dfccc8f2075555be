import type { Pages } from '../../page.ts'
import { campaignNews } from './campaign-news.ts'
import { eventNews } from './event-news.ts'

/** What is new, for feed readers. */
export function newsPages(pages: Pages): void {
  pages.addBare('eventsRss', async visit => await eventNews(visit, 'rss'))
  pages.addBare('eventsAtom', async visit => await eventNews(visit, 'atom'))
  pages.addBare('campaignsRss', async visit => await campaignNews(visit, 'rss'))
  pages.addBare('campaignsAtom', async visit => await campaignNews(visit, 'atom'))
}
