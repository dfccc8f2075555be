import { newFieldProblem, Problem } from '#platform/problem.ts'

export const newReceiptNotFoundProblem = () =>
  new Problem(404, 'receipt-not-found', {
    en: 'Receipt not found.',
    de: 'Zuwendungsbestätigung nicht gefunden.'
  })

export const newReceiptGoneProblem = () =>
  new Problem(410, 'receipt-is-gone', {
    en: 'The retention period of this receipt has ended; its file was deleted.',
    de: 'Die Aufbewahrungsfrist dieser Bestätigung ist abgelaufen; die Datei wurde gelöscht.'
  })

export const newReceiptWithdrawnProblem = (number: string) =>
  new Problem(409, 'receipt-is-withdrawn', {
    en: `Receipt ${number} was already withdrawn.`,
    de: `Die Bestätigung ${number} wurde bereits zurückgezogen.`
  })

export const newReceiptRunNotFoundProblem = () =>
  new Problem(404, 'receipt-run-not-found', {
    en: 'Receipt run not found.',
    de: 'Jahreslauf nicht gefunden.'
  })

export const newReceiptRunActiveProblem = (year: number) =>
  new Problem(409, 'receipt-run-goes-on', {
    en: `A receipt run for ${year} is already in progress.`,
    de: `Für ${year} werden bereits Bestätigungen ausgestellt.`
  })

export const newOrganisationIncompleteProblem = (missing: readonly string[]) => {
  const message = (field: string) => ({
    en: `${field} of the organisation is missing, expired or not printable.`,
    de: `${field} der Organisation fehlt, ist veraltet oder kann nicht gedruckt werden.`
  })
  return new Problem(
    409,
    'organisation-incomplete',
    {
      en: `Details of the organisation are missing for receipts: ${missing.join(', ')} (PATCH /organisation).`,
      de: `Für Bestätigungen fehlen Angaben zur Organisation: ${missing.join(', ')} (PATCH /organisation).`
    },
    {
      errors: missing.map(field => ({ in: 'body', pointer: '', code: 'missing', message: message(field) })),
      data: { missing }
    }
  )
}

export const newNotSignedByMachineProblem = () =>
  new Problem(409, 'not-signed-by-machine', {
    en: 'A German receipt can be emailed only if an image of the signature is stored (signature) and the tax office was notified (taxOfficeInformedOn). Otherwise print and sign it.',
    de: 'Eine deutsche Bestätigung kann nur per E-Mail versendet werden, wenn ein Bild der Unterschrift hinterlegt (signature) und das maschinelle Verfahren dem Finanzamt angezeigt ist (taxOfficeInformedOn). Sonst bitte drucken und unterschreiben.'
  })

export const newHandSignatureRequiredProblem = () =>
  new Problem(409, 'must-be-signed-by-hand', {
    en: 'A receipt for a gift in kind or for waived expenses cannot be emailed, because it has to be signed by hand. Print and sign it.',
    de: 'Eine Bestätigung über eine Sachspende oder einen Aufwandsverzicht kann nicht per E-Mail versendet werden, weil sie eigenhändig unterschrieben werden muss. Bitte drucken und unterschreiben.'
  })

export const newReceiptPeriodTakenProblem = (number: string) =>
  new Problem(
    409,
    'receipt-period-taken',
    {
      en: `Collective receipt ${number} to this donor already covers this period. Withdraw it and issue one for the whole period, or issue a single receipt for each donation that it leaves out.`,
      de: `Die Sammelbestätigung ${number} für diese Person umfasst diesen Zeitraum bereits. Ziehen Sie sie zurück und stellen Sie eine neue aus, oder stellen Sie für jede fehlende Spende eine Einzelbestätigung aus.`
    },
    { data: { number } }
  )

export const newFeeNotDeductibleProblem = () =>
  new Problem(422, 'fee-not-deductible', {
    en: 'No receipt for membership fees: according to the settings they are not tax-deductible (membershipFeesDeductible).',
    de: 'Für einen Mitgliedsbeitrag wird keine Bestätigung ausgestellt: Laut Einstellungen sind die Beiträge der Organisation nicht abziehbar (membershipFeesDeductible).'
  })

export const newGiftInKindNeedsOwnReceiptProblem = () =>
  new Problem(422, 'gift-in-kind-needs-own-receipt', {
    en: 'A gift in kind cannot be part of a collective receipt. Issue a single receipt.',
    de: 'Eine Sachspende kann nicht in eine Sammelbestätigung aufgenommen werden. Stellen Sie eine Einzelbestätigung aus.'
  })

export const newYearNotOverProblem = (year: number) =>
  newFieldProblem(422, '/upToToday', 'year-not-over', {
    en: `upToToday must be true: ${year} has not ended. The receipts would cover the time up to today, and later donations would need additional ones. Waiting until January is recommended.`,
    de: `upToToday muss true sein: ${year} ist noch nicht zu Ende. Die Bestätigungen würden die Zeit bis heute umfassen, und für spätere Spenden wären weitere nötig. Warten Sie besser bis Januar.`
  })

export const newNoReceiptsToPrintProblem = () =>
  new Problem(404, 'no-receipts-to-print', {
    en: 'No valid receipts found.',
    de: 'Keine gültigen Bestätigungen gefunden.'
  })

export const newReceiptsBusyProblem = () =>
  new Problem(503, 'receipts-are-busy', {
    en: 'Too many receipts are being issued at once. Nothing was issued; try again in a moment.',
    de: 'Gerade werden zu viele Bestätigungen zugleich ausgestellt. Es wurde keine ausgestellt; bitte gleich noch einmal versuchen.'
  })

export const newDonationNotReceivedProblem = (reference: string, status: string) =>
  new Problem(422, 'donation-not-received', {
    en: `A receipt can be issued only for a received donation; donation ${reference} is ${status}.`,
    de: `Eine Bestätigung kann erst nach Geldeingang ausgestellt werden; Status der Spende ${reference}: ${status}.`
  })

export const newSampleDonationProblem = (reference: string) =>
  new Problem(422, 'donation-is-sample', {
    en: `Donation ${reference} is sample content; no receipt can be issued.`,
    de: `Die Spende ${reference} ist ein Beispielinhalt; dafür kann keine Zuwendungsbestätigung ausgestellt werden.`
  })

export const newDonorUnknownProblem = (
  missing: readonly string[],
  donations: readonly { reference: string }[] = []
) => {
  const of = donations.map(({ reference }) => reference).slice(0, 20)
  const words: Record<string, string> = { name: 'Name', address: 'Anschrift' }
  const message = {
    en: `A receipt needs the donor's ${missing.join(' and ')}${of.length === 0 ? '' : `: add it to donation ${of.join(' or ')}`}.`,
    de: `Für eine Bestätigung fehlt: ${missing.map(one => words[one] ?? one).join(' und ')}${of.length === 0 ? '' : `; bitte bei der Spende ${of.join(' oder ')} ergänzen`}.`
  }
  return new Problem(422, 'donor-not-known', message, {
    errors: donations.slice(0, 20).map(({ reference }) => ({
      in: 'body',
      pointer: '/donation',
      code: 'donor-not-known',
      message: {
        en: `Donation ${reference} has no ${missing.join(' and no ')}.`,
        de: `Bei der Spende ${reference} fehlt: ${missing.map(one => words[one] ?? one).join(' und ')}.`
      }
    })),
    data: { missing }
  })
}

export const newDonorNotPrintableProblem = (characters: readonly string[]) =>
  new Problem(422, 'donor-not-printable', {
    en: `Name and address of the donor must be in Latin, Greek or Cyrillic letters; this cannot be printed: ${characters.slice(0, 10).join(' ')}`,
    de: `Name und Anschrift müssen in lateinischen, griechischen oder kyrillischen Buchstaben stehen; nicht druckbar ist: ${characters.slice(0, 10).join(' ')}`
  })

export const newReceiptNeedsEuroProblem = (currency: string) =>
  newFieldProblem(422, '/language', 'receipt-needs-euro', {
    en: `language must be en: the German form is for euros, and this donation is in ${currency}.`,
    de: `language muss en sein: Das deutsche Muster gilt für Euro, und diese Spende ist in ${currency}.`
  })

export const newNoDonationsInYearProblem = (year: number) =>
  new Problem(422, 'no-donations-in-year', {
    en: `No payments of this donor in ${year}.`,
    de: `Im Jahr ${year} ist von dieser Person nichts eingegangen.`
  })

export const newTooManyDonationsForReceiptProblem = (most: number) =>
  new Problem(422, 'too-many-donations', {
    en: `A collective receipt lists at most ${most} donations.`,
    de: `Eine Sammelbestätigung führt höchstens ${most} Spenden auf.`
  })

export const newNoSimplifiedProofProblem = () =>
  new Problem(409, 'no-simplified-proof', {
    en: 'No simplified proof for this donation: it is available for received donations up to 300.00 EUR without a receipt.',
    de: 'Für diese Spende gibt es keinen vereinfachten Nachweis: Er gilt für eingegangene Spenden bis 300,00 EUR ohne Zuwendungsbestätigung.'
  })
