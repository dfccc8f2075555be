import type { Language } from '#platform/language.ts'

/** GDPR requests of donors: access to their data, and erasure. */
const en = {
  title: 'The donor’s data',
  hint: 'Donors can request access to and erasure of their data (GDPR Art. 15 and 17). This covers all donations with the same email address or account, and those of the same donor.',
  download: 'Download all data',
  downloadHint: 'A file (JSON) to hand out to the donor. The export is recorded in the activity log.',
  erase: 'Erase donor data …',
  erased: (day: string) => `The personal data was erased on ${day}. The amount stays booked.`,
  eraseTitle: 'Erase the data of this donor permanently?',
  eraseLead:
    'Name, email address, postal address, account, message, consents and notes are erased. Amounts, dates, statuses and references are kept, and later payments can still be booked. This cannot be undone.',
  names: 'These donations have different names. Check that they are all from the same person:',
  scope: 'Scope',
  person: (count: string, isOne: boolean) =>
    isOne
      ? 'This donation: the donor has made no other'
      : `All ${count} donations with the same email address or account, or of the same donor`,
  donation: 'Only this donation, because several people share the email address or the account',
  reason: 'Reason',
  reasons: {
    request: 'The donor asked for it',
    objection: 'The donor withdrew consent',
    mistake: 'The data should not have been stored'
  },
  kept: 'This is kept for now',
  keptReceipts: (count: string, isOne: boolean) => `${count} ${isOne ? 'receipt' : 'receipts'}`,
  keptMandates: (count: string, isOne: boolean) =>
    `${count} ${isOne ? 'direct debit mandate' : 'direct debit mandates'}`,
  until: (what: string, day: string) => `${what}, until ${day}`,
  yes: 'Erase permanently',
  no: 'Keep',
  done: (count: string, isOne: boolean) => (isOne ? 'Donor data erased.' : `Donor data erased in ${count} donations.`)
}

export type DonorDataStrings = typeof en

const de: DonorDataStrings = {
  title: 'Personendaten',
  hint: 'Betroffene können Auskunft und Löschung verlangen (Art. 15 und 17 DSGVO). Das umfasst alle Spenden mit derselben E-Mail-Adresse oder demselben Konto und alle, die unter derselben Person geführt werden.',
  download: 'Alle Daten herunterladen',
  downloadHint: 'Eine Datei (JSON) zum Weitergeben an die Person. Der Export wird protokolliert.',
  erase: 'Personendaten löschen …',
  erased: day => `Die Personendaten wurden am ${day} gelöscht. Der Betrag bleibt gebucht.`,
  eraseTitle: 'Personendaten endgültig löschen?',
  eraseLead:
    'Name, E-Mail-Adresse, Anschrift, Konto, Nachricht, Einwilligung und Notizen werden gelöscht. Beträge, Daten, Status und Referenzen bleiben erhalten, und spätere Zahlungen können noch verbucht werden. Das kann nicht rückgängig gemacht werden.',
  names: 'Diese Spenden tragen verschiedene Namen. Prüfen Sie, ob sie alle von einer Person sind:',
  scope: 'Umfang',
  person: (count, isOne) =>
    isOne
      ? 'Diese Spende: Es ist die einzige der Person'
      : `Alle ${count} Spenden mit derselben E-Mail-Adresse oder demselben Konto oder derselben Person`,
  donation: 'Nur diese Spende, weil sich mehrere Personen E-Mail-Adresse oder Konto teilen',
  reason: 'Grund',
  reasons: {
    request: 'Die Person hat darum gebeten',
    objection: 'Die Person hat ihre Einwilligung widerrufen',
    mistake: 'Die Daten hätten nicht gespeichert werden dürfen'
  },
  kept: 'Das bleibt vorerst',
  keptReceipts: (count, isOne) => `${count} ${isOne ? 'Zuwendungsbestätigung' : 'Zuwendungsbestätigungen'}`,
  keptMandates: (count, isOne) => `${count} ${isOne ? 'Lastschriftmandat' : 'Lastschriftmandate'}`,
  until: (what, day) => `${what}, bis zum ${day}`,
  yes: 'Endgültig löschen',
  no: 'Behalten',
  done: (count, isOne) => (isOne ? 'Personendaten gelöscht.' : `Personendaten in ${count} Spenden gelöscht.`)
}

export const donorDataStrings: Record<Language, DonorDataStrings> = { en, de }
