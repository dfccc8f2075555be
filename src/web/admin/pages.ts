import type { RouteContext } from '#platform/http/service.ts'
import type { SiteSettingsReader } from '../server/site-settings.ts'
import { registerAccountRoutes } from './account/account.tsx'
import { registerSessionRoutes } from './account/sessions.tsx'
import { registerAccountRequestRoutes } from './account-requests/account-requests.tsx'
import { registerActivityRoutes } from './activity/activity.tsx'
import { registerAppearanceRoutes } from './appearance/appearance.tsx'
import { registerAccountLinkRoutes } from './auth/account-links.tsx'
import { registerSignInRoutes } from './auth/sign-in.tsx'
import { registerCampaignRoutes } from './campaigns/campaigns.tsx'
import { registerCampaignPresentationRoutes } from './campaigns/presentation/campaign-presentation.tsx'
import { registerPresentationRoutes } from './campaigns/presentation/presentation.tsx'
import { registerOfflineAmountRoutes } from './campaigns/story/offline-amounts.tsx'
import { registerStoryRoutes } from './campaigns/story/story.tsx'
import { registerUpdateRoutes } from './campaigns/updates/updates.tsx'
import { registerCollectionRoutes } from './collections/collections.tsx'
import { registerDashboardRoutes } from './dashboard/dashboard.tsx'
import { registerSearchRoutes } from './dashboard/search.tsx'
import { registerDonationRoutes } from './donations/donations.tsx'
import { registerDonorRoutes } from './donors/donors.tsx'
import { registerEventRoutes } from './events/events.tsx'
import { registerExportRoutes } from './exports/data.tsx'
import { registerImageRoutes } from './images/images.tsx'
import { registerImportRoutes } from './imports/imports.tsx'
import { registerJournalRoutes } from './journal/journal.tsx'
import { registerKeyRoutes } from './keys/keys.tsx'
import { registerOrganizerRoutes } from './linked-posts/organizers.tsx'
import { registerVenueRoutes } from './linked-posts/venues.tsx'
import { registerOrganisationRoutes } from './organisation/organisation.tsx'
import { registerReceiptRoutes } from './receipts/receipts.tsx'
import { registerSecurityRoutes } from './security/security.tsx'
import { registerSeriesRoutes } from './series/series.tsx'
import { registerSettingsRoutes } from './settings/settings.tsx'
import { newAdminRouter } from './shared/router.ts'
import { registerSitePageRoutes } from './site-pages/site-pages.tsx'
import { registerStatementRoutes } from './statements/statements.tsx'
import { registerSubscriptionRoutes } from './subscriptions/subscriptions.tsx'
import { registerSuggestionRoutes } from './suggestions/suggestions.tsx'
import { registerTermRoutes } from './terms/terms.tsx'
import { registerInvitationRoutes } from './users/invitations.tsx'
import { registerUserRoutes } from './users/users.tsx'
import { registerWebhookRoutes } from './webhooks/webhooks.tsx'

/** Registers all routes of the console. */
export function registerAdminRoutes(scope: RouteContext, sites: SiteSettingsReader): void {
  const context = newAdminRouter(scope, sites)
  registerSignInRoutes(context)
  registerAccountLinkRoutes(context)
  registerAccountRoutes(context)
  registerSecurityRoutes(context)
  registerSessionRoutes(context)
  registerDashboardRoutes(context)
  registerSearchRoutes(context)
  registerEventRoutes(context)
  registerSeriesRoutes(context)
  registerSuggestionRoutes(context)
  registerVenueRoutes(context)
  registerOrganizerRoutes(context)
  registerTermRoutes(context)
  registerImageRoutes(context)
  registerImportRoutes(context)
  registerSubscriptionRoutes(context)
  registerCampaignRoutes(context)
  registerStoryRoutes(context)
  registerOfflineAmountRoutes(context)
  registerUpdateRoutes(context)
  registerCampaignPresentationRoutes(context)
  registerPresentationRoutes(context)
  registerAccountRequestRoutes(context)
  registerDonationRoutes(context)
  registerDonorRoutes(context)
  registerStatementRoutes(context)
  registerCollectionRoutes(context)
  registerReceiptRoutes(context)
  registerJournalRoutes(context)
  registerSitePageRoutes(context)
  registerAppearanceRoutes(context)
  registerUserRoutes(context)
  registerInvitationRoutes(context)
  registerKeyRoutes(context)
  registerWebhookRoutes(context)
  registerActivityRoutes(context)
  registerExportRoutes(context)
  registerSettingsRoutes(context)
  registerOrganisationRoutes(context)
}
