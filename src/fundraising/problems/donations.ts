import type { Language, Text } from '#platform/language.ts'
import { joinByOr } from '#platform/messages/combine-texts.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newDonationNotFoundProblem = () =>
  new Problem(404, 'donation-not-found', buildText('donation-problems', 'donationNotFound'))

export const newDonationTokenNotFoundProblem = () =>
  new Problem(404, 'donation-not-found', buildText('donation-problems', 'donationTokenNotFound'))

export const newDonationOverProblem = () =>
  new Problem(409, 'donation-is-over', buildText('donation-problems', 'donationOver'))

export const newDonorErasedProblem = () =>
  new Problem(409, 'donor-is-erased', buildText('donation-problems', 'donorErased'))

export const newAddressOnReceiptProblem = (number: string) =>
  new Problem(409, 'receipt-issued', buildText('donation-problems', 'addressOnReceipt', { number }))

export const newNoteNotFoundProblem = () =>
  new Problem(404, 'note-not-found', buildText('donation-problems', 'noteNotFound'))

export const newDonationCountProblem = (most: number) =>
  newFieldProblem(400, '/donations', 'wrong-number', buildText('donation-problems', 'donationCount', { most }))

export const newDonationTooSmallProblem = (minimumCents: number, currency: string) =>
  newFieldProblem(
    422,
    '/amount',
    'donation-too-small',
    buildText('donation-problems', 'donationTooSmall', language => ({
      minimum: formatMoney(language, minimumCents, currency)
    }))
  )

export const newStatusNeedsTreasurerProblem = () =>
  newFieldProblem(422, '/status', 'status-needs-treasurer', buildText('donation-problems', 'statusNeedsTreasurer'))

export const newKindNeedsTreasurerProblem = () =>
  newFieldProblem(422, '/kind', 'kind-needs-treasurer', buildText('donation-problems', 'kindNeedsTreasurer'))

export const newInKindMissingProblem = () =>
  newFieldProblem(422, '/inKind', 'in-kind-missing', buildText('donation-problems', 'inKindMissing'))

export const newInKindNotExpectedProblem = () =>
  newFieldProblem(422, '/inKind', 'in-kind-not-expected', buildText('donation-problems', 'inKindNotExpected'))

export const newKindNeedsReceivedProblem = (kind: string) =>
  newFieldProblem(422, '/kind', 'kind-needs-received', buildText('donation-problems', 'kindNeedsReceived', { kind }))

export const newIllegalStatusChangeProblem = (from: string, to: string, allowed: readonly string[]) =>
  newFieldProblem(
    422,
    '/status',
    'illegal-status-change',
    buildText('donation-problems', 'illegalStatusChange', language => ({
      from,
      to,
      isFinal: allowed.length === 0,
      allowed: joinByOr(allowed, language)
    }))
  )

/** Names the field but not its value: an IBAN must not appear in a response. */
export const newAccountRateLimitProblem = ({
  most,
  windowSeconds,
  seconds
}: {
  most: number
  windowSeconds: number
  seconds: number
}) => {
  const message = buildText('donation-problems', 'accountRateLimit', {
    most,
    hours: windowSeconds / 3600,
    seconds
  })
  return new Problem(429, 'too-many-from-account', message, {
    errors: [{ in: 'body', pointer: '/account/iban', code: 'too-many-from-account', message }],
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"donations-of-account";q=${most};w=${windowSeconds}`,
      ratelimit: `"donations-of-account";r=0;t=${seconds}`
    }
  })
}

export const newIllegalReviewProblem = () =>
  newFieldProblem(422, '/review', 'illegal-review', buildText('donation-problems', 'illegalReview'))

export const newIllegalMessageReviewProblem = () =>
  newFieldProblem(
    422,
    '/messageReview',
    'illegal-message-review',
    buildText('donation-problems', 'illegalMessageReview')
  )

export const newDonationNotDeletableProblem = (status: string) =>
  new Problem(
    409,
    'donation-cannot-be-deleted',
    buildText('donation-problems', 'donationNotDeletable', { status, isReceived: status === 'TRANSFERRED' })
  )

export const newIbanFormatProblem = () =>
  newFieldProblem(400, '/iban', 'iban-form', buildText('donation-problems', 'ibanFormat'))

/** `reason` explains why there is no QR code. */
export const newNoQrCodeProblem = (reason: Text) => new Problem(409, 'no-qr-code', reason)

export const newDonationStatusChangedProblem = (status: string) =>
  new Problem(409, 'donation-has-moved-on', buildText('donation-problems', 'donationStatusChanged', { status }))

export const newDonationHasReceiptProblem = (number: string) =>
  new Problem(409, 'donation-has-receipt', buildText('donation-problems', 'donationHasReceipt', { number }))

function formatMoney(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(toAmount(cents))
}
