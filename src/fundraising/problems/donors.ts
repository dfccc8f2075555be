import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newDonorNotFoundProblem = () =>
  new Problem(404, 'donor-not-found', buildText('donor-problems', 'donorNotFound'))

/** The donor that a body names. */
export const newOtherDonorNotFoundProblem = () =>
  newFieldProblem(422, '/donorId', 'donor-not-found', buildText('donor-problems', 'otherDonorNotFound'))

export const newSameDonorProblem = () => new Problem(409, 'same-donor', buildText('donor-problems', 'sameDonor'))

export const newMergeNotFoundProblem = () =>
  new Problem(404, 'merge-not-found', buildText('donor-problems', 'mergeNotFound'))

export const newMergeUndoneProblem = () =>
  new Problem(409, 'merge-is-undone', buildText('donor-problems', 'mergeUndone'))

export const newMergeSupersededProblem = () =>
  new Problem(409, 'merge-superseded', buildText('donor-problems', 'mergeSuperseded'))

export const newMergedDonorErasedProblem = () =>
  new Problem(409, 'merged-donor-erased', buildText('donor-problems', 'mergedDonorErased'))

export const newLetterNotFoundProblem = () =>
  new Problem(404, 'letter-not-found', buildText('donor-problems', 'letterNotFound'))

export const newNoLetterToPrintProblem = () =>
  new Problem(404, 'no-letters-to-print', buildText('donor-problems', 'noLetterToPrint'))

export const newLetterTextNotFoundProblem = () =>
  new Problem(404, 'letter-text-not-found', buildText('donor-problems', 'letterTextNotFound'))

export const newNothingReceivedProblem = (year: number) =>
  new Problem(422, 'nothing-received', buildText('donor-problems', 'nothingReceived', { year }))

export const newLetterAddressMissingProblem = () =>
  new Problem(422, 'address-missing', buildText('donor-problems', 'letterAddressMissing'))

export const newLetterSenderMissingProblem = () =>
  new Problem(409, 'letter-sender-missing', buildText('donor-problems', 'letterSenderMissing'))

export const newLetterNotPrintableProblem = (characters: string[]) =>
  new Problem(
    422,
    'letter-not-printable',
    buildText('donor-problems', 'letterNotPrintable', { characters: characters.join(' ') }),
    { data: { characters } }
  )
