import type { RouteGroup } from '#platform/http/openapi.ts'

/** The groups of operations in the OpenAPI document and in the reference. */
export const fundraisingGroups: RouteGroup[] = [
  {
    name: 'Exports',
    description: 'All resources of a kind as CSV or JSON Lines.',
    paths: /^\/(?:campaigns|donations|campaigns\/\{\w+\}\/donations)\.(?:csv|jsonl)$/
  },
  {
    name: 'GiroCodes and IBANs',
    description: 'QR codes for transfers, and validation of IBANs.',
    paths: /\/qr\.(?:svg|png)$|^\/ibans/
  },
  {
    name: 'Updates and news',
    description: 'News about a campaign, and who gets them by email.',
    paths: /^\/campaigns\/\{\w+\}\/updates|^\/campaign-updates$|\/news(?:\/|$)/
  },
  {
    name: 'Presentation',
    description: 'Who is responsible for campaigns, their events, and the donors who are named.',
    paths: /^\/(?:campaigns\/\{\w+\}\/)?presentation$|^\/related-campaigns$|\/thanks$/
  },
  {
    name: 'Donations',
    description: 'Donations to a campaign, their payments and status.',
    paths: /^\/campaigns\/\{\w+\}\/donations|^\/challenge$/
  },
  { name: 'Campaigns', description: 'Campaigns with targets and totals.', paths: /^\/campaigns/ },
  {
    name: 'Own donation',
    description: 'Read and change your own donation with its donor token.',
    paths: /^\/donations\/by-token/
  },
  {
    name: 'All donations',
    description: 'Donations to all campaigns: lists, totals, and changes to several at once.',
    paths: /^\/donations/
  },
  {
    name: 'Annual letters',
    description: 'Letters of thanks to donors for a year, and their texts.',
    paths: /^\/(?:donor-letters|letter-texts)|\/letters$/
  },
  {
    name: 'Donors',
    description: 'Donors with their donations and notes; merge duplicates; export and erase personal data (GDPR).',
    paths: /^\/(?:donors|donor-)/
  },
  {
    name: 'Bookkeeping',
    description: 'The payments of a year, for bookkeeping and DATEV.',
    paths: /^\/(?:journal|bookkeeping)/
  },
  {
    name: 'Bank statements',
    description: 'Import statements and match their transactions with donations.',
    paths: /^\/(?:bank-statements|payer-rules)/
  },
  {
    name: 'Direct debit',
    description: 'SEPA mandates and direct debit batches.',
    paths: /^\/(?:mandate|collection)s?/
  },
  {
    name: 'Receipts',
    description: 'Donation receipts, single and for a whole year.',
    paths: /^\/receipt(?:s|-runs)/
  },
  {
    name: 'Organisation',
    description: 'The legal details that receipts and direct debits need, and what the treasurer has to do.',
    paths: /^\/(?:organisation|treasurer-tasks)/
  },
  {
    name: 'Account changes',
    description: 'Changes of the accounts that receive donations, and changes that wait for a second person.',
    paths: /^\/account-(?:changes|requests)/
  }
]
