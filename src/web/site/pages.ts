import type { Scope } from '#platform/service.ts'
import { embedPages } from '../embed/embeds.tsx'
import { oembedRoutes } from '../embed/oembed.ts'
import type { Pages } from '../page.ts'
import { calendarPages } from './calendar/calendar.tsx'
import { donatePages } from './donate/donate.tsx'
import { thanksPages } from './donate/thanks.tsx'
import { eventPages } from './events/event.tsx'
import { feedPages } from './feeds/feeds.tsx'
import { newsPages } from './feeds/news.ts'
import { homePages } from './home/home.tsx'
import { placePages } from './places/places.tsx'
import { referencePages } from './reference/reference.tsx'
import { rootRoutes } from './roots.ts'
import { textPages } from './texts.tsx'

/** The public site, page by page. */
export function sitePages(scope: Scope, pages: Pages): void {
  rootRoutes(scope)
  homePages(pages)
  calendarPages(pages)
  eventPages(pages)
  placePages(pages)
  donatePages(pages)
  thanksPages(pages)
  textPages(pages)
  feedPages(pages)
  newsPages(pages)
  embedPages(pages)
  oembedRoutes(scope)
  referencePages(pages)
}
