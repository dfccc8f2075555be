import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { Paging } from '#platform/http/paging.ts'
import { legalLanguages } from '#platform/language.ts'
import { donationKinds, InKind } from '../donation-kind.ts'
import { Address } from '../money/address.ts'
import { buildAmountSchema } from '../money/money.ts'

export const receiptKinds = ['single', 'collective'] as const
export type ReceiptKind = (typeof receiptKinds)[number]
export const receiptStates = ['issued', 'withdrawn'] as const
export type ReceiptState = (typeof receiptStates)[number]

/** Up to this amount a bank statement and a leaflet are sufficient proof (§ 50 Abs. 4 Satz 1 Nr. 2 EStDV). */
export const simplifiedProofMaxCents = 30_000
/** The law and the German form are in euros. */
export const legalCurrency = 'EUR'

const Uuid = Type.String({ format: 'uuid' })
const Day = Type.String({ format: 'date' })
const Instant = Type.String({ format: 'date-time' })

export const Receipt = NamedObject('Receipt', {
  id: Uuid,
  number: Type.String(),
  year: Type.Integer({ description: 'Year of issue; receipts are numbered within it.' }),
  kind: Type.Enum([...receiptKinds]),
  language: Type.Enum([...legalLanguages]),
  state: Type.Enum([...receiptStates]),
  needsWithdrawal: Type.Boolean({ description: 'Whether a certified payment was returned by the bank.' }),
  issuedOn: Day,
  issuedAt: Instant,
  issuedBy: Type.String(),
  amount: buildAmountSchema('Total of the receipt.'),
  currency: Type.String(),
  donor: Type.Object({ name: Type.String(), address: Address }),
  period: Type.Object({ from: Day, to: Day }),
  donations: Type.Array(
    Type.Object({
      campaignId: Type.Integer(),
      id: Uuid,
      reference: Type.String(),
      receivedOn: Day,
      kind: Type.Optional(Type.Enum([...donationKinds], { description: 'Kind of donation.' })),
      inKind: Type.Optional(InKind),
      amount: buildAmountSchema('Amount.')
    })
  ),
  sha256: Type.String({ description: 'SHA-256 of the file.' }),
  sent: Type.Boolean({ description: 'Whether it was queued for email.' }),
  replaces: Nullable(Type.String({ description: 'Number of the receipt that it replaces.' })),
  runId: Nullable(Uuid),
  withdrawn: Nullable(Type.Object({ at: Instant, by: Type.String(), reason: Type.String() })),
  version: Type.Integer({ description: 'Version; increases when it is withdrawn or marked for withdrawal.' })
})
export type Receipt = Static<typeof Receipt>

const Language = Type.Optional(
  Type.Enum([...legalLanguages], {
    description:
      'Language; de is the official form. Default: de for donors in Germany, otherwise the language of the donor.'
  })
)

const exampleOfId = '01a1e044-68dc-72d3-b04c-ad9302c08a93'

export const NewReceipt = NamedObject(
  'NewReceipt',
  {
    kind: Type.Enum([...receiptKinds]),
    donation: Type.Optional(
      Type.Object(
        {
          campaignId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          id: Type.String({ uuid: true, maxLength: 60, examples: [exampleOfId] })
        },
        { description: 'Donation; required for kind single.' }
      )
    ),
    donor: Type.Optional(
      Type.Object(
        {
          donationId: Type.String({
            uuid: true,
            maxLength: 60,
            description: 'Id of one of the donor’s donations.',
            examples: [exampleOfId]
          }),
          year: Type.Integer({ minimum: 1900, maximum: 2200 })
        },
        { description: 'Donor and year of the payments; required for kind collective.' }
      )
    ),
    language: Language,
    send: Type.Optional(Type.Boolean({ description: 'Whether to send it by email. Default: if possible.' }))
  },
  {
    description: 'donation is required for kind single, donor for kind collective.',
    if: { properties: { kind: { const: 'collective' } } },
    else: { properties: { donation: {} }, required: ['donation'] },
    allOf: [
      { if: { properties: { kind: { const: 'single' } } }, else: { properties: { donor: {} }, required: ['donor'] } }
    ]
  }
)
export type NewReceipt = Static<typeof NewReceipt>

export const Withdrawal = NamedObject('Withdrawal', {
  reason: Type.String({ line: true, minLength: 1, maxLength: 500 })
})
export type Withdrawal = Static<typeof Withdrawal>

const statesToFind = [...receiptStates, 'needs-withdrawal'] as const

export const ReceiptFilter = Type.Object({
  year: Type.Optional(Type.Integer({ minimum: 1900, maximum: 2200, description: 'Year of issue.' })),
  state: Type.Optional(Type.Unsafe<(typeof statesToFind)[number]>({ type: 'string', enum: [...statesToFind] })),
  search: Type.Optional(
    Type.String({ line: true, maxLength: 100, description: 'Receipt number, or part of the donor’s name.' })
  ),
  ...Paging.properties
})
export type ReceiptFilter = Static<typeof ReceiptFilter>

/** Selects the receipts for one combined file. */
export const ReceiptsToPrint = Type.Object({
  year: Type.Integer({ minimum: 1900, maximum: 2200, description: 'Year of issue.' }),
  runId: Type.Optional(
    Type.String({
      line: true,
      uuid: 'run',
      maxLength: 100,
      description: 'Id of a receipt run.',
      examples: ['01900000-0000-7000-8000-000000000000']
    })
  ),
  sent: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      description: 'true: only receipts sent by email; false: only the others.'
    })
  )
})
export type ReceiptsToPrint = Static<typeof ReceiptsToPrint>

/** The donor's view of their receipts. */
export const ReceiptOfDonor = NamedObject('ReceiptOfDonor', {
  id: Uuid,
  number: Type.String(),
  kind: Type.Enum([...receiptKinds]),
  issuedOn: Day
})
export type ReceiptOfDonor = Static<typeof ReceiptOfDonor>

/** The receipts shown with a donation. */
export const ReceiptOfDonation = NamedObject('ReceiptOfDonation', {
  ...ReceiptOfDonor.properties,
  state: Type.Enum([...receiptStates]),
  needsWithdrawal: Type.Boolean()
})
