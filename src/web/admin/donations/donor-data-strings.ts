import type { Language } from '#platform/language.ts'

/** GDPR requests of donors: access to their data, and erasure. */
const en = {
  title: 'The donor’s data',
  hint: 'Everybody may ask what you know of them, and to have it forgotten. This covers all donations with the same e-mail address or account.',
  download: 'Download all data',
  downloadHint: 'A file (JSON) to hand out to the donor. That you took it out is written down in the activity.',
  erase: 'Erase donor …',
  erased: (day: string) =>
    `The donor was erased on ${day}. What was given stays in the books; who gave it is not known any more.`,
  eraseTitle: 'Erase this donor for good?',
  eraseLead:
    'Name, e-mail address, postal address, account, message, consent and notes are erased. Amounts, dates, states and payment references stay in the books, and money that is still to come can be booked. This cannot be undone.',
  names: 'These donations have different names. Look whether they are all of one person:',
  scope: 'What is to be erased?',
  person: (count: string, isOne: boolean) =>
    isOne
      ? 'This donation: the donor has made no other'
      : `All ${count} donations with the same e-mail address or account`,
  donation: 'Only this donation, because several people share the address or the account',
  reason: 'Why?',
  reasons: {
    request: 'The donor asked for it',
    objection: 'The donor took the consent back',
    mistake: 'It should never have been here'
  },
  kept: 'This is kept for now',
  keptReceipts: (count: string, isOne: boolean) => `${count} ${isOne ? 'receipt' : 'receipts'}`,
  keptMandates: (count: string, isOne: boolean) =>
    `${count} ${isOne ? 'direct debit mandate' : 'direct debit mandates'}`,
  until: (what: string, day: string) => `${what}, until ${day}`,
  yes: 'Erase for good',
  no: 'Keep',
  done: (count: string, isOne: boolean) =>
    isOne ? 'The donor was erased.' : `The donor was erased, with ${count} donations.`
}

export type DonorDataStrings = typeof en

const de: DonorDataStrings = {
  title: 'Daten der spendenden Person',
  hint: 'Alle dürfen fragen, was Sie über sie wissen, und verlangen, dass es gelöscht wird. Gemeint sind alle Spenden mit derselben E-Mail-Adresse oder demselben Konto.',
  download: 'Alle Daten herunterladen',
  downloadHint:
    'Eine Datei (JSON) zum Weitergeben an die Person. Dass Sie sie geholt haben, steht danach im Protokoll.',
  erase: 'Person löschen …',
  erased: day =>
    `Die spendende Person wurde am ${day} gelöscht. Was gegeben wurde, bleibt in den Büchern; von wem, weiß niemand mehr.`,
  eraseTitle: 'Diese Person endgültig löschen?',
  eraseLead:
    'Name, E-Mail-Adresse, Anschrift, Konto, Nachricht, Einwilligung und Notizen werden gelöscht. Beträge, Daten, Status und Verwendungszwecke bleiben in den Büchern, und Geld, das noch kommt, lässt sich verbuchen. Das lässt sich nicht rückgängig machen.',
  names: 'Diese Spenden tragen verschiedene Namen. Sehen Sie nach, ob sie alle von einer Person sind:',
  scope: 'Was soll gelöscht werden?',
  person: (count, isOne) =>
    isOne
      ? 'Diese Spende: Es ist die einzige der Person'
      : `Alle ${count} Spenden mit derselben E-Mail-Adresse oder demselben Konto`,
  donation: 'Nur diese Spende, weil mehrere Menschen Adresse oder Konto teilen',
  reason: 'Warum?',
  reasons: {
    request: 'Die Person hat darum gebeten',
    objection: 'Die Person hat ihre Einwilligung widerrufen',
    mistake: 'Die Angaben hätten nie hier stehen dürfen'
  },
  kept: 'Das bleibt vorerst',
  keptReceipts: (count, isOne) => `${count} ${isOne ? 'Zuwendungsbestätigung' : 'Zuwendungsbestätigungen'}`,
  keptMandates: (count, isOne) => `${count} ${isOne ? 'Lastschriftmandat' : 'Lastschriftmandate'}`,
  until: (what, day) => `${what}, bis zum ${day}`,
  yes: 'Endgültig löschen',
  no: 'Behalten',
  done: (count, isOne) => (isOne ? 'Die Person wurde gelöscht.' : `Die Person wurde gelöscht, mit ${count} Spenden.`)
}

export const donorDataStrings: Record<Language, DonorDataStrings> = { en, de }
