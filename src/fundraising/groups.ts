import type { RouteGroup } from '#platform/http/openapi.ts'

/** The groups of operations in the OpenAPI document and in the reference. */
export const fundraisingGroups: RouteGroup[] = [
  {
    name: 'Exports',
    description: 'Everything of a kind in one answer: as a table, or a line of JSON for each.',
    paths: /^\/(?:campaigns|donations|campaigns\/\{\w+\}\/donations)\.(?:csv|jsonl)$/
  },
  {
    name: 'GiroCodes and IBANs',
    description: 'QR codes for transfers, and what an IBAN says about itself.',
    paths: /\/qr\.(?:svg|png)$|^\/ibans/
  },
  {
    name: 'Donations',
    description: 'Giving to a campaign, and what becomes of a donation.',
    paths: /^\/campaigns\/\{\w+\}\/donations|^\/challenge$/
  },
  { name: 'Campaigns', description: 'What is collected for, and how far it has come.', paths: /^\/campaigns/ },
  {
    name: 'Own donation',
    description: 'What donors see and change of their donation, with the token that came when it was made.',
    paths: /^\/donations\/by-token/
  },
  {
    name: 'All donations',
    description: 'The donations to all campaigns: lists, sums, and changes to several at once.',
    paths: /^\/donations/
  },
  {
    name: 'Donors',
    description: 'What is stored about a donor: to hand out and to erase (GDPR).',
    paths: /^\/donors/
  },
  {
    name: 'Bookkeeping',
    description: 'The payments of a year, for the books and for DATEV.',
    paths: /^\/(?:journal|bookkeeping)/
  },
  {
    name: 'Bank statements',
    description: 'Importing statements and assigning their transactions to donations.',
    paths: /^\/(?:bank-statements|payer-rules)/
  },
  {
    name: 'Direct debit',
    description: 'SEPA mandates of donors, and collections for the bank.',
    paths: /^\/(?:mandate|collection)s?/
  },
  {
    name: 'Receipts',
    description: 'Donation receipts, single and for a whole year.',
    paths: /^\/receipt(?:s|-runs)/
  },
  {
    name: 'Organisation',
    description: 'The legal details that receipts and direct debits need.',
    paths: /^\/organisation/
  },
  {
    name: 'Account changes',
    description: 'Who changed the accounts that donations go to, and changes that wait for a second person.',
    paths: /^\/account-(?:changes|requests)/
  }
]
