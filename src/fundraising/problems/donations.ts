import type { Language, Text } from '#platform/language.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

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

function formatMoney(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(toAmount(cents))
}
