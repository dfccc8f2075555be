import type { Settings } from '#platform/config.ts'
import { problemJson } from '#platform/http/errors.ts'
import type { Example, Service } from '#platform/http/service.ts'
import { registerAccountRequestRoutes } from './account-requests/routes.ts'
import { createFundraisingActivityTypes } from './activity-types.ts'
import { registerJournalRoutes } from './bookkeeping/journal/routes.ts'
import { registerBookkeepingRoutes } from './bookkeeping/routes.ts'
import { ledgerAccountRule } from './bookkeeping/schema.ts'
import { registerAccountChangeRoutes } from './campaigns/account-changes/routes.ts'
import { registerOfflineAmountRoutes } from './campaigns/offline-amounts/routes.ts'
import { registerCampaignRoutes } from './campaigns/routes.ts'
import { registerStoryRoutes } from './campaigns/story/routes.ts'
import { registerUpdateRoutes } from './campaigns/updates/routes.ts'
import { dayOrMomentRule } from './dates.ts'
import { registerChallengeRoutes } from './donations/abuse-protection/routes.ts'
import { registerAllDonationsRoutes } from './donations/all-donations/routes.ts'
import { donationStatusesRule, uuidRule } from './donations/all-donations/schema.ts'
import { registerDonationRoutes } from './donations/routes/donation-routes.ts'
import { registerNoteRoutes } from './donations/routes/note-routes.ts'
import { registerOwnDonationRoutes } from './donations/routes/own-donation-routes.ts'
import { registerPaymentRoutes } from './donations/routes/payment-routes.ts'
import { registerThanksRoutes } from './donations/thanks/routes.ts'
import { registerUndoRoutes } from './donations/undo/routes.ts'
import { registerDonorLetterRoutes } from './donors/letter/routes.ts'
import { registerDonorMergeRoutes } from './donors/merging/routes.ts'
import { registerDonorRecordRoutes } from './donors/routes.ts'
import { registerDonorRoutes } from './gdpr/routes.ts'
import { fundraisingGroups } from './groups.ts'
import { registerIbanRoutes } from './ibans/routes.ts'
import { countryRule } from './money/address.ts'
import { ibanFormRule, newIbanRule } from './money/iban.ts'
import { moneyRule } from './money/money.ts'
import { registerNewsRoutes } from './news/routes.ts'
import { registerOrganisationRoutes } from './organisation/routes.ts'
import { organisationRules } from './organisation/schema.ts'
import { registerCollectionRoutes } from './payments/direct-debit/collections/routes.ts'
import { registerMandateRoutes } from './payments/direct-debit/mandates/routes.ts'
import { registerGiroCodeRoutes } from './payments/girocode/routes.ts'
import { registerPayerRuleRoutes } from './payments/payer-rules/routes.ts'
import { registerEntryDonationRoutes } from './payments/statements/routes/entry-donation-routes.ts'
import { registerEntryRoutes } from './payments/statements/routes/entry-routes.ts'
import { registerStatementRoutes } from './payments/statements/routes/statement-routes.ts'
import { registerPresentationRoutes } from './presentation/routes.ts'
import { registerReceiptFileRoutes } from './receipts/routes/file-routes.ts'
import { registerReceiptRoutes } from './receipts/routes/receipt-routes.ts'
import { registerReceiptRunRoutes } from './receipts/runs/routes.ts'
import { removeFundraisingSamples } from './seed/remove-samples.ts'
import { seedFundraising } from './seed/seed.ts'
import { registerTreasurerTaskRoutes } from './treasurer-tasks/routes.ts'
import { urlRule } from './url.ts'

const account = { iban: 'DE89370400440532013000', name: 'Music School', nameOfBank: 'Example Bank' }
const donor = { iban: 'DE02120300000000202051', name: 'Ada Lovelace', nameOfBank: 'Example Bank' }

const examples: Example[] = [
  { path: '/campaigns', body: { name: 'New roof', donationMinimum: 5, targetAmount: 8000, account } },
  {
    path: '/campaigns/1/donations',
    body: { amount: 25, donorName: donor.name, receiptRequested: true, status: 'IN_PROCESS', account: donor },
    isPublic: true
  },
  { path: '/campaigns' }
]

const listRules = (ibanPolicy: Settings['ibanPolicy']) => [
  moneyRule,
  newIbanRule(ibanPolicy),
  ibanFormRule,
  urlRule,
  countryRule,
  dayOrMomentRule,
  donationStatusesRule,
  uuidRule,
  ledgerAccountRule,
  ...organisationRules
]
const rules = { lenient: listRules('lenient'), strict: listRules('strict') }

export function createFundraisingService(settings: Settings): Service {
  return {
    name: 'campaigns',
    title: 'Kalends: donation campaigns',
    groups: fundraisingGroups,
    errorFormat: problemJson,
    rules: rules[settings.ibanPolicy],
    routes: [
      { specified: registerCampaignRoutes },
      registerStoryRoutes,
      registerOfflineAmountRoutes,
      { specified: registerDonationRoutes },
      { specified: registerOwnDonationRoutes },
      { specified: registerPaymentRoutes },
      { specified: registerUndoRoutes },
      { specified: registerNoteRoutes },
      registerDonorRoutes,
      registerDonorRecordRoutes,
      registerDonorMergeRoutes,
      registerDonorLetterRoutes,
      registerAllDonationsRoutes,
      registerUpdateRoutes,
      registerNewsRoutes,
      registerThanksRoutes,
      registerPresentationRoutes,
      registerJournalRoutes,
      registerBookkeepingRoutes,
      registerStatementRoutes,
      registerEntryRoutes,
      registerEntryDonationRoutes,
      registerPayerRuleRoutes,
      registerGiroCodeRoutes,
      registerIbanRoutes,
      registerMandateRoutes,
      registerCollectionRoutes,
      registerOrganisationRoutes,
      registerReceiptFileRoutes,
      registerReceiptRoutes,
      registerReceiptRunRoutes,
      registerTreasurerTaskRoutes,
      registerChallengeRoutes,
      registerAccountChangeRoutes,
      registerAccountRequestRoutes
    ],
    examples,
    seed: seedFundraising,
    removeSamples: removeFundraisingSamples,
    activityTypes: createFundraisingActivityTypes(settings)
  }
}
