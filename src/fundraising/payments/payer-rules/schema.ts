import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { Nullable } from '#platform/http/nullable.ts'
import { Paging } from '#platform/http/paging.ts'

/** `campaign` preselects a campaign for the payer's payments, `ignore` ignores them. */
export const ruleActions = ['campaign', 'ignore'] as const
export type RuleAction = (typeof ruleActions)[number]

const Note = Type.String({
  line: true,
  maxLength: 200,
  description: 'Note for other treasurers.',
  examples: ['membership']
})

export const PayerRule = NamedObject('PayerRule', {
  id: Type.String({ format: 'uuid' }),
  payerName: Nullable(Type.String()),
  iban: Nullable(Type.String(), {
    description: 'IBAN of the payer; null if it can no longer be decrypted. The rule then matches nothing.'
  }),
  action: Type.Enum([...ruleActions]),
  campaignId: Nullable(Type.Integer(), { description: 'Campaign to preselect.' }),
  campaignName: Nullable(Type.String()),
  note: Nullable(Type.String()),
  createdAt: Type.String({ format: 'date-time' }),
  createdBy: Type.String(),
  lastUsedAt: Nullable(Type.String({ format: 'date-time' }))
})
export type PayerRule = Static<typeof PayerRule>

export const PayerRuleQuery = Type.Object({ ...Paging.properties })

export const NewPayerRule = NamedObject('NewPayerRule', {
  entry: Type.Optional(
    Type.Object(
      {
        statementId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
        id: Type.String({ uuid: true, maxLength: 100, examples: ['01900000-0000-7000-8000-000000000000'] })
      },
      { description: 'Transaction of the payer, instead of iban and payerName.' }
    )
  ),
  iban: Type.Optional(
    Type.String({
      iban: true,
      maxLength: 60,
      description: 'IBAN of the payer; required unless entry is given.',
      examples: ['DE89370400440532013000']
    })
  ),
  payerName: Type.Optional(Type.String({ line: true, minLength: 1, maxLength: 200, examples: ['Familie Schulz'] })),
  action: Type.Enum([...ruleActions], {
    description: 'campaign: preselect campaignId; ignore: ignore payments without a matching donation.'
  }),
  campaignId: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      description: 'Campaign; required for the action campaign.'
    })
  ),
  note: Type.Optional(Nullable(Note))
})
export type NewPayerRule = Static<typeof NewPayerRule>
