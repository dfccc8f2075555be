import { joinByOr } from '#platform/messages/combine-texts.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newReceiptNotFoundProblem = () =>
  new Problem(404, 'receipt-not-found', buildText('receipt-problems', 'receiptNotFound'))

export const newReceiptGoneProblem = () =>
  new Problem(410, 'receipt-is-gone', buildText('receipt-problems', 'receiptGone'))

export const newReceiptWithdrawnProblem = (number: string) =>
  new Problem(409, 'receipt-is-withdrawn', buildText('receipt-problems', 'receiptWithdrawn', { number }))

export const newReceiptRunNotFoundProblem = () =>
  new Problem(404, 'receipt-run-not-found', buildText('receipt-problems', 'receiptRunNotFound'))

export const newReceiptRunActiveProblem = (year: number) =>
  new Problem(409, 'receipt-run-goes-on', buildText('receipt-problems', 'receiptRunActive', { year }))

export const newOrganisationIncompleteProblem = (missing: readonly string[]) => {
  const message = (field: string) => buildText('receipt-problems', 'organisationIncomplete', { field })
  return new Problem(
    409,
    'organisation-incomplete',
    buildText('receipt-problems', 'organisationDetailsMissing', { missing: missing.join(', ') }),
    {
      errors: missing.map(field => ({ in: 'body', pointer: '', code: 'missing', message: message(field) })),
      data: { missing }
    }
  )
}

export const newNotSignedByMachineProblem = () =>
  new Problem(409, 'not-signed-by-machine', buildText('receipt-problems', 'notSignedByMachine'))

export const newHandSignatureRequiredProblem = () =>
  new Problem(409, 'must-be-signed-by-hand', buildText('receipt-problems', 'handSignatureRequired'))

export const newReceiptPeriodTakenProblem = (number: string) =>
  new Problem(409, 'receipt-period-taken', buildText('receipt-problems', 'receiptPeriodTaken', { number }), {
    data: { number }
  })

export const newFeeNotDeductibleProblem = () =>
  new Problem(422, 'fee-not-deductible', buildText('receipt-problems', 'feeNotDeductible'))

export const newGiftInKindNeedsOwnReceiptProblem = () =>
  new Problem(422, 'gift-in-kind-needs-own-receipt', buildText('receipt-problems', 'giftInKindNeedsOwnReceipt'))

export const newYearNotOverProblem = (year: number) =>
  newFieldProblem(422, '/upToToday', 'year-not-over', buildText('receipt-problems', 'yearNotOver', { year }))

export const newNoReceiptsToPrintProblem = () =>
  new Problem(404, 'no-receipts-to-print', buildText('receipt-problems', 'noReceiptsToPrint'))

export const newReceiptsBusyProblem = () =>
  new Problem(503, 'receipts-are-busy', buildText('receipt-problems', 'receiptsBusy'))

export const newDonationNotReceivedProblem = (reference: string, status: string) =>
  new Problem(422, 'donation-not-received', buildText('receipt-problems', 'donationNotReceived', { reference, status }))

export const newSampleDonationProblem = (reference: string) =>
  new Problem(422, 'donation-is-sample', buildText('receipt-problems', 'sampleDonation', { reference }))

export const newDonorUnknownProblem = (
  missing: readonly string[],
  donations: readonly { reference: string }[] = []
) => {
  const references = donations.map(({ reference }) => reference).slice(0, 20)
  const choice = missing.length === 1 ? String(missing[0]) : 'both'
  const message = buildText('receipt-problems', 'donorUnknown', language => ({
    missing: choice,
    isOfDonations: references.length > 0,
    donations: joinByOr(references, language)
  }))
  return new Problem(422, 'donor-not-known', message, {
    errors: references.map(reference => ({
      in: 'body',
      pointer: '/donation',
      code: 'donor-not-known',
      message: buildText('receipt-problems', 'donorUnknownOfDonation', { missing: choice, reference })
    })),
    data: { missing }
  })
}

export const newDonorNotPrintableProblem = (characters: readonly string[]) =>
  new Problem(
    422,
    'donor-not-printable',
    buildText('receipt-problems', 'donorNotPrintable', { characters: characters.slice(0, 10).join(' ') })
  )

export const newReceiptNeedsEuroProblem = (currency: string) =>
  newFieldProblem(
    422,
    '/language',
    'receipt-needs-euro',
    buildText('receipt-problems', 'receiptNeedsEuro', { currency })
  )

export const newNoDonationsInYearProblem = (year: number) =>
  new Problem(422, 'no-donations-in-year', buildText('receipt-problems', 'noDonationsInYear', { year }))

export const newTooManyDonationsForReceiptProblem = (most: number) =>
  new Problem(422, 'too-many-donations', buildText('receipt-problems', 'tooManyDonationsForReceipt', { most }))

export const newNoSimplifiedProofProblem = () =>
  new Problem(409, 'no-simplified-proof', buildText('receipt-problems', 'noSimplifiedProof'))
