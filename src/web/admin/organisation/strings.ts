import type { Language } from '#platform/language.ts'

/** Legal data of the organisation, for receipts and direct debits. */
const en = {
  leadOfTreasurers:
    'What the tax office decides, and what donation receipts show. Admins change the name, the address and direct debits.',
  lead: 'For donation receipts, direct debits and what happens to donations. Name, address and creditor ID appear on mandates and receipts; everything else stays internal.',
  who: 'Organisation',
  legalName: 'Legal name',
  legalNameHint: 'As in the register or statutes, such as “Musikschule Köln e. V.”',
  street: 'Street and number',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
  countryHint: 'Two letters, such as DE',
  tax: 'Tax exemption',
  taxHint: 'As in the notice of your tax office. It is printed word for word on receipts, in German.',
  taxOffice: 'Tax office',
  taxOfficeHint: 'Without the word “Finanzamt”',
  taxNumber: 'Tax number',
  exemption: 'Proof of tax exemption',
  exemptionKinds: {
    none: 'none yet',
    notice: 'Notice of exemption (Freistellungsbescheid, or annex to the corporation tax notice)',
    provisional: 'Notice under § 60a AO (statutory requirements)'
  },
  exemptionDate: 'Date of the notice',
  exemptionPeriod: 'Last assessment period',
  exemptionPeriodHint: 'Such as “2021 bis 2023”; only for a notice of exemption',
  purposeCodes: 'Charitable purposes by law',
  purposeCodesHint: 'Tick those that your statutes and the notice of your tax office name (§ 52 (2), §§ 53 and 54 AO).',
  purposes: 'Further charitable purposes, in German',
  purposesHint:
    'In the words of the notice, such as “Jugendhilfe” or “der Jugendhilfe”. Empty if all are ticked above.',
  membershipFeesDeductible: 'Issue receipts for membership fees',
  membershipFeesHint:
    'Not if you promote sport, culture mainly as a pastime, local heritage or no. 23 of the list: there membership fees cannot be deducted (§ 10b (1) EStG).',
  receipts: 'Receipts',
  signatory: 'Signatory',
  signatoryRole: 'Position',
  receiptPrefix: 'Numbers begin with',
  receiptPrefixHint: 'Up to ten letters and digits; the year and a number follow.',
  informedOn: 'Automated procedure notified to the tax office on',
  informedHint:
    'R 10b.1 (4) EStR. With this notification and an image of the signature, receipts are valid without a handwritten signature and can be sent by email.',
  signature: 'Image of the signature',
  signatureHint: 'PNG or JPEG, at most 100 kB.',
  hasSignature: 'An image is stored. A new one replaces it.',
  removeSignature: 'Remove it',
  debit: 'Direct debits',
  creditorId: 'Creditor identifier',
  creditorIdHint: 'From the Bundesbank, for free. Without it donors cannot choose direct debit.',
  preNotificationDays: 'Days of notice before a debit',
  care: 'Donations and donors',
  confirmationMails: 'Confirm donations by email',
  confirmationMailsHint: 'To donors who gave an email address, if SMTP is configured.',
  reviewAbove: 'Review donations above',
  reviewAboveHint: 'Pledges above this amount are hidden and not counted until they are approved. Empty: none.',
  messagesNeedReview: 'Review messages before they appear',
  messagesNeedReviewHint:
    'What donors write appears on the campaign’s page when you show it; their names once the donation is received.',
  proofOfWork: 'Spam protection by proof of work',
  proofOfWorkHint: 'The browser solves a computation before a donation, which slows down bots. Requires JavaScript.',
  retentionYears: 'Retention period (years)',
  retentionYearsHint:
    'After that, names and addresses of donors are erased. Germany: books 10 years, vouchers 8 years (§ 147 (3) AO). Ask your tax adviser.',
  saved: 'Saved.'
}

export type OrganisationStrings = typeof en

const de: OrganisationStrings = {
  leadOfTreasurers:
    'Was das Finanzamt festlegt und was auf Zuwendungsbestätigungen erscheint. Name, Anschrift und Lastschriften ändert die Administration.',
  lead: 'Für Zuwendungsbestätigungen, Lastschriften und den Umgang mit Spenden. Name, Anschrift und Gläubiger-ID erscheinen im Lastschriftmandat und auf Bestätigungen; alles andere ist nur intern sichtbar.',
  who: 'Organisation',
  legalName: 'Name laut Register oder Satzung',
  legalNameHint: 'Etwa „Musikschule Köln e. V.“',
  street: 'Straße und Hausnummer',
  postalCode: 'Postleitzahl',
  city: 'Ort',
  country: 'Land',
  countryHint: 'Zwei Buchstaben, etwa DE',
  tax: 'Steuerbegünstigung',
  taxHint: 'Wie im Bescheid Ihres Finanzamts. Die Angaben erscheinen wörtlich auf jeder Bestätigung.',
  taxOffice: 'Finanzamt',
  taxOfficeHint: 'Ohne das Wort „Finanzamt“',
  taxNumber: 'Steuernummer',
  exemption: 'Nachweis der Steuerbegünstigung',
  exemptionKinds: {
    none: 'noch keiner',
    notice: 'Freistellungsbescheid oder Anlage zum Körperschaftsteuerbescheid',
    provisional: 'Feststellung nach § 60a AO'
  },
  exemptionDate: 'Datum des Bescheids',
  exemptionPeriod: 'Letzter Veranlagungszeitraum',
  exemptionPeriodHint: 'Etwa „2021 bis 2023“; nur beim Freistellungsbescheid',
  purposeCodes: 'Steuerbegünstigte Zwecke nach dem Gesetz',
  purposeCodesHint: 'Wählen Sie die Zwecke aus Ihrer Satzung und Ihrem Bescheid (§ 52 Abs. 2, §§ 53 und 54 AO).',
  purposes: 'Weitere steuerbegünstigte Zwecke',
  purposesHint:
    'Im Wortlaut des Bescheids, etwa „Jugendhilfe“ oder „der Jugendhilfe“. Leer, wenn oben alle ausgewählt sind.',
  membershipFeesDeductible: 'Bestätigungen über Mitgliedsbeiträge ausstellen',
  membershipFeesHint:
    'Nicht bei Sport, kultureller Freizeitgestaltung, Heimatpflege und Zwecken nach Nr. 23 der Liste: Dort sind Mitgliedsbeiträge nicht abziehbar (§ 10b Abs. 1 EStG).',
  receipts: 'Zuwendungsbestätigungen',
  signatory: 'Unterzeichner/-in',
  signatoryRole: 'Funktion',
  receiptPrefix: 'Nummern beginnen mit',
  receiptPrefixHint: 'Bis zu zehn Buchstaben und Ziffern; es folgen das Jahr und eine Zahl.',
  informedOn: 'Maschinelles Verfahren dem Finanzamt angezeigt am',
  informedHint:
    'R 10b.1 Abs. 4 EStR. Mit der Anzeige und einem Bild der Unterschrift gelten Bestätigungen ohne eigenhändige Unterschrift und dürfen per E-Mail gesendet werden.',
  signature: 'Bild der Unterschrift',
  signatureHint: 'PNG oder JPEG, höchstens 100 kB.',
  hasSignature: 'Ein Bild ist hinterlegt. Ein neues ersetzt es.',
  removeSignature: 'Entfernen',
  debit: 'Lastschriften',
  creditorId: 'Gläubiger-Identifikationsnummer',
  creditorIdHint: 'Die Bundesbank vergibt sie kostenlos. Ohne sie kann keine Lastschrift gewählt werden.',
  preNotificationDays: 'Tage zwischen Ankündigung und Einzug',
  care: 'Spenden und Daten',
  confirmationMails: 'Spenden per E-Mail bestätigen',
  confirmationMailsHint: 'An Spenderinnen und Spender mit E-Mail-Adresse, sofern der Server E-Mails senden kann.',
  reviewAbove: 'Spenden prüfen über',
  reviewAboveHint: 'Höhere Zusagen werden nicht angezeigt und nicht mitgezählt, bis sie freigegeben sind. Leer: keine.',
  messagesNeedReview: 'Nachrichten prüfen, bevor sie erscheinen',
  messagesNeedReviewHint:
    'Nachrichten von Spenderinnen und Spendern erscheinen auf der Seite der Spendenaktion, wenn Sie sie zeigen; der Name, wenn das Geld eingegangen ist.',
  proofOfWork: 'Spam-Schutz durch Rechenaufgabe (Proof of Work)',
  proofOfWorkHint: 'Der Browser löst vor einer Spende eine Rechenaufgabe; das bremst Bots. Braucht JavaScript.',
  retentionYears: 'Aufbewahrungsfrist in Jahren',
  retentionYearsHint:
    'Danach werden Namen und Anschriften gelöscht. Bücher und Aufzeichnungen 10, Buchungsbelege 8 Jahre (§ 147 Abs. 3 AO). Fragen Sie Ihre Steuerberatung.',
  saved: 'Gespeichert.'
}

export const organisationStrings: Record<Language, OrganisationStrings> = { en, de }
