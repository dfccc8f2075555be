import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newAccountRequestNotFoundProblem = () =>
  new Problem(404, 'account-request-not-found', {
    en: 'There is no such request. It may have been confirmed, rejected or withdrawn, or it has expired.',
    de: 'Diesen Antrag gibt es nicht. Vielleicht wurde er bestätigt, abgelehnt oder zurückgezogen, oder er ist abgelaufen.'
  })

export const newCampaignIdMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'required', {
    en: 'campaignId must name the campaign whose account shall change.',
    de: 'campaignId muss die Spendenaktion nennen, deren Konto sich ändern soll.'
  })

export const newCampaignIdNotExpectedProblem = () =>
  newFieldProblem(422, '/campaignId', 'not-expected', {
    en: 'campaignId belongs to campaign_account only.',
    de: 'campaignId gehört nur zu campaign_account.'
  })

export const newRequestedAccountMissingProblem = () =>
  newFieldProblem(422, '/account', 'required', {
    en: 'account must be the account that is requested.',
    de: 'account muss das gewünschte Konto sein.'
  })

export const newRequestedAccountNotExpectedProblem = () =>
  newFieldProblem(422, '/account', 'not-expected', {
    en: 'account does not belong to turn_off.',
    de: 'account gehört nicht zu turn_off.'
  })

export const newRequestedHolderMissingProblem = () =>
  newFieldProblem(422, '/account/name', 'required', {
    en: 'account.name must name the holder, as there is no account yet.',
    de: 'account.name muss den Kontoinhaber nennen, weil es noch kein Konto gibt.'
  })

/** The site's account is not part of a specification, so wrong check digits are always rejected. */
export const newRequestedIbanInvalidProblem = () =>
  newFieldProblem(422, '/account/iban', 'iban-check', {
    en: 'account.iban is not a valid IBAN: its check digits or its length are wrong.',
    de: 'account.iban ist keine gültige IBAN: Prüfziffern oder Länge stimmen nicht.'
  })

export const newAccountUnchangedProblem = () =>
  new Problem(409, 'account-unchanged', {
    en: 'This IBAN is the present one already, so there is nothing to confirm.',
    de: 'Diese IBAN gilt bereits. Es gibt nichts zu bestätigen.'
  })

export const newSecondPersonOffProblem = () =>
  new Problem(409, 'second-person-is-off', {
    en: 'No second person is needed at the moment, so there is nothing to turn off.',
    de: 'Zurzeit muss keine zweite Person bestätigen. Es gibt nichts auszuschalten.'
  })

export const newAccountRequestOpenProblem = (askedBy: string) =>
  new Problem(409, 'account-request-open', {
    en: `There is an open request for this already, from ${askedBy}. It has to be confirmed, rejected or withdrawn first.`,
    de: `Dazu gibt es schon einen offenen Antrag von ${askedBy}. Er muss zuerst bestätigt, abgelehnt oder zurückgezogen werden.`
  })

export const newPersonNeededProblem = () =>
  new Problem(403, 'person-needed', {
    en: 'Only a person who has signed in can confirm a request; a key cannot.',
    de: 'Einen Antrag kann nur eine angemeldete Person bestätigen, kein Schlüssel.'
  })

export const newOwnAccountRequestProblem = () =>
  new Problem(403, 'own-account-request', {
    en: 'You have requested this yourself, in person or with a key of yours. A second person has to confirm it.',
    de: 'Sie haben das selbst beantragt, persönlich oder mit einem Ihrer Schlüssel. Bestätigen muss es eine zweite Person.'
  })

export const newNotYourAccountRequestProblem = () =>
  new Problem(403, 'forbidden', {
    en: 'Only whoever requested it can withdraw it; a treasurer or an admin can reject it.',
    de: 'Zurückziehen kann den Antrag nur, wer ihn gestellt hat; ablehnen können ihn Kasse und Administration.'
  })

export const newAccountRequestOutdatedProblem = () =>
  new Problem(409, 'account-request-outdated', {
    en: 'The campaign was deleted or its account was changed after this was requested. Reject the request; it can be made again.',
    de: 'Nach dem Antrag wurde die Spendenaktion gelöscht oder ihr Konto geändert. Lehnen Sie den Antrag ab; er lässt sich neu stellen.'
  })
