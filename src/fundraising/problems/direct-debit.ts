import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newNoDirectDebitProblem = () =>
  new Problem(404, 'no-direct-debit', {
    en: 'Direct debits are not offered here: the organisation has not set its name and creditor identifier.',
    de: 'Lastschriften werden hier nicht angeboten: Die Organisation hat ihren Namen und ihre Gläubiger-Identifikationsnummer nicht eingetragen.'
  })

export const newCreditorIncompleteProblem = () =>
  new Problem(409, 'no-direct-debit', {
    en: 'The organisation has not set its legal name and creditor identifier, without which no bank takes direct debits.',
    de: 'Die Organisation hat ihren rechtlichen Namen und ihre Gläubiger-Identifikationsnummer nicht eingetragen. Ohne sie nimmt keine Bank Lastschriften an.'
  })

export const newDirectDebitNotOfferedProblem = () =>
  newFieldProblem(422, '/mandate', 'no-direct-debit', {
    en: 'mandate must be absent: the organisation does not offer direct debits.',
    de: 'mandate muss fehlen: Die Organisation bietet keine Lastschriften an.'
  })

export const newCampaignWithoutDirectDebitProblem = () =>
  newFieldProblem(422, '/mandate', 'campaign-without-direct-debit', {
    en: 'mandate must be absent: direct debits need a campaign in euros with a valid account of its own in the European Economic Area.',
    de: 'mandate muss fehlen: Lastschriften brauchen eine Kampagne in Euro mit einem gültigen eigenen Konto im Europäischen Wirtschaftsraum.'
  })

export const newMandateForReceivedMoneyProblem = () =>
  newFieldProblem(422, '/mandate', 'mandate-for-received-money', {
    en: 'mandate must be absent: money that has arrived is not collected.',
    de: 'mandate muss fehlen: Geld, das da ist, wird nicht eingezogen.'
  })

export const newMandateTextChangedProblem = () =>
  newFieldProblem(422, '/mandate/text', 'mandate-text-changed', {
    en: 'mandate.text must be one of the texts of GET /mandate, word for word: it has changed, or was never one.',
    de: 'mandate.text muss wörtlich einer der Texte von GET /mandate sein: Er hat sich geändert oder war nie einer.'
  })

export const newAccountNotDebitableProblem = () =>
  newFieldProblem(422, '/account/iban', 'iban-not-for-direct-debit', {
    en: 'account.iban must be a valid IBAN of a bank in the European Economic Area: others cannot be debited.',
    de: 'account.iban muss eine gültige IBAN einer Bank im Europäischen Wirtschaftsraum sein: Andere Konten können nicht belastet werden.'
  })

export const newMandateNotFoundProblem = () =>
  new Problem(404, 'mandate-not-found', {
    en: 'There is no such mandate.',
    de: 'Dieses Mandat gibt es nicht.'
  })

export const newDebitAtBankProblem = (collectOn: string) =>
  new Problem(409, 'debit-is-at-the-bank', {
    en: `The debit of ${collectOn} is at the bank already. The donor can have it paid back there within eight weeks.`,
    de: `Die Lastschrift vom ${collectOn} liegt schon bei der Bank. Dort ist sie binnen acht Wochen ohne Begründung zurückzubekommen.`
  })

export const newDonationBeingCollectedProblem = (collectionId: number) =>
  new Problem(409, 'donation-is-being-collected', {
    en: `The donation is in collection ${collectionId}, which is on its way. Cancel the collection first.`,
    de: `Die Spende gehört zum Einzug ${collectionId}, der unterwegs ist. Stornieren Sie zuerst den Einzug.`
  })

export const newCollectionNotFoundProblem = () =>
  new Problem(404, 'collection-not-found', {
    en: 'There is no such collection.',
    de: 'Diesen Einzug gibt es nicht.'
  })

export const newNothingToCollectProblem = (leftOut: { code: string; references: string[] }[]) => {
  const reasons = leftOut.map(({ code, references }) => `${code} (${references.join(', ')})`).join('; ')
  return new Problem(422, 'nothing-to-collect', {
    en: `There is nothing to collect.${reasons === '' ? '' : ` Left out: ${reasons}.`}`,
    de: `Es gibt nichts einzuziehen.${reasons === '' ? '' : ` Ausgelassen: ${reasons}.`}`
  })
}

export const newWrongCollectionDayProblem = (earliest: string, latest: string) =>
  newFieldProblem(422, '/collectOn', 'wrong-collection-day', {
    en: `collectOn must be a day on which banks settle payments (TARGET), from ${earliest} to ${latest}.`,
    de: `collectOn muss ein Tag sein, an dem Banken Zahlungen abwickeln (TARGET), vom ${earliest} bis zum ${latest}.`
  })

export const newCollectionSizeProblem = (most: number) =>
  newFieldProblem(400, '/donations', 'wrong-number', {
    en: `donations must be 1 to ${most} donations.`,
    de: `donations müssen 1 bis ${most} Spenden sein.`
  })

export const newIllegalCollectionStatusProblem = (from: string, to: string, allowed: readonly string[]) =>
  newFieldProblem(422, '/status', 'illegal-status-change', {
    en: `status cannot change from ${from} to ${to}; ${allowed.length === 0 ? `${from} is final` : `it can become ${allowed.join(' or ')}`}.`,
    de: `status kann nicht von ${from} zu ${to} wechseln; ${allowed.length === 0 ? `${from} ist endgültig` : `möglich ist ${allowed.join(' oder ')}`}.`
  })

export const newRecallRequiredProblem = () =>
  newFieldProblem(422, '/recalled', 'recall-first', {
    en: 'recalled must be true: a file that is at the bank can only be cancelled once the bank has agreed not to carry it out.',
    de: 'recalled muss true sein: Eine Datei, die bei der Bank liegt, kann nur storniert werden, wenn die Bank sie nicht mehr ausführt.'
  })

export const newCollectedTooEarlyProblem = (collectOn: string) =>
  new Problem(409, 'collected-too-early', {
    en: `The money is not there before ${collectOn}. Then the collection can be done.`,
    de: `Das Geld ist nicht vor dem ${collectOn} da. Dann kann der Einzug abgeschlossen werden.`
  })

export const newCollectionOutOfDateProblem = (references: string[]) => {
  const named = references.slice(0, 10).join(', ')
  return new Problem(409, 'collection-out-of-date', {
    en: `Something happened to donations of this collection since it was made (${named}). Cancel it and make a new one, so that nobody pays twice.`,
    de: `Seit dieser Einzug erstellt wurde, ist mit Spenden darin etwas geschehen (${named}). Stornieren Sie ihn und erstellen Sie einen neuen, damit niemand doppelt zahlt.`
  })
}

export const newCollectionFileGoneProblem = () =>
  new Problem(410, 'collection-file-gone', {
    en: 'The file cannot be written again: a donor in it was erased, or the collection was cancelled.',
    de: 'Die Datei lässt sich nicht mehr schreiben: Jemand darin wurde gelöscht, oder der Einzug wurde storniert.'
  })
