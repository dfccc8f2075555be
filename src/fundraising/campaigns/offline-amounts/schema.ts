import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { buildAmountInputSchema, buildAmountSchema } from '../../money/money.ts'
import { buildTextsInputSchema, buildTextsSchema } from '../texts.ts'

export const offlineLabelMax = 140

export const OfflineAmount = NamedObject('OfflineAmount', {
  id: Type.String({ format: 'uuid' }),
  amount: buildAmountSchema('Amount collected outside of donations.'),
  receivedOn: Type.String({ format: 'date' }),
  label: buildTextsSchema('Where it comes from; shown to visitors.'),
  createdAt: Type.String({ format: 'date-time' })
})
export type OfflineAmount = Static<typeof OfflineAmount>

export const NewOfflineAmount = NamedObject('NewOfflineAmount', {
  amount: buildAmountInputSchema('Amount collected outside of donations.', 1),
  receivedOn: Type.String({
    ...{ line: true, day: true, maxLength: 40 },
    description: 'Day on which it was received, not in the future.',
    examples: ['2026-01-05']
  }),
  label: buildTextsInputSchema(
    'Where it comes from, such as a cash box, in at least one language; shown to visitors.',
    offlineLabelMax
  )
})
export type NewOfflineAmount = Static<typeof NewOfflineAmount>
