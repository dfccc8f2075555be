import type { Language, Text } from '#platform/language.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newCampaignNotFoundProblem = (id: number) =>
  new Problem(404, 'campaign-not-found', {
    en: id === 0 ? 'There is no such campaign.' : `There is no campaign ${id}.`,
    de: id === 0 ? 'Diese Kampagne gibt es nicht.' : `Die Kampagne ${id} gibt es nicht.`
  })

export const newDonationNotFoundProblem = () =>
  new Problem(404, 'donation-not-found', {
    en: 'There is no such donation in this campaign.',
    de: 'Diese Spende gibt es in dieser Kampagne nicht.'
  })

export const newDonationTokenNotFoundProblem = () =>
  new Problem(404, 'donation-not-found', {
    en: 'There is no donation at this address.',
    de: 'Unter dieser Adresse gibt es keine Spende.'
  })

export const newDonationOverProblem = () =>
  new Problem(409, 'donation-is-over', {
    en: 'Nothing can be changed: the donation was cancelled, failed or was paid back.',
    de: 'Hier lässt sich nichts mehr ändern: Die Spende wurde storniert, ist gescheitert oder wurde zurückgezahlt.'
  })

export const newDonorErasedProblem = () =>
  new Problem(409, 'donor-is-erased', {
    en: 'The donor was erased, for good: nothing about them is written down again. Only status can change.',
    de: 'Die spendende Person wurde endgültig gelöscht: Über sie wird nichts wieder aufgeschrieben. Nur status lässt sich ändern.'
  })

export const newAddressOnReceiptProblem = (number: string) =>
  new Problem(409, 'receipt-issued', {
    en: `address stands on the receipt ${number} already; the organisation has to withdraw it first.`,
    de: `address steht bereits auf der Bescheinigung ${number}; die Organisation muss sie erst zurückziehen.`
  })

export const newNoteNotFoundProblem = () =>
  new Problem(404, 'note-not-found', {
    en: 'This donation has no such note.',
    de: 'Diese Notiz gibt es zu dieser Spende nicht.'
  })

export const newDonationCountProblem = (most: number) =>
  newFieldProblem(400, '/donations', 'wrong-number', {
    en: `donations must be 1 to ${most} donations.`,
    de: `donations müssen 1 bis ${most} Spenden sein.`
  })

export const newCampaignEndsBeforeStartProblem = () =>
  newFieldProblem(400, '/endsAt', 'ends-before-start', {
    en: 'endsAt must be later than startsAt.',
    de: 'endsAt muss nach startsAt liegen.'
  })

export const newTooManyPresetAmountsProblem = (most: number) =>
  newFieldProblem(400, '/presetAmounts', 'too-many', {
    en: `presetAmounts must be at most ${most} amounts.`,
    de: `presetAmounts dürfen höchstens ${most} Beträge sein.`
  })

export const newPresetAmountsNotAscendingProblem = (index: number) =>
  newFieldProblem(400, `/presetAmounts/${index}`, 'not-ascending', {
    en: `presetAmounts.${index} must be larger than the amount before it.`,
    de: `presetAmounts.${index} muss größer sein als der Betrag davor.`
  })

export const newPresetAmountTooSmallProblem = (minimumCents: number) =>
  newFieldProblem(422, '/presetAmounts/0', 'preset-too-small', {
    en: `presetAmounts.0 must be at least ${toAmount(minimumCents)}, which is donationMinimum.`,
    de: `presetAmounts.0 muss mindestens ${toAmount(minimumCents)} sein: Das ist donationMinimum.`
  })

/** The presets are not in the request, so the error names its donationMinimum. */
export const newMinimumAbovePresetsProblem = (leastPresetCents: number) =>
  newFieldProblem(422, '/donationMinimum', 'preset-too-small', {
    en: `donationMinimum must be at most ${toAmount(leastPresetCents)}, the smallest of the campaign's presetAmounts. Send new presetAmounts with it, or null to remove them.`,
    de: `donationMinimum darf höchstens ${toAmount(leastPresetCents)} sein, der kleinste der presetAmounts der Spendenaktion. Senden Sie neue presetAmounts mit, oder null, um sie zu entfernen.`
  })

export const newTranslationWithoutNameProblem = (language: Language) =>
  newFieldProblem(422, `/translations/${language}/name`, 'translation-without-name', {
    en: `translations.${language}.name is required: the campaign has no text in this language yet.`,
    de: `translations.${language}.name fehlt: Die Spendenaktion hat noch keinen Text in dieser Sprache.`
  })

export const newCampaignDraftProblem = () =>
  new Problem(409, 'campaign-is-draft', {
    en: 'The campaign is a draft and does not take donations yet.',
    de: 'Die Kampagne ist ein Entwurf und nimmt noch keine Spenden an.'
  })

export const newCampaignClosedProblem = () =>
  new Problem(409, 'campaign-is-closed', {
    en: 'The campaign is closed and takes no more donations.',
    de: 'Die Kampagne ist geschlossen und nimmt keine Spenden mehr an.'
  })

export const newCampaignNotStartedProblem = (startsAt: string) =>
  new Problem(409, 'campaign-not-started', {
    en: `The campaign takes donations from ${startsAt} on.`,
    de: `Die Kampagne nimmt Spenden ab ${startsAt} an.`
  })

export const newCampaignEndedProblem = (endsAt: string) =>
  new Problem(409, 'campaign-has-ended', {
    en: `The campaign ended at ${endsAt}.`,
    de: `Die Kampagne endete am ${endsAt}.`
  })

export const newDonationTooSmallProblem = (minimumCents: number, currency: string) =>
  newFieldProblem(422, '/amount', 'donation-too-small', {
    en: `amount must be at least ${formatMoney('en', minimumCents, currency)}: that is the smallest donation to this campaign.`,
    de: `amount muss mindestens ${formatMoney('de', minimumCents, currency)} sein: Das ist die kleinste Spende für diese Kampagne.`
  })

export const newStatusNeedsTreasurerProblem = () =>
  newFieldProblem(422, '/status', 'status-needs-treasurer', {
    en: 'status must be IN_PROCESS or absent: only a treasurer records money that has arrived.',
    de: 'status muss IN_PROCESS sein oder fehlen: Nur Kassenführende verbuchen Geld, das da ist.'
  })

export const newKindNeedsTreasurerProblem = () =>
  newFieldProblem(422, '/kind', 'kind-needs-treasurer', {
    en: 'kind must be money or absent: only a treasurer records membership fees, waived expenses and gifts in kind.',
    de: 'kind muss money sein oder fehlen: Nur Kassenführende erfassen Mitgliedsbeiträge, Aufwandsverzichte und Sachspenden.'
  })

export const newInKindMissingProblem = () =>
  newFieldProblem(422, '/inKind', 'in-kind-missing', {
    en: 'inKind must describe the gift in kind: description and origin.',
    de: 'inKind muss die Sachspende beschreiben: description und origin.'
  })

export const newInKindNotExpectedProblem = () =>
  newFieldProblem(422, '/inKind', 'in-kind-not-expected', {
    en: 'inKind must be null or absent unless kind is in_kind.',
    de: 'inKind muss null sein oder fehlen, wenn kind nicht in_kind ist.'
  })

export const newKindNeedsReceivedProblem = (kind: string) =>
  newFieldProblem(422, '/kind', 'kind-needs-received', {
    en: `kind ${kind} needs the status TRANSFERRED: it is recorded when it is there.`,
    de: `kind ${kind} braucht den Status TRANSFERRED: Erfasst wird, was da ist.`
  })

export const newIllegalStatusChangeProblem = (from: string, to: string, allowed: readonly string[]) =>
  newFieldProblem(422, '/status', 'illegal-status-change', {
    en: `status cannot change from ${from} to ${to}; ${allowed.length === 0 ? `${from} is final` : `it can become ${allowed.join(' or ')}`}.`,
    de: `status kann nicht von ${from} zu ${to} wechseln; ${allowed.length === 0 ? `${from} ist endgültig` : `möglich ist ${allowed.join(' oder ')}`}.`
  })

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
  const message = {
    en: `account.iban: too many donations from this account (at most ${most} in ${windowSeconds / 3600} hours). Try again in ${seconds} seconds.`,
    de: `account.iban: zu viele Spenden von diesem Konto (höchstens ${most} in ${windowSeconds / 3600} Stunden). Bitte in ${seconds} Sekunden noch einmal versuchen.`
  }
  return new Problem(429, 'too-many-from-account', message, {
    errors: [{ in: 'body', pointer: '/account/iban', code: 'too-many-from-account', message }],
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"donations-of-account";q=${most};w=${windowSeconds}`,
      ratelimit: `"donations-of-account";r=0;t=${seconds}`
    }
  })
}

export const newHoneypotProblem = () =>
  newFieldProblem(422, '/website', 'not-a-person', {
    en: 'website must be empty: people do not see this field, programs fill it in.',
    de: 'website muss leer sein: Menschen sehen dieses Feld nicht, Programme füllen es aus.'
  })

const newProofProblem = (message: Text) => newFieldProblem(422, '/proofOfWork', 'proof-of-work', message)

export const newProofMissingProblem = () =>
  newProofProblem({
    en: 'proofOfWork is missing: GET /challenge says what to calculate.',
    de: 'proofOfWork fehlt: GET /challenge sagt, was zu berechnen ist.'
  })

export const newInvalidProofProblem = () =>
  newProofProblem({
    en: 'proofOfWork must be a challenge of ours (GET /challenge) with its solution.',
    de: 'proofOfWork muss eine Aufgabe von uns (GET /challenge) mit ihrer Lösung sein.'
  })

export const newProofExpiredProblem = () =>
  newProofProblem({
    en: 'proofOfWork has expired: ask for another one (GET /challenge).',
    de: 'proofOfWork ist abgelaufen: Bitte eine neue Aufgabe holen (GET /challenge).'
  })

export const newProofUsedProblem = () =>
  newProofProblem({
    en: 'proofOfWork was used for another donation: each is good for one (GET /challenge).',
    de: 'proofOfWork wurde schon für eine andere Spende gebraucht: Jede Lösung gilt für eine (GET /challenge).'
  })

export const newIllegalReviewProblem = () =>
  newFieldProblem(422, '/review', 'illegal-review', {
    en: 'review can only change from waiting to released.',
    de: 'review kann nur von waiting zu released wechseln.'
  })

export const newIllegalMessageReviewProblem = () =>
  newFieldProblem(422, '/messageReview', 'illegal-message-review', {
    en: 'messageReview can be set to shown or hidden, not back to waiting.',
    de: 'messageReview kann shown oder hidden werden, nicht wieder waiting.'
  })

export const newDonationNotDeletableProblem = (status: string) =>
  new Problem(409, 'donation-cannot-be-deleted', {
    en: `A donation that is ${status} stays in the books.${status === 'TRANSFERRED' ? ' Set its status to REFUNDED instead.' : ''}`,
    de: `Eine Spende mit dem Status ${status} bleibt in den Büchern.${status === 'TRANSFERRED' ? ' Setzen Sie ihren Status auf REFUNDED.' : ''}`
  })

export const newIbanFormatProblem = () =>
  newFieldProblem(400, '/iban', 'iban-form', {
    en: 'iban must be an IBAN: two letters, two digits and 11 to 30 letters or digits.',
    de: 'iban muss eine IBAN sein: zwei Buchstaben, zwei Ziffern und 11 bis 30 Buchstaben oder Ziffern.'
  })

/** `reason` explains why there is no QR code. */
export const newNoQrCodeProblem = (reason: Text) => new Problem(409, 'no-qr-code', reason)

export const newStatementNotFoundProblem = (id: number) =>
  new Problem(404, 'statement-not-found', {
    en: id === 0 ? 'There is no such bank statement.' : `There is no bank statement ${id}.`,
    de: id === 0 ? 'Diesen Kontoauszug gibt es nicht.' : `Den Kontoauszug ${id} gibt es nicht.`
  })

export const newEntryNotFoundProblem = () =>
  new Problem(404, 'entry-not-found', {
    en: 'This bank statement has no such entry.',
    de: 'Diesen Umsatz gibt es auf diesem Kontoauszug nicht.'
  })

export const newStatementFileMissingProblem = () =>
  newFieldProblem(400, '/file', 'required', {
    en: 'file is required: the bank statement, as a part of the form.',
    de: 'file fehlt: der Kontoauszug, als Teil des Formulars.'
  })

export const newInvalidMappingProblem = (columnsMax: number) =>
  newFieldProblem(400, '/mapping', 'mapping', {
    en: `mapping must be a JSON object of at most ${columnsMax} columns, each with the name of a field.`,
    de: `mapping muss ein JSON-Objekt mit höchstens ${columnsMax} Spalten sein, jede mit dem Namen eines Feldes.`
  })

export const newIgnoredAndAssignedProblem = () =>
  newFieldProblem(422, '/ignored', 'ignored-and-assigned', {
    en: 'ignored must be false or absent where a donation is given.',
    de: 'ignored muss false sein oder fehlen, wenn eine Spende angegeben ist.'
  })

export const newEntryAssignedProblem = () =>
  new Problem(409, 'entry-is-assigned', {
    en: 'The entry is booked for a donation. Take that back first (donation: null).',
    de: 'Der Umsatz ist für eine Spende gebucht. Nehmen Sie das zuerst zurück (donation: null).'
  })

export const newEntryNotAssignableProblem = (result: string) =>
  new Problem(
    409,
    'entry-cannot-be-assigned',
    result === 'known'
      ? {
          en: 'This payment stood in an earlier file: change it there (firstSeen).',
          de: 'Diese Zahlung stand schon in einer früheren Datei: Ändern Sie sie dort (firstSeen).'
        }
      : {
          en: 'There is nothing to book: the bank has not booked it, or it has no amount.',
          de: 'Hier gibt es nichts zu buchen: Die Bank hat es noch nicht gebucht, oder es hat keinen Betrag.'
        }
  )

export const newEntryDonationNotFoundProblem = () =>
  newFieldProblem(422, '/donation', 'donation-not-found', {
    en: 'donation must be one that there is.',
    de: 'donation muss eine Spende sein, die es gibt.'
  })

export const newDonationStatusChangedProblem = (status: string) =>
  new Problem(409, 'donation-has-moved-on', {
    en: `The donation is ${status}: this entry cannot change that.`,
    de: `Die Spende hat den Status ${status}: Dieser Umsatz kann das nicht ändern.`
  })

export const newDonationHasReceiptProblem = (number: string) =>
  new Problem(409, 'donation-has-receipt', {
    en: `Receipt ${number} certifies this donation. Withdraw it first.`,
    de: `Die Bestätigung ${number} bescheinigt diese Spende. Ziehen Sie sie zuerst zurück.`
  })

export const newNoSuggestionProblem = () =>
  new Problem(409, 'nothing-suggested', {
    en: 'No donation is suggested for this entry: say which one it is for.',
    de: 'Für diesen Umsatz ist keine Spende vorgeschlagen: Geben Sie an, für welche er ist.'
  })

export const newEntryCountProblem = (most: number) =>
  newFieldProblem(400, '/entries', 'wrong-number', {
    en: `entries must be 1 to ${most} entries.`,
    de: `entries müssen 1 bis ${most} Umsätze sein.`
  })

function formatMoney(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(toAmount(cents))
}
