import { newFieldProblem, Problem } from '#platform/problem.ts'
import { formatGermanDay } from './german-date.ts'

export const newNoDirectDebitProblem = () =>
  new Problem(404, 'no-direct-debit', {
    en: 'Direct debit is not available: legal name and creditor identifier of the organisation are not set.',
    de: 'Lastschriften sind nicht möglich: Name und Gläubiger-Identifikationsnummer der Organisation fehlen.'
  })

export const newCreditorIncompleteProblem = () =>
  new Problem(409, 'no-direct-debit', {
    en: 'Direct debits require the legal name and the creditor identifier of the organisation (PATCH /organisation).',
    de: 'Für Lastschriften fehlen der Name und die Gläubiger-Identifikationsnummer der Organisation (PATCH /organisation).'
  })

export const newDirectDebitNotOfferedProblem = () =>
  newFieldProblem(422, '/mandate', 'no-direct-debit', {
    en: 'mandate must be absent: the organisation does not offer direct debits.',
    de: 'mandate muss fehlen: Die Organisation bietet keine Lastschriften an.'
  })

export const newCampaignWithoutDirectDebitProblem = () =>
  newFieldProblem(422, '/mandate', 'campaign-without-direct-debit', {
    en: 'mandate must be absent: direct debits require a campaign in EUR with a valid account in the European Economic Area.',
    de: 'mandate muss fehlen: Lastschriften brauchen eine Spendenaktion in Euro mit einem gültigen Konto im Europäischen Wirtschaftsraum.'
  })

export const newMandateForReceivedMoneyProblem = () =>
  newFieldProblem(422, '/mandate', 'mandate-for-received-money', {
    en: 'mandate must be absent: the donation is already received.',
    de: 'mandate muss fehlen: Die Spende ist schon eingegangen.'
  })

export const newMandateTextChangedProblem = () =>
  newFieldProblem(422, '/mandate/text', 'mandate-text-changed', {
    en: 'mandate.text must be one of the current texts of GET /mandate, unchanged.',
    de: 'mandate.text muss wörtlich einer der aktuellen Texte von GET /mandate sein.'
  })

export const newAccountNotDebitableProblem = () =>
  newFieldProblem(422, '/account/iban', 'iban-not-for-direct-debit', {
    en: 'account.iban must be a valid IBAN of a bank in the European Economic Area: others cannot be debited.',
    de: 'account.iban muss eine gültige IBAN einer Bank im Europäischen Wirtschaftsraum sein: Andere Konten können nicht belastet werden.'
  })

export const newMandateNotFoundProblem = () =>
  new Problem(404, 'mandate-not-found', {
    en: 'Mandate not found.',
    de: 'Mandat nicht gefunden.'
  })

export const newDebitAtBankProblem = (collectOn: string) =>
  new Problem(409, 'debit-is-at-the-bank', {
    en: `The direct debit of ${collectOn} was already submitted to the bank. The donor can request a refund from the bank within eight weeks.`,
    de: `Die Lastschrift vom ${formatGermanDay(collectOn)} ist schon bei der Bank eingereicht. Die Erstattung kann innerhalb von acht Wochen bei der Bank verlangt werden.`
  })

export const newDonationBeingCollectedProblem = (collectionId: number) =>
  new Problem(409, 'donation-is-being-collected', {
    en: `The donation is in direct debit batch ${collectionId}. Cancel the batch first.`,
    de: `Die Spende gehört zum Lastschrifteinzug ${collectionId}. Stornieren Sie zuerst den Einzug.`
  })

export const newCollectionNotFoundProblem = () =>
  new Problem(404, 'collection-not-found', {
    en: 'Direct debit batch not found.',
    de: 'Lastschrifteinzug nicht gefunden.'
  })

export const newNothingToCollectProblem = (leftOut: { code: string; references: string[] }[]) => {
  const reasons = leftOut.map(({ code, references }) => `${code} (${references.join(', ')})`).join('; ')
  return new Problem(422, 'nothing-to-collect', {
    en: `No donations to collect.${reasons === '' ? '' : ` Skipped: ${reasons}.`}`,
    de: `Keine Spenden einzuziehen.${reasons === '' ? '' : ` Ausgelassen: ${reasons}.`}`
  })
}

export const newWrongCollectionDayProblem = (earliest: string, latest: string) =>
  newFieldProblem(422, '/collectOn', 'wrong-collection-day', {
    en: `collectOn must be a day on which banks settle payments (TARGET), from ${earliest} to ${latest}.`,
    de: `collectOn muss ein Tag sein, an dem Banken Zahlungen abwickeln (TARGET), vom ${formatGermanDay(earliest)} bis zum ${formatGermanDay(latest)}.`
  })

export const newCollectionSizeProblem = (most: number) =>
  newFieldProblem(400, '/donations', 'wrong-number', {
    en: `donations must contain 1 to ${most} donations.`,
    de: `donations muss 1 bis ${most} Spenden enthalten.`
  })

export const newIllegalCollectionStatusProblem = (from: string, to: string, allowed: readonly string[]) =>
  newFieldProblem(422, '/status', 'illegal-status-change', {
    en: `status cannot change from ${from} to ${to}; ${allowed.length === 0 ? `${from} is final` : `it can become ${allowed.join(' or ')}`}.`,
    de: `status kann nicht von ${from} zu ${to} wechseln; ${allowed.length === 0 ? `${from} ist endgültig` : `möglich ist ${allowed.join(' oder ')}`}.`
  })

export const newRecallRequiredProblem = () =>
  newFieldProblem(422, '/recalled', 'recall-first', {
    en: 'recalled must be true: a submitted batch can be cancelled only after the bank has confirmed the recall.',
    de: 'recalled muss true sein: Ein eingereichter Einzug kann nur storniert werden, wenn die Bank den Rückruf bestätigt hat.'
  })

export const newCollectedTooEarlyProblem = (collectOn: string) =>
  new Problem(409, 'collected-too-early', {
    en: `The batch cannot be completed before its collection date, ${collectOn}.`,
    de: `Der Einzug kann nicht vor dem Einzugsdatum ${formatGermanDay(collectOn)} abgeschlossen werden.`
  })

export const newCollectionOutOfDateProblem = (references: string[]) => {
  const named = references.slice(0, 10).join(', ')
  return new Problem(409, 'collection-out-of-date', {
    en: `Donations of this batch have changed since it was created (${named}). Cancel it and create a new one, so that no donor is debited twice.`,
    de: `Seit dieser Einzug erstellt wurde, haben sich Spenden darin geändert (${named}). Stornieren Sie ihn und erstellen Sie einen neuen, damit niemand doppelt zahlt.`
  })
}

export const newCollectionFileGoneProblem = () =>
  new Problem(410, 'collection-file-gone', {
    en: 'The file is no longer available: personal data of a donor was erased, or the batch was cancelled.',
    de: 'Die Datei ist nicht mehr verfügbar: Personendaten wurden gelöscht, oder der Einzug wurde storniert.'
  })
