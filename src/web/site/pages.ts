import type { RouteContext } from '#platform/http/service.ts'
import { registerEmbedRoutes } from '../embed/embeds.tsx'
import { registerOembedRoutes } from '../embed/oembed.ts'
import type { PageRouter } from '../page/page.ts'
import { registerCalendarRoutes } from './calendar/calendar.tsx'
import { registerThanksWall } from './campaign/thanks-wall.tsx'
import { registerUnsubscribePage } from './campaign/unsubscribe.tsx'
import { registerUpdatePages } from './campaign/update-pages.tsx'
import { registerDonateRoutes } from './donate/donate.tsx'
import { registerThanksRoutes } from './donate/thanks.tsx'
import { registerEventRoutes } from './events/event.tsx'
import { registerFeedRoutes } from './feeds/feed-routes.ts'
import { registerFeedsPageRoutes } from './feeds/feeds.tsx'
import { registerHomeRoutes } from './home/home.tsx'
import { registerListingRoutes } from './listings/listings.ts'
import { registerOldAddresses } from './old-addresses/old-addresses.ts'
import { registerProblemRoutes } from './problems/problems.tsx'
import { registerReferenceRoutes } from './reference/reference.tsx'
import { registerRootRoutes } from './root-routes.ts'
import { registerSuggestRoutes } from './suggest/suggest.tsx'
import { registerTextRoutes } from './texts/texts.tsx'

/** Registers all routes of the public site. */
export function registerSiteRoutes(scope: RouteContext, pages: PageRouter): void {
  registerRootRoutes(scope)
  registerOldAddresses(scope, pages)
  registerHomeRoutes(pages)
  registerCalendarRoutes(pages)
  registerSuggestRoutes(pages)
  registerEventRoutes(pages)
  registerListingRoutes(pages)
  registerDonateRoutes(pages)
  registerThanksRoutes(pages)
  registerUpdatePages(pages)
  registerThanksWall(pages)
  registerUnsubscribePage(pages)
  registerTextRoutes(pages)
  registerFeedsPageRoutes(pages)
  registerFeedRoutes(pages)
  registerEmbedRoutes(pages)
  registerOembedRoutes(scope)
  registerReferenceRoutes(pages)
  registerProblemRoutes(pages)
}
