import type { Scope } from '#platform/service.ts'
import type { SiteMemory } from '../site-info.ts'
import { accountRequestPages } from './account-requests/account-requests.tsx'
import { campaignPages } from './campaigns/campaigns.tsx'
import { collectionPages } from './collections/collections.tsx'
import { newConsole } from './console.ts'
import { dashboardPages } from './dashboard/dashboard.tsx'
import { searchPages } from './dashboard/search.tsx'
import { donationPages } from './donations/donations.tsx'
import { eventPages } from './events/events.tsx'
import { dataPages } from './exports/data.tsx'
import { imagePages } from './images/images.tsx'
import { importPages } from './imports/imports.tsx'
import { journalPages } from './journal/journal.tsx'
import { accountPages } from './people/account.tsx'
import { doorPages } from './people/door.tsx'
import { invitationPages } from './people/invitations.tsx'
import { linkPages } from './people/links.tsx'
import { sessionPages } from './people/sessions.tsx'
import { userPages } from './people/users.tsx'
import { organizerPages } from './places/organizers.tsx'
import { venuePages } from './places/venues.tsx'
import { receiptPages } from './receipts/receipts.tsx'
import { securityPages } from './security/security.tsx'
import { activityPages } from './site/activity.tsx'
import { keyPages } from './site/keys.tsx'
import { organisationPages } from './site/organisation.tsx'
import { settingsPages } from './site/settings.tsx'
import { statementPages } from './statements/statements.tsx'
import { termPages } from './terms/terms.tsx'
import { webhookPages } from './webhooks/webhooks.tsx'

/** The console, page by page. */
export function consolePages(scope: Scope, sites: SiteMemory): void {
  const desk = newConsole(scope, sites)
  doorPages(desk)
  linkPages(desk)
  accountPages(desk)
  securityPages(desk)
  sessionPages(desk)
  dashboardPages(desk)
  searchPages(desk)
  eventPages(desk)
  venuePages(desk)
  organizerPages(desk)
  termPages(desk)
  imagePages(desk)
  importPages(desk)
  campaignPages(desk)
  accountRequestPages(desk)
  donationPages(desk)
  statementPages(desk)
  collectionPages(desk)
  receiptPages(desk)
  journalPages(desk)
  userPages(desk)
  invitationPages(desk)
  keyPages(desk)
  webhookPages(desk)
  activityPages(desk)
  dataPages(desk)
  settingsPages(desk)
  organisationPages(desk)
}
