import { pickByLanguage, type Text } from '#platform/language.ts'
import { buildText, hasMessage } from '#platform/messages/messages.ts'

/** Why an entry has its result, if the result alone does not tell. */
const reasons = [
  'pending',
  'outgoing',
  'refund',
  'came-back',
  'no-donation',
  'by-hand',
  'by-rule',
  'collection-credit',
  'taken-back',
  'known-before',
  'several-references',
  'already-received',
  'was-cancelled',
  'had-failed',
  'was-refunded',
  'other-currency',
  'paid-less',
  'paid-more',
  'other-account',
  'typo',
  'same-account',
  'same-name',
  'return-without-donation',
  'other-amount',
  'nothing-to-return'
] as const

export type Reason = (typeof reasons)[number]

export const isReason = (code: string): code is Reason => (reasons as readonly string[]).includes(code)

/** The meaning of the bank's return code (ISO 20022 external code set); leaves out its free text, which can contain personal data. */
export function describeReturn(given: string | null): { code: string; message: Text } {
  const code = /\b[A-Z]{2}[A-Z0-9]{2}\b/.exec(given ?? '')?.[0]
  if (code === undefined) return { code: 'returned', message: buildText('matching-reasons', 'returned') }
  if (!hasMessage('return-codes', code)) {
    return { code, message: buildText('matching-reasons', 'returnedWithCode', { code }) }
  }
  const meaning = buildText('return-codes', code)
  return {
    code,
    message: buildText('matching-reasons', 'returnedBecause', language => ({
      code,
      meaning: pickByLanguage(meaning, language)
    }))
  }
}
