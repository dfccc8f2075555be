import { toAmount } from '../../money/money.ts'
import type { LetterRow } from './queries.ts'
import type { Letter } from './schema.ts'

export function toLetterJson(row: LetterRow): Letter {
  const { id, year, language, currency, amountCents, paymentCount, writtenAt, actor } = row
  return { id, year, language, amount: toAmount(amountCents), currency, payments: paymentCount, writtenAt, actor }
}
