import type { Language } from '#platform/language.ts'

/** Campaigns in the console: list and editor. */
const en = {
  statuses: {
    draft: 'Draft',
    open: 'Open',
    closed: 'Closed',
    soon: 'Scheduled',
    ended: 'Ended',
    deleted: 'Deleted'
  },
  statusHints: {
    draft: 'Visible to your team only.',
    open: 'Public. Donations are open between start and end.',
    closed: 'Public. Donations are closed.'
  },
  list: {
    create: 'New campaign',
    name: 'Name',
    status: 'Status',
    collected: 'Collected',
    donations: 'Donations',
    ends: 'Ends',
    noEnd: 'no end date',
    languages: 'Languages',
    search: 'Name',
    ofTarget: (target: string) => `of ${target}`,
    progress: (name: string) => `Collected for ${name}`,
    donationsOf: (name: string) => `Donations to ${name}`,
    empty: 'No campaigns match these filters.',
    emptyAll: 'No campaigns yet. A name, a target and an account are all it takes.',
    emptyDeleted: 'No deleted campaigns.',
    restore: 'Restore',
    view: 'View'
  },
  csv: {
    transferred: 'Received',
    target: 'Target',
    minimum: 'Minimum donation',
    currency: 'Currency',
    starts: 'Starts',
    created: 'Created'
  },
  form: {
    createTitle: 'New campaign',
    text: 'Text',
    name: 'Name',
    story: 'Description',
    storyHint:
      'Shown in lists and by search engines, and on the page as long as the campaign has no story. A blank line begins a new paragraph, lines with a dash become a list, URLs become links.',
    removeHint: 'Leave name and description empty to remove this language.',
    notWritten: {
      en: 'There is no English text yet. Until then the German one is shown.',
      de: 'There is no German text yet. Until then the English one is shown.'
    },
    money: 'Target and amounts',
    target: 'Target',
    minimum: 'Minimum donation',
    minimumHint: 'Enter 0 to allow any amount.',
    amountsIn: (currency: string) => `In ${currency}.`,
    presets: 'Amounts to choose from',
    presetsHint: 'Up to eight, such as 20, 50, 100. If empty, round amounts are suggested.',
    presetsAmbiguous: (typed: string, two: string, one: string) =>
      `“${typed}” can be one amount or two. Please write ${two} for two amounts, ${one} for one.`,
    presetsMany: 'At most eight amounts can be offered.',
    presetsSmall: (amount: string) => `No amount can be below the minimum donation of ${amount}.`,
    presetsZero: 'Every amount must be more than 0.',
    account: 'Account',
    accountHint: 'Donations go to this account. Donors see it.',
    holder: 'Account holder',
    holderHint:
      'Exactly as your bank has it: banks compare the name with the account, and warn donors if it differs (Verification of Payee).',
    iban: 'IBAN',
    bank: 'Bank',
    bankHint: 'Derived from the IBAN if empty.',
    code: 'QR code',
    codeHint: 'For posters and letters: banking apps scan it, and the donor only enters the amount.',
    codeReference: 'Reference in the remittance text:',
    codeOf: (name: string) => `QR code (GiroCode) for a transfer to “${name}”`,
    codeOfDraft: 'The QR code is available once the campaign is open.',
    codeForPrint: 'Download as SVG (print)',
    codeForScreen: 'Download as PNG',
    time: 'Donation period',
    startDate: 'Begins on',
    startTime: 'Begins at',
    endDate: 'Ends on',
    endTime: 'Ends at',
    timeHint: (zone: string) =>
      `In the time zone ${zone}. Without a date there is no limit; without a time whole days count.`,
    publication: 'Visibility',
    status: 'Status',
    image: 'Image',
    imageUrl: 'Or the URL of an image',
    imageUrlOnly: 'URL of an image',
    imageUrlHint: 'Begins with https://, or with / for one on this site.',
    imageAlt: 'Description of the image (alt text)',
    imageAltHint: 'For people who cannot see it.',
    imageDecorative: 'Decorative: it says nothing that the text does not say',
    created: 'Campaign created.',
    saved: 'Campaign saved.',
    delete: 'Delete the campaign',
    deleted: (name: string) => `“${name}” was deleted. Its donations are kept.`,
    deletedByOthers: (name: string) => `“${name}” was deleted. Its donations are kept, and an admin can restore it.`,
    restored: (name: string) => `“${name}” was restored.`,
    view: 'View on site',
    donations: 'Donations',
    record: 'Record a donation'
  },
  wrong: {
    name: 'Please give the campaign a name.',
    nameForStory: 'Please enter the name in this language as well.',
    target: 'Please enter the target of the campaign.',
    targetZero: 'The target must be more than 0.',
    holder: 'Please enter the account holder.',
    ibanMissing: 'Please enter the IBAN.',
    endsFirst: 'The end must be later than the start.',
    imageAlt: 'Please describe the image, or mark it as decorative.',
    imageTwice: 'Please choose an uploaded image or enter a URL, not both.',
    imageUrl: 'The URL must begin with https://, or with / for an image on this site.'
  }
}

export type CampaignStrings = typeof en

const de: CampaignStrings = {
  statuses: {
    draft: 'Entwurf',
    open: 'Offen',
    closed: 'Geschlossen',
    soon: 'Geplant',
    ended: 'Beendet',
    deleted: 'Gelöscht'
  },
  statusHints: {
    draft: 'Nur für Ihr Team sichtbar.',
    open: 'Öffentlich. Spenden sind zwischen Beginn und Ende möglich.',
    closed: 'Öffentlich. Spenden sind nicht mehr möglich.'
  },
  list: {
    create: 'Neue Spendenaktion',
    name: 'Name',
    status: 'Status',
    collected: 'Gesammelt',
    donations: 'Spenden',
    ends: 'Ende',
    noEnd: 'unbefristet',
    languages: 'Sprachen',
    search: 'Name',
    ofTarget: target => `von ${target}`,
    progress: name => `Gesammelt für ${name}`,
    donationsOf: name => `Spenden für ${name}`,
    empty: 'Keine Spendenaktion passt zu diesen Filtern.',
    emptyAll: 'Noch keine Spendenaktionen. Ein Name, ein Ziel und ein Konto genügen.',
    emptyDeleted: 'Keine gelöschten Spendenaktionen.',
    restore: 'Wiederherstellen',
    view: 'Ansehen'
  },
  csv: {
    transferred: 'Eingegangen',
    target: 'Ziel',
    minimum: 'Mindestbetrag',
    currency: 'Währung',
    starts: 'Beginn',
    created: 'Angelegt'
  },
  form: {
    createTitle: 'Neue Spendenaktion',
    text: 'Text',
    name: 'Name',
    story: 'Beschreibung',
    storyHint:
      'Erscheint in Listen und bei Suchmaschinen, und auf der Seite, solange die Spendenaktion keine Geschichte hat. Eine Leerzeile beginnt einen Absatz, Zeilen mit Spiegelstrich werden zur Liste, URLs zu Links.',
    removeHint: 'Lassen Sie Name und Beschreibung leer, um diese Sprache zu entfernen.',
    notWritten: {
      en: 'Der englische Text fehlt noch. So lange erscheint der deutsche.',
      de: 'Der deutsche Text fehlt noch. So lange erscheint der englische.'
    },
    money: 'Ziel und Beträge',
    target: 'Spendenziel',
    minimum: 'Mindestbetrag',
    minimumHint: 'Mit 0 ist jeder Betrag möglich.',
    amountsIn: currency => `In ${currency}.`,
    presets: 'Beträge zur Auswahl',
    presetsHint: 'Bis zu acht, etwa 20; 50; 100 oder 12,50; 25. Ohne Angabe werden runde Beträge vorgeschlagen.',
    presetsAmbiguous: (typed, two, one) =>
      `„${typed}“ kann ein Betrag sein oder zwei. Schreiben Sie bitte ${two} für zwei Beträge, ${one} für einen.`,
    presetsMany: 'Höchstens acht Beträge sind möglich.',
    presetsSmall: amount => `Kein Betrag darf unter dem Mindestbetrag von ${amount} liegen.`,
    presetsZero: 'Jeder Betrag muss größer als 0 sein.',
    account: 'Konto',
    accountHint: 'Auf dieses Konto gehen die Spenden. Spenderinnen und Spender sehen es.',
    holder: 'Kontoinhaber',
    holderHint:
      'Genau so, wie Ihre Bank ihn führt: Banken vergleichen den Namen mit dem Konto und warnen, wenn er abweicht (Empfängerprüfung).',
    iban: 'IBAN',
    bank: 'Bank',
    bankHint: 'Wird aus der IBAN ermittelt, wenn das Feld leer bleibt.',
    code: 'QR-Code',
    codeHint: 'Für Plakate und Briefe: Banking-Apps scannen ihn, einzugeben ist nur noch der Betrag.',
    codeReference: 'Referenz im Verwendungszweck:',
    codeOf: name => `QR-Code (GiroCode) für eine Überweisung an „${name}“`,
    codeOfDraft: 'Der QR-Code ist verfügbar, sobald die Spendenaktion offen ist.',
    codeForPrint: 'Als SVG herunterladen (Druck)',
    codeForScreen: 'Als PNG herunterladen',
    time: 'Spendenzeitraum',
    startDate: 'Beginnt am',
    startTime: 'Beginnt um',
    endDate: 'Endet am',
    endTime: 'Endet um',
    timeHint: zone => `In der Zeitzone ${zone}. Ohne Datum gibt es keine Grenze, ohne Uhrzeit zählen ganze Tage.`,
    publication: 'Sichtbarkeit',
    status: 'Status',
    image: 'Bild',
    imageUrl: 'Oder die URL eines Bildes',
    imageUrlOnly: 'URL eines Bildes',
    imageUrlHint: 'Beginnt mit https:// oder mit / für eines auf dieser Website.',
    imageAlt: 'Beschreibung des Bildes (Alternativtext)',
    imageAltHint: 'Für Menschen, die es nicht sehen können.',
    imageDecorative: 'Schmuckbild: Es sagt nichts, was der Text nicht sagt',
    created: 'Spendenaktion angelegt.',
    saved: 'Spendenaktion gespeichert.',
    delete: 'Spendenaktion löschen',
    deleted: name => `„${name}“ wurde gelöscht. Die zugehörigen Spenden bleiben erhalten.`,
    deletedByOthers: name =>
      `„${name}“ wurde gelöscht. Die zugehörigen Spenden bleiben erhalten; die Administration kann die Spendenaktion wiederherstellen.`,
    restored: name => `„${name}“ wurde wiederhergestellt.`,
    view: 'Auf der Website ansehen',
    donations: 'Spenden',
    record: 'Spende eintragen'
  },
  wrong: {
    name: 'Bitte geben Sie der Spendenaktion einen Namen.',
    nameForStory: 'Bitte geben Sie den Namen auch in dieser Sprache an.',
    target: 'Bitte geben Sie das Spendenziel an.',
    targetZero: 'Das Spendenziel muss größer als 0 sein.',
    holder: 'Bitte geben Sie den Kontoinhaber an.',
    ibanMissing: 'Bitte geben Sie die IBAN ein.',
    endsFirst: 'Das Ende muss nach dem Beginn liegen.',
    imageAlt: 'Bitte beschreiben Sie das Bild, oder kennzeichnen Sie es als Schmuckbild.',
    imageTwice: 'Bitte wählen Sie ein hochgeladenes Bild oder geben Sie eine URL an, nicht beides.',
    imageUrl: 'Die URL muss mit https:// beginnen oder mit / für ein Bild auf dieser Website.'
  }
}

export const campaignStrings: Record<Language, CampaignStrings> = { en, de }
