import type { Language, Text } from '#platform/language.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newDonationNotFoundProblem = () =>
  new Problem(404, 'donation-not-found', {
    en: 'Donation not found in this campaign.',
    de: 'Spende in dieser Spendenaktion nicht gefunden.'
  })

export const newDonationTokenNotFoundProblem = () =>
  new Problem(404, 'donation-not-found', {
    en: 'Donation not found.',
    de: 'Spende nicht gefunden.'
  })

export const newDonationOverProblem = () =>
  new Problem(409, 'donation-is-over', {
    en: 'The donation is final (cancelled, failed or refunded) and cannot be changed.',
    de: 'Die Spende ist storniert, fehlgeschlagen oder erstattet und kann nicht mehr geändert werden.'
  })

export const newDonorErasedProblem = () =>
  new Problem(409, 'donor-is-erased', {
    en: 'The personal data of the donor was erased and cannot be stored again. Only status can change.',
    de: 'Die Personendaten wurden gelöscht und können nicht erneut gespeichert werden. Nur status kann geändert werden.'
  })

export const newAddressOnReceiptProblem = (number: string) =>
  new Problem(409, 'receipt-issued', {
    en: `address is already printed on receipt ${number}; the organisation has to withdraw it first.`,
    de: `address ist bereits auf der Zuwendungsbestätigung ${number} gedruckt; die Organisation muss sie erst zurückziehen.`
  })

export const newNoteNotFoundProblem = () =>
  new Problem(404, 'note-not-found', {
    en: 'Note not found.',
    de: 'Notiz nicht gefunden.'
  })

export const newDonationCountProblem = (most: number) =>
  newFieldProblem(400, '/donations', 'wrong-number', {
    en: `donations must contain 1 to ${most} donations.`,
    de: `donations muss 1 bis ${most} Spenden enthalten.`
  })

export const newDonationTooSmallProblem = (minimumCents: number, currency: string) =>
  newFieldProblem(422, '/amount', 'donation-too-small', {
    en: `amount must be at least ${formatMoney('en', minimumCents, currency)}, the minimum donation of this campaign.`,
    de: `amount muss mindestens ${formatMoney('de', minimumCents, currency)} sein, der Mindestbetrag dieser Spendenaktion.`
  })

export const newStatusNeedsTreasurerProblem = () =>
  newFieldProblem(422, '/status', 'status-needs-treasurer', {
    en: 'status must be IN_PROCESS or absent: only a treasurer can record received donations.',
    de: 'status muss IN_PROCESS sein oder fehlen: Nur die Kasse darf Zahlungseingänge verbuchen.'
  })

export const newKindNeedsTreasurerProblem = () =>
  newFieldProblem(422, '/kind', 'kind-needs-treasurer', {
    en: 'kind must be money or absent: only a treasurer can record membership fees, waived expenses and gifts in kind.',
    de: 'kind muss money sein oder fehlen: Nur die Kasse darf Mitgliedsbeiträge, Aufwandsverzichte und Sachspenden erfassen.'
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
    en: `kind ${kind} requires the status TRANSFERRED.`,
    de: `kind ${kind} braucht den Status TRANSFERRED.`
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
    en: `A donation with status ${status} cannot be deleted.${status === 'TRANSFERRED' ? ' Set its status to REFUNDED instead.' : ''}`,
    de: `Eine Spende mit dem Status ${status} kann nicht gelöscht werden.${status === 'TRANSFERRED' ? ' Setzen Sie ihren Status auf REFUNDED.' : ''}`
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
    en: `The donation is ${status} and cannot be changed by this transaction.`,
    de: `Die Spende hat den Status ${status}; dieser Umsatz kann ihn nicht ändern.`
  })

export const newDonationHasReceiptProblem = (number: string) =>
  new Problem(409, 'donation-has-receipt', {
    en: `Receipt ${number} was issued for this donation. Withdraw it first.`,
    de: `Über diese Spende wurde die Zuwendungsbestätigung ${number} ausgestellt. Ziehen Sie sie zuerst zurück.`
  })

function formatMoney(language: Language, cents: number, currency: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(toAmount(cents))
}
