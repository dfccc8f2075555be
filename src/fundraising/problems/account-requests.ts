import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newAccountRequestNotFoundProblem = () =>
  new Problem(404, 'account-request-not-found', buildText('account-request-problems', 'accountRequestNotFound'))

export const newCampaignIdMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'required', buildText('account-request-problems', 'campaignIdMissing'))

export const newCampaignIdNotExpectedProblem = () =>
  newFieldProblem(422, '/campaignId', 'not-expected', buildText('account-request-problems', 'campaignIdNotExpected'))

export const newRequestedAccountMissingProblem = () =>
  newFieldProblem(422, '/account', 'required', buildText('account-request-problems', 'requestedAccountMissing'))

export const newRequestedAccountNotExpectedProblem = () =>
  newFieldProblem(422, '/account', 'not-expected', buildText('account-request-problems', 'requestedAccountNotExpected'))

export const newRequestedHolderMissingProblem = () =>
  newFieldProblem(422, '/account/name', 'required', buildText('account-request-problems', 'requestedHolderMissing'))

/** The site's account is not part of a specification, so wrong check digits are always rejected. */
export const newRequestedIbanInvalidProblem = () =>
  newFieldProblem(422, '/account/iban', 'iban-check', buildText('account-request-problems', 'requestedIbanInvalid'))

export const newAccountUnchangedProblem = () =>
  new Problem(409, 'account-unchanged', buildText('account-request-problems', 'accountUnchanged'))

export const newSecondPersonOffProblem = () =>
  new Problem(409, 'second-person-is-off', buildText('account-request-problems', 'secondPersonOff'))

export const newAccountRequestOpenProblem = (askedBy: string) =>
  new Problem(409, 'account-request-open', buildText('account-request-problems', 'accountRequestOpen', { askedBy }))

export const newPersonNeededProblem = () =>
  new Problem(403, 'person-needed', buildText('account-request-problems', 'personNeeded'))

export const newOwnAccountRequestProblem = () =>
  new Problem(403, 'own-account-request', buildText('account-request-problems', 'ownAccountRequest'))

export const newNotYourAccountRequestProblem = () =>
  new Problem(403, 'forbidden', buildText('account-request-problems', 'notYourAccountRequest'))

export const newAccountRequestOutdatedProblem = () =>
  new Problem(409, 'account-request-outdated', buildText('account-request-problems', 'accountRequestOutdated'))
