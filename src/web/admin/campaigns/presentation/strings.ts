import type { Language } from '#platform/language.ts'

const en = {
  title: (campaign: string) => `Contact and events: ${campaign}`,
  defaultsTitle: 'Contact and home page',
  back: 'Back to the campaign',
  backToList: 'Campaigns',
  saved: 'Saved.',
  form: {
    contact: 'Contact',
    contactHint: 'Who is responsible? Visitors see it beside the donation form.',
    ownHint: (name: string) => `Leave the name empty to show the contact of the organisation: ${name}.`,
    ownHintNone: 'Leave the name empty to show the contact of the organisation.',
    removeHint: 'Leave the name empty to show no contact.',
    contactName: 'Name',
    textEn: 'Short text (English)',
    textDe: 'Short text (German)',
    email: 'Email address',
    phone: 'Phone number',
    picture: 'Picture of the person',
    events: 'Events',
    eventsHint: 'Events for this campaign, such as benefit concerts. The page of each event leads to the campaign.',
    eventsLegend: 'Upcoming events',
    noEvents: 'There are no upcoming events.',
    home: 'Home page',
    homeCampaign: 'Campaign on the home page',
    homeHint: 'Shown while it is open.',
    homeAutomatic: 'Automatic: the open campaign that ends next',
    tax: 'Tax status',
    taxShown: (text: string) => `Shown below the contact: ${text}`,
    taxMissing: 'Not shown: the exemption notice of the organisation is incomplete or has expired.'
  },
  wrong: { name: 'A contact needs a name.', imageTwice: 'Choose an uploaded image or enter a URL, not both.' }
}

export type PresentationStrings = typeof en

const de: PresentationStrings = {
  title: campaign => `Ansprechperson und Termine: ${campaign}`,
  defaultsTitle: 'Ansprechperson und Startseite',
  back: 'Zurück zur Spendenaktion',
  backToList: 'Spendenaktionen',
  saved: 'Gespeichert.',
  form: {
    contact: 'Ansprechperson',
    contactHint: 'Wer ist verantwortlich? Das steht für Besucherinnen und Besucher neben dem Spendenformular.',
    ownHint: name => `Lassen Sie den Namen leer, um die Ansprechperson der Organisation zu zeigen: ${name}.`,
    ownHintNone: 'Lassen Sie den Namen leer, um die Ansprechperson der Organisation zu zeigen.',
    removeHint: 'Lassen Sie den Namen leer, um keine Ansprechperson zu zeigen.',
    contactName: 'Name',
    textEn: 'Kurzer Text (Englisch)',
    textDe: 'Kurzer Text (Deutsch)',
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    picture: 'Bild der Person',
    events: 'Termine',
    eventsHint:
      'Termine für diese Spendenaktion, etwa Benefizkonzerte. Die Seite jedes Termins führt zur Spendenaktion.',
    eventsLegend: 'Kommende Termine',
    noEvents: 'Es gibt keine kommenden Termine.',
    home: 'Startseite',
    homeCampaign: 'Spendenaktion auf der Startseite',
    homeHint: 'Wird gezeigt, solange sie offen ist.',
    homeAutomatic: 'Automatisch: die offene Spendenaktion, die als Nächstes endet',
    tax: 'Gemeinnützigkeit',
    taxShown: text => `Unter der Ansprechperson steht: ${text}`,
    taxMissing: 'Nicht gezeigt: Der Freistellungsbescheid der Organisation ist unvollständig oder abgelaufen.'
  },
  wrong: {
    name: 'Eine Ansprechperson braucht einen Namen.',
    imageTwice: 'Wählen Sie ein hochgeladenes Bild oder geben Sie eine URL ein, nicht beides.'
  }
}

export const presentationStrings: Record<Language, PresentationStrings> = { en, de }
