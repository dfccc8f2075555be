import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newAccountRequestNotFoundProblem = () =>
  new Problem(404, 'account-request-not-found', {
    en: 'Account change request not found. It may have been confirmed, rejected or withdrawn, or it has expired.',
    de: 'Diesen Antrag gibt es nicht. Vielleicht wurde er bestätigt, abgelehnt oder zurückgezogen, oder er ist abgelaufen.'
  })

export const newCampaignIdMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'required', {
    en: 'campaignId is required: the campaign whose account is to change.',
    de: 'campaignId fehlt: die Spendenaktion, deren Konto sich ändern soll.'
  })

export const newCampaignIdNotExpectedProblem = () =>
  newFieldProblem(422, '/campaignId', 'not-expected', {
    en: 'campaignId is allowed only for campaign_account.',
    de: 'campaignId ist nur bei campaign_account erlaubt.'
  })

export const newRequestedAccountMissingProblem = () =>
  newFieldProblem(422, '/account', 'required', {
    en: 'account is required: the new account.',
    de: 'account fehlt: das neue Konto.'
  })

export const newRequestedAccountNotExpectedProblem = () =>
  newFieldProblem(422, '/account', 'not-expected', {
    en: 'account is not allowed for turn_off.',
    de: 'account ist bei turn_off nicht erlaubt.'
  })

export const newRequestedHolderMissingProblem = () =>
  newFieldProblem(422, '/account/name', 'required', {
    en: 'account.name is required, because there is no account yet.',
    de: 'account.name (Kontoinhaber) fehlt; es gibt noch kein Konto.'
  })

/** The site's account is not part of a specification, so wrong check digits are always rejected. */
export const newRequestedIbanInvalidProblem = () =>
  newFieldProblem(422, '/account/iban', 'iban-check', {
    en: 'account.iban is not a valid IBAN: its check digits or its length are wrong.',
    de: 'account.iban ist keine gültige IBAN: Prüfziffern oder Länge stimmen nicht.'
  })

export const newAccountUnchangedProblem = () =>
  new Problem(409, 'account-unchanged', {
    en: 'This is the current IBAN. There is nothing to confirm.',
    de: 'Diese IBAN gilt bereits. Es gibt nichts zu bestätigen.'
  })

export const newSecondPersonOffProblem = () =>
  new Problem(409, 'second-person-is-off', {
    en: 'The confirmation by a second person is already off.',
    de: 'Die Bestätigung durch eine zweite Person ist schon ausgeschaltet.'
  })

export const newAccountRequestOpenProblem = (askedBy: string) =>
  new Problem(409, 'account-request-open', {
    en: `There is already an open request by ${askedBy}. It has to be confirmed, rejected or withdrawn first.`,
    de: `Dazu gibt es schon einen offenen Antrag von ${askedBy}. Er muss zuerst bestätigt, abgelehnt oder zurückgezogen werden.`
  })

export const newPersonNeededProblem = () =>
  new Problem(403, 'person-needed', {
    en: 'Only a signed-in user can confirm a request, not an API key.',
    de: 'Einen Antrag kann nur eine angemeldete Person bestätigen, kein API-Schlüssel.'
  })

export const newOwnAccountRequestProblem = () =>
  new Problem(403, 'own-account-request', {
    en: 'You made this request yourself, signed in or with one of your keys. A second person has to confirm it.',
    de: 'Sie haben das selbst beantragt, persönlich oder mit einem Ihrer Schlüssel. Bestätigen muss es eine zweite Person.'
  })

export const newNotYourAccountRequestProblem = () =>
  new Problem(403, 'forbidden', {
    en: 'A request can be withdrawn only by the user who made it; a treasurer or an admin can reject it.',
    de: 'Zurückziehen kann den Antrag nur, wer ihn gestellt hat; ablehnen können ihn Kasse und Administration.'
  })

export const newAccountRequestOutdatedProblem = () =>
  new Problem(409, 'account-request-outdated', {
    en: 'The campaign was deleted or its account was changed after the request. Reject the request and create a new one.',
    de: 'Nach dem Antrag wurde die Spendenaktion gelöscht oder ihr Konto geändert. Lehnen Sie den Antrag ab und stellen Sie einen neuen.'
  })
