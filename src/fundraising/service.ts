import type { Settings } from '#platform/config.ts'
import { problemJson } from '#platform/refuse.ts'
import type { Example, Service } from '#platform/service.ts'
import { accountChangeRoutes } from './account-changes/routes.ts'
import { accountRequestRoutes } from './account-requests/routes.ts'
import { countryRule } from './address.ts'
import { bookkeepingRoutes } from './bookkeeping/routes.ts'
import { ledgerAccountRule } from './bookkeeping/schema.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { dayOrMomentRule } from './days.ts'
import { collectionRoutes } from './direct-debit/collections/routes.ts'
import { mandateRoutes } from './direct-debit/mandates/routes.ts'
import { paymentRoutes } from './donations/payment-routes.ts'
import { donationRoutes } from './donations/routes.ts'
import { donorRoutes } from './donors/routes.ts'
import { giroCodeRoutes } from './girocode/routes.ts'
import { guardRoutes } from './guard/routes.ts'
import { ibanFormRule, ibanRule } from './iban.ts'
import { ibanRoutes } from './ibans/routes.ts'
import { journalRoutes } from './journal/routes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { donationStatusesRule, uuidRule } from './ledger/schema.ts'
import { moneyRule } from './money.ts'
import { noteRoutes } from './notes/routes.ts'
import { organisationRoutes } from './organisation/routes.ts'
import { organisationRules } from './organisation/schema.ts'
import { payerRuleRoutes } from './payer-rules/routes.ts'
import { receiptRunRoutes } from './receipt-runs/routes.ts'
import { receiptFileRoutes } from './receipts/file-routes.ts'
import { receiptRoutes } from './receipts/routes.ts'
import { removeFundraisingSamples } from './sample-removal.ts'
import { seedFundraising } from './seed.ts'
import { entryDonationRoutes } from './statements/entry-donation-routes.ts'
import { statementRoutes } from './statements/routes.ts'
import { fundraisingSubjects } from './subjects.ts'
import { undoRoutes } from './undo/routes.ts'
import { webAddressRule } from './web-address.ts'

const account = { iban: 'DE89370400440532013000', name: 'Music School', nameOfBank: 'Example Bank' }
const donor = { iban: 'DE02120300000000202051', name: 'Ada Lovelace', nameOfBank: 'Example Bank' }

const examples: Example[] = [
  { path: '/campaigns', body: { name: 'New roof', donationMinimum: 5, targetAmount: 8000, account } },
  {
    path: '/campaigns/1/donations',
    body: { amount: 25, donorName: donor.name, receiptRequested: true, status: 'IN_PROCESS', account: donor },
    open: true
  },
  { path: '/campaigns' }
]

export function fundraisingService(settings: Settings): Service {
  return {
    name: 'campaigns',
    title: 'Kalends: donation campaigns',
    dialect: problemJson,
    rules: [
      moneyRule,
      ibanRule(settings.ibanPolicy),
      ibanFormRule,
      webAddressRule,
      countryRule,
      dayOrMomentRule,
      donationStatusesRule,
      uuidRule,
      ledgerAccountRule,
      ...organisationRules
    ],
    routes: [
      { specified: campaignRoutes },
      { specified: donationRoutes },
      { specified: paymentRoutes },
      { specified: undoRoutes },
      { specified: noteRoutes },
      donorRoutes,
      ledgerRoutes,
      journalRoutes,
      bookkeepingRoutes,
      statementRoutes,
      entryDonationRoutes,
      payerRuleRoutes,
      giroCodeRoutes,
      ibanRoutes,
      mandateRoutes,
      collectionRoutes,
      organisationRoutes,
      receiptFileRoutes,
      receiptRoutes,
      receiptRunRoutes,
      guardRoutes,
      accountChangeRoutes,
      accountRequestRoutes
    ],
    examples,
    seed: seedFundraising,
    removeSamples: removeFundraisingSamples,
    subjects: fundraisingSubjects(settings)
  }
}
