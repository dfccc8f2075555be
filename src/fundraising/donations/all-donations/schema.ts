import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { pageSizeMax } from '#platform/http/paging.ts'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'
import { buildDayOrMomentSchema } from '../../dates.ts'
import { buildAmountSchema, type Cents } from '../../money/money.ts'
import { ReceivedOn, Source } from '../payments/schema.ts'
import { Donation, type DonationStatus, donationStatuses, messageReviews, reviews } from '../schema.ts'

/** A donation in the list over all campaigns. */
export const ListedDonation = NamedObject('ListedDonation', {
  ...Donation.properties,
  campaignName: Type.String(),
  currency: Type.String(),
  campaignDeleted: Type.Boolean({
    description: 'Whether the campaign is deleted. The donation then cannot be changed until the campaign is restored.'
  })
})
export type ListedDonation = Static<typeof ListedDonation>

const Choice = <Word extends string>(words: readonly Word[], options: object = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options })

const AmountBound = (description: string) =>
  Type.Unsafe<Cents>({ type: 'string', line: true, money: 0, maxLength: 20, description, examples: ['20.50'] })

/** Filters of the list over all campaigns. */
export const DonationFilter = Type.Object({
  campaignId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  status: Type.Optional(
    Type.String({
      line: true,
      donationStatuses: true,
      maxLength: 100,
      description: 'Status, or several separated by commas.',
      examples: ['IN_PROCESS,TRANSFERRED']
    })
  ),
  from: Type.Optional(buildDayOrMomentSchema('Created on this day or later, or from this time on.')),
  to: Type.Optional(buildDayOrMomentSchema('Created on this day or earlier, or before this time.')),
  search: Type.Optional(
    Type.String({
      line: true,
      maxLength: 200,
      description:
        'Part of the donor’s name or of the reference, an email address, an amount (25, 25,00 or 25.00 EUR), or an IBAN or its last four characters.'
    })
  ),
  receiptRequested: Type.Optional(Choice(['true', 'false'])),
  minAmount: Type.Optional(AmountBound('This amount or more.')),
  maxAmount: Type.Optional(AmountBound('This amount or less.')),
  review: Type.Optional(Choice(reviews, { description: 'Review status: held for review, or approved.' })),
  messageReview: Type.Optional(Choice(messageReviews))
})
export type DonationFilter = Static<typeof DonationFilter>

/** Every skipped row costs time, so the page number is limited. */
const pagesMax = 1_000_000

export const DonationListQuery = Type.Object({
  ...DonationFilter.properties,
  sort: Type.Optional(Choice(['createdAt', 'amount', 'donorName'], { default: 'createdAt' })),
  order: Type.Optional(
    Choice(['asc', 'desc'], {
      description: 'Sort order; default: ascending for names, descending for amounts and times.'
    })
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: pagesMax, default: 1 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageSizeMax, default: 25, description: 'Number of items per page.' })
  )
})
export type DonationListQuery = Static<typeof DonationListQuery>

const Sum = Type.Object({
  count: Type.Integer(),
  amount: buildAmountSchema('Sum of the pledged amounts.'),
  received: buildAmountSchema('Sum of the amounts received.')
})

export const DonationSummary = NamedObject('DonationSummary', {
  count: Type.Integer({ description: 'Number of matching donations, in any status.' }),
  amount: buildAmountSchema('Sum of the pledged amounts.'),
  received: buildAmountSchema('Sum of the amounts received.'),
  byStatus: Type.Object(
    Object.fromEntries(donationStatuses.map(status => [status, Sum])) as Record<DonationStatus, typeof Sum>,
    { description: 'Totals by status, without donations held for review.' }
  ),
  waitingForReview: Type.Object(Sum.properties, { description: 'Donations held for review; they count in no total.' }),
  byDay: Type.Optional(
    Type.Array(Type.Object({ date: Type.String(), ...Sum.properties }), {
      description:
        'Daily totals, if from is given: every day up to `to` or today, at most the last 400. count and amount are of donations (IN_PROCESS or TRANSFERRED) created on the day; received is the payments of the day minus returns.'
    })
  )
})
export type DonationSummary = Static<typeof DonationSummary>

export const bulkMax = 200

const Chosen = Type.Array(
  Type.Object({
    campaignId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] }),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Version (first number of the ETag); rejected if the donation has changed since.'
      })
    )
  }),
  { description: `1 to ${bulkMax}.` }
)

export const BulkStatusChange = NamedObject('BulkStatusChange', {
  status: Type.Enum([...donationStatuses]),
  receivedOn: Type.Optional(ReceivedOn),
  paymentSource: Type.Optional(Source),
  donations: Chosen
})
export type BulkStatusChange = Static<typeof BulkStatusChange>

export const BulkRelease = NamedObject('BulkRelease', { donations: Chosen })
export type BulkRelease = Static<typeof BulkRelease>

export const BulkResult = NamedObject('BulkResult', {
  results: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      ok: Type.Boolean(),
      code: Type.Optional(Type.String({ description: 'Problem code, if it failed.' })),
      message: Type.Optional(Type.String({ description: 'Problem text, if it failed.' }))
    }),
    { description: 'One result per donation, in request order.' }
  ),
  changed: Type.Integer({ description: 'Number of donations changed.' })
})
export type BulkResult = Static<typeof BulkResult>

/** Comma-separated statuses, as forms send them; spaces and duplicates are accepted. */
export const donationStatusesRule: Rule = {
  keyword: 'donationStatuses',
  type: 'string',
  check: (text: string) => {
    const words = text.split(',').map(word => word.trim())
    if (words.every(word => donationStatuses.some(status => status === word))) {
      return { value: [...new Set(words)].join() }
    }
    const list = donationStatuses.join(', ')
    return { code: 'not-allowed', message: buildText('fundraising-rules', 'statuses', { list }) }
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const idRules = { donation: 'donationId', run: 'runId', donor: 'donorId' } as const

/** `of` names the kind of id for the error message; a donation by default. */
export const uuidRule: Rule = {
  keyword: 'uuid',
  type: 'string',
  check: (text: string, of: string | boolean) =>
    uuid.test(text)
      ? { value: text.toLowerCase() }
      : {
          code: 'uuid',
          message: buildText('fundraising-rules', idRules[of === 'run' || of === 'donor' ? of : 'donation'])
        }
}
