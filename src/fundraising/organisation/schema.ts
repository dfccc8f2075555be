import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'
import { dayPattern, isDay } from '../dates.ts'
import { Address, NewAddress } from '../money/address.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../money/money.ts'
import { purposeCodes } from './purposes.ts'

/** The basis of the tax exemption: an assessment notice, or the finding about the statutes (§ 60a AO). */
export const exemptionKinds = ['notice', 'provisional'] as const

/** Fields of the organisation that a receipt needs. */
export const receiptFields = [
  'legalName',
  'address',
  'taxOffice',
  'taxNumber',
  'exemption',
  'purposes',
  'signatory'
] as const
export type ReceiptField = (typeof receiptFields)[number]

/** Fields that treasurers may change: what the tax office decides, and what receipts show. */
export const treasurerFields = [
  'taxOffice',
  'taxNumber',
  'exemption',
  'purposes',
  'purposeCodes',
  'membershipFeesDeductible',
  'signatory',
  'signatoryRole',
  'signature',
  'taxOfficeInformedOn',
  'receiptPrefix'
] as const

const Day = (description: string) => Type.String({ format: 'date', description })

export const Organisation = NamedObject('Organisation', {
  legalName: Type.String({ description: 'Legal name, as in the register or statutes.' }),
  address: Nullable(Address),
  taxOffice: Type.String({ description: 'Name of the tax office, without the word Finanzamt.' }),
  taxNumber: Type.String(),
  exemption: Nullable(
    Type.Object({
      kind: Type.Enum([...exemptionKinds]),
      date: Day('Date of the notice.'),
      period: Nullable(Type.String({ description: 'Last assessment period.' }))
    })
  ),
  purposes: Type.String({ description: 'Charitable purposes in the organisation’s own words.' }),
  purposeCodes: Type.Array(Type.Enum([...purposeCodes]), {
    description: 'Charitable purposes by paragraph and number.'
  }),
  purposeForms: Type.Object(
    { genitive: Type.String(), accusative: Type.String() },
    { description: 'All purposes as receipts print them, after “zur Förderung” and after “Wir fördern”.' }
  ),
  membershipFeesDeductible: Type.Boolean({ description: 'Whether receipts may be issued for membership fees.' }),
  signatory: Type.String(),
  signatoryRole: Type.String(),
  hasSignature: Type.Boolean({ description: 'Whether an image of the signature is stored.' }),
  taxOfficeInformedOn: Nullable(
    Day('Date on which the automated procedure was notified to the tax office (R 10b.1 (4) EStR).')
  ),
  receiptPrefix: Type.String({ description: 'Prefix of receipt numbers.' }),
  creditorId: Nullable(Type.String({ description: 'SEPA creditor identifier; required for direct debits.' })),
  preNotificationDays: Type.Integer(),
  confirmationMails: Type.Boolean(),
  reviewAbove: Nullable(buildAmountSchema('Donations above this amount are held for review; null: none.')),
  messagesNeedReview: Type.Boolean({
    description: 'Whether messages and names of donors are hidden until a treasurer approves them.'
  }),
  retentionYears: Type.Integer(),
  proofOfWork: Type.Boolean(),
  missingForReceipts: Type.Array(Type.Enum([...receiptFields]), {
    description: 'Details missing for receipts. An expired exemption counts as missing.'
  }),
  version: Type.Integer({ description: 'Version; increases with each change.' }),
  updatedAt: Nullable(Type.String({ format: 'date-time' }))
})
export type Organisation = Static<typeof Organisation>

const Line = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ line: true, maxLength, ...(description === undefined ? {} : { description }) }))
const NewDay = (description: string) =>
  Type.String({ line: true, day: true, maxLength: 10, description, examples: ['2026-03-01'] })

/** A grey square as PNG. */
const exampleOfPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR4nGNogAIGyhgAgIQgAQ2AJGEAAAAASUVORK5CYII='

/** Omitted fields stay unchanged; null and empty text clear a field. */
export const OrganisationChange = NamedObject('OrganisationChange', {
  legalName: Line(140),
  address: Type.Optional(Nullable(NewAddress)),
  taxOffice: Line(100, 'Name of the tax office, without the word Finanzamt.'),
  taxNumber: Line(100),
  exemption: Type.Optional(
    Nullable(
      Type.Object({
        kind: Type.Enum([...exemptionKinds], {
          description: 'notice: Freistellungsbescheid or equivalent; provisional: notice under § 60a AO.'
        }),
        date: NewDay('Date of the notice.'),
        period: Type.Optional(
          Nullable(Type.String({ line: true, maxLength: 100, description: 'Last assessment period.' }))
        )
      })
    )
  ),
  purposes: Line(
    300,
    'Charitable purposes in your own words, in any case: der Jugendhilfe, die Jugendhilfe or Jugendhilfe.'
  ),
  purposeCodes: Type.Optional(
    Type.Array(Type.Enum([...purposeCodes]), {
      maxItems: purposeCodes.length,
      description: 'Charitable purposes by paragraph and number: 52-5 is § 52 Abs. 2 Satz 1 Nr. 5 AO.',
      examples: [['52-5']]
    })
  ),
  membershipFeesDeductible: Type.Optional(
    Type.Boolean({
      description:
        'Whether receipts may be issued for membership fees. Not for sport, culture as a pastime, local heritage and § 52 Abs. 2 Nr. 23 AO.'
    })
  ),
  signatory: Line(140),
  signatoryRole: Line(140),
  signature: Type.Optional(
    Nullable(
      Type.String({
        signature: true,
        writeOnly: true,
        maxLength: 140_000,
        description: 'Image of the signature (PNG or JPEG), base64.',
        examples: [exampleOfPicture]
      })
    )
  ),
  taxOfficeInformedOn: Type.Optional(
    Nullable(NewDay('Date on which the automated procedure was notified to the tax office (R 10b.1 (4) EStR).'))
  ),
  receiptPrefix: Type.Optional(
    Type.String({
      receiptPrefix: true,
      maxLength: 20,
      description: 'Prefix of receipt numbers, at most ten letters and digits.',
      examples: ['ABC']
    })
  ),
  creditorId: Type.Optional(
    Nullable(Type.String({ creditorId: true, maxLength: 60, examples: ['DE98ZZZ09999999999'] }))
  ),
  preNotificationDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
  confirmationMails: Type.Optional(Type.Boolean()),
  reviewAbove: Type.Optional(
    Type.Unsafe<ReturnType<typeof buildAmountInputSchema> extends { static: infer Cents } ? Cents | null : never>({
      ...buildAmountInputSchema('Donations above this amount are held for review.', 0),
      type: ['number', 'string', 'null']
    })
  ),
  messagesNeedReview: Type.Optional(
    Type.Boolean({ description: 'Whether messages and names of donors are hidden until a treasurer approves them.' })
  ),
  retentionYears: Type.Optional(Type.Integer({ minimum: 6, maximum: 30 })),
  proofOfWork: Type.Optional(Type.Boolean())
})
export type OrganisationChange = Static<typeof OrganisationChange>

const dayRule: Rule = {
  keyword: 'day',
  type: 'string',
  check: (text: string) =>
    dayPattern.test(text) && isDay(text)
      ? { value: text }
      : {
          code: 'date',
          message: buildText('fundraising-rules', 'date')
        }
}

const receiptPrefixRule: Rule = {
  keyword: 'receiptPrefix',
  type: 'string',
  check: (given: string) => {
    const text = given.trim()
    return /^[A-Za-z0-9]{0,10}$/.test(text)
      ? { value: text.toUpperCase() }
      : {
          code: 'receipt-prefix',
          message: buildText('fundraising-rules', 'receiptPrefix')
        }
  }
}

/** Two letters, two check digits, three characters chosen by the creditor, and the national identifier. */
const creditorIdRule: Rule = {
  keyword: 'creditorId',
  type: 'string',
  check: (given: string) => {
    const text = given.replace(/\s+/g, '')
    // Tested before upper-casing, because that turns some non-ASCII letters into ASCII.
    return /^[A-Za-z0-9]+$/.test(text) && isCreditorId(text.toUpperCase())
      ? { value: text.toUpperCase() }
      : {
          code: 'creditor-id',
          message: buildText('fundraising-rules', 'creditorId')
        }
  }
}

/** The check digits are computed as for an IBAN, over the national identifier without the creditor's own characters. */
export function isCreditorId(text: string): boolean {
  const [, country, digits, national] = /^([A-Z]{2})(\d\d)[A-Z0-9]{3}([A-Z0-9]{1,28})$/.exec(text) ?? []
  if (country === undefined || digits === undefined || national === undefined) return false
  if (country === 'DE' && !/^\d{11}$/.test(national)) return false
  let rest = 0
  for (const character of national + country + digits) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const signatureBytesMax = 100_000

const signatureRule: Rule = {
  keyword: 'signature',
  type: 'string',
  check: (text: string) => {
    const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
    const isPicture = isPng(bytes) || isJpeg(bytes)
    return isPicture && bytes.length <= signatureBytesMax
      ? { value: text }
      : {
          code: 'signature',
          message: buildText('fundraising-rules', 'signature')
        }
  }
}

const isPng = (bytes: Buffer) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))
const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))

export const organisationRules: Rule[] = [dayRule, receiptPrefixRule, creditorIdRule, signatureRule]
