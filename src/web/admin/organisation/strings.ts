import type { Language } from '#platform/language.ts'

/** Legal data of the organisation, for receipts and direct debits. */
const en = {
  lead: 'For donation receipts, direct debits and what happens to donations. Visitors see none of it.',
  who: 'Who you are',
  legalName: 'Legal name',
  legalNameHint: 'As it stands in the register, such as “Musikschule Köln e. V.”',
  street: 'Street and number',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
  countryHint: 'Two letters, such as DE',
  tax: 'Tax exemption',
  taxHint: 'As it stands in the letter of your tax office. Receipts say it word for word, in German.',
  taxOffice: 'Tax office',
  taxOfficeHint: 'Without the word “Finanzamt”',
  taxNumber: 'Tax number',
  exemption: 'You have',
  exemptionKinds: {
    none: 'neither yet',
    notice: 'a notice of exemption (Freistellungsbescheid, or annex to the corporation tax notice)',
    provisional: 'a finding about your statutes (Feststellung nach § 60a AO)'
  },
  exemptionDate: 'Date of that letter',
  exemptionPeriod: 'Last period that was assessed',
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
  signatory: 'Who signs',
  signatoryRole: 'As what',
  receiptPrefix: 'Numbers begin with',
  receiptPrefixHint: 'Up to ten letters and digits; the year and a number follow.',
  informedOn: 'Tax office informed on',
  informedHint:
    'Since when your tax office knows that receipts are made by a machine. With it and a picture of the signature they are valid without a pen, and can be sent by e-mail.',
  signature: 'Picture of the signature',
  signatureHint: 'PNG or JPEG, at most 100 kB.',
  hasSignature: 'There is one. Another one takes its place.',
  removeSignature: 'Remove it',
  debit: 'Direct debits',
  creditorId: 'Creditor identifier',
  creditorIdHint: 'From the Bundesbank, for free. Without it donors cannot choose direct debit.',
  preNotificationDays: 'Days of notice before a debit',
  care: 'Donations and donors',
  confirmationMails: 'Confirm donations by e-mail',
  confirmationMailsHint: 'To donors who gave an address, if the server can send mail.',
  reviewAbove: 'Review donations above',
  reviewAboveHint: 'Promises above this amount count and show nowhere until somebody has released them. Empty: none.',
  messagesNeedReview: 'Review messages before they appear',
  messagesNeedReviewHint:
    'What donors write appears on the campaign’s page when you show it; their names when the money has arrived.',
  proofOfWork: 'Let browsers calculate before a donation',
  proofOfWorkHint: 'Slows down programs that fill in forms. Needs JavaScript.',
  retentionYears: 'Years that books are kept',
  retentionYearsHint: 'Then the donors’ names and addresses are erased. German law: 10.',
  saved: 'Saved.'
}

export type OrganisationStrings = typeof en

const de: OrganisationStrings = {
  lead: 'Für Zuwendungsbestätigungen, Lastschriften und den Umgang mit Spenden. Besucherinnen und Besucher sehen nichts davon.',
  who: 'Wer Sie sind',
  legalName: 'Rechtlicher Name',
  legalNameHint: 'Wie im Register, etwa „Musikschule Köln e. V.“',
  street: 'Straße und Hausnummer',
  postalCode: 'Postleitzahl',
  city: 'Ort',
  country: 'Land',
  countryHint: 'Zwei Buchstaben, etwa DE',
  tax: 'Steuerbegünstigung',
  taxHint: 'Wie es im Bescheid Ihres Finanzamts steht. Es erscheint wörtlich auf jeder Bestätigung.',
  taxOffice: 'Finanzamt',
  taxOfficeHint: 'Ohne das Wort „Finanzamt“',
  taxNumber: 'Steuernummer',
  exemption: 'Sie haben',
  exemptionKinds: {
    none: 'noch keines von beiden',
    notice: 'einen Freistellungsbescheid oder die Anlage zum Körperschaftsteuerbescheid',
    provisional: 'eine Feststellung nach § 60a AO'
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
  receipts: 'Bestätigungen',
  signatory: 'Wer unterschreibt',
  signatoryRole: 'Funktion',
  receiptPrefix: 'Nummern beginnen mit',
  receiptPrefixHint: 'Bis zu zehn Buchstaben und Ziffern; es folgen das Jahr und eine Zahl.',
  informedOn: 'Finanzamt informiert am',
  informedHint:
    'Seit wann Ihr Finanzamt weiß, dass Bestätigungen maschinell erstellt werden. Damit und mit einem Bild der Unterschrift gelten sie ohne eigenhändige Unterschrift und dürfen per E-Mail gesendet werden.',
  signature: 'Bild der Unterschrift',
  signatureHint: 'PNG oder JPEG, höchstens 100 kB.',
  hasSignature: 'Es ist eines hinterlegt. Ein neues ersetzt es.',
  removeSignature: 'Entfernen',
  debit: 'Lastschriften',
  creditorId: 'Gläubiger-Identifikationsnummer',
  creditorIdHint: 'Die Bundesbank vergibt sie kostenlos. Ohne sie steht die Lastschrift nicht zur Wahl.',
  preNotificationDays: 'Tage zwischen Ankündigung und Einzug',
  care: 'Spenden und Daten',
  confirmationMails: 'Spenden per E-Mail bestätigen',
  confirmationMailsHint: 'An alle, die eine Adresse angegeben haben, sofern der Server E-Mails senden kann.',
  reviewAbove: 'Spenden prüfen über',
  reviewAboveHint: 'Höhere Zusagen zählen nirgends mit und erscheinen nirgends, bis jemand sie freigibt. Leer: keine.',
  messagesNeedReview: 'Nachrichten prüfen, bevor sie erscheinen',
  messagesNeedReviewHint:
    'Was Spender schreiben, erscheint auf der Seite der Spendenaktion, wenn Sie es zeigen; ihr Name, wenn das Geld eingegangen ist.',
  proofOfWork: 'Browser vor einer Spende rechnen lassen',
  proofOfWorkHint: 'Bremst Programme, die Formulare ausfüllen. Braucht JavaScript.',
  retentionYears: 'Jahre, die Bücher aufbewahrt werden',
  retentionYearsHint: 'Danach werden Namen und Anschriften gelöscht. In Deutschland: 10.',
  saved: 'Gespeichert.'
}

export const organisationStrings: Record<Language, OrganisationStrings> = { en, de }
