import type { Language } from '#platform/language.ts'

const en = {
  news: {
    label: 'Send me news about this campaign',
    hint: 'By email. You can unsubscribe at any time, with a link in every email.',
    emailMissing: 'Please enter your email address, so that we can send you news.'
  },
  updates: 'Updates',
  allUpdates: (count: string) => `All updates (${count})`,
  updatesOf: (campaign: string) => `Updates about ${campaign}`,
  noUpdates: 'There are no updates yet.',
  feed: 'Subscribe to the feed (Atom)',
  onlyOther: 'This text is only available in German.',
  toCampaign: 'To the campaign',
  donate: 'Donate now',
  newer: 'First page',
  older: 'Next page',
  contact: 'Your contact',
  phone: 'Phone',
  email: 'Email',
  taxTitle: 'Tax-deductible',
  tax: (organisation: string, office: string, day: string) =>
    `${organisation} is recognised as charitable (tax office ${office}, notice of ${day}). Donations are tax-deductible in Germany.`,
  thanks: 'Thank you',
  thanksTo: (campaign: string) => `Thank you from ${campaign}`,
  thanksLead: 'These people support the campaign and agreed to be named here:',
  thanksOthers: 'Our thanks also go to everyone who prefers not to be named.',
  allNames: (count: string) => `All names (${count})`,
  noNames: 'No donor has agreed to be named yet. Thank you to everyone who gave!',
  events: 'Events for this campaign',
  eventOf: 'This event supports a campaign',
  toDonate: (campaign: string) => `Donate now: ${campaign}`,
  achieved: 'What we achieved together',
  achievedSum: 'received',
  openCampaigns: 'You can help here now',
  unsubscribe: {
    title: 'Unsubscribe',
    ask: (campaign: string) => `Do you want no more emails with news about “${campaign}”?`,
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    doneText: (campaign: string) => `We will not send you any more news about “${campaign}”.`,
    kept: 'Emails about your donation itself, such as a receipt, are not affected.'
  }
}

export type CampaignPageStrings = typeof en

const de: CampaignPageStrings = {
  news: {
    label: 'Neuigkeiten zu dieser Spendenaktion erhalten',
    hint: 'Per E-Mail. Sie können sie jederzeit abbestellen, mit einem Link in jeder E-Mail.',
    emailMissing: 'Bitte geben Sie Ihre E-Mail-Adresse an, damit wir Ihnen Neuigkeiten senden können.'
  },
  updates: 'Neuigkeiten',
  allUpdates: count => `Alle Neuigkeiten (${count})`,
  updatesOf: campaign => `Neuigkeiten zu ${campaign}`,
  noUpdates: 'Es gibt noch keine Neuigkeiten.',
  feed: 'Feed abonnieren (Atom)',
  onlyOther: 'Diesen Text gibt es nur auf Englisch.',
  toCampaign: 'Zur Spendenaktion',
  donate: 'Jetzt spenden',
  newer: 'Erste Seite',
  older: 'Nächste Seite',
  contact: 'Ihre Ansprechperson',
  phone: 'Telefon',
  email: 'E-Mail',
  taxTitle: 'Steuerlich absetzbar',
  tax: (organisation, office, day) =>
    `${organisation} ist als gemeinnützig anerkannt (Finanzamt ${office}, Bescheid vom ${day}). Spenden können Sie von der Steuer absetzen.`,
  thanks: 'Vielen Dank',
  thanksTo: campaign => `Danke für ${campaign}`,
  thanksLead: 'Diese Menschen unterstützen die Spendenaktion und möchten hier genannt werden:',
  thanksOthers: 'Unser Dank gilt auch allen, die nicht genannt werden möchten.',
  allNames: count => `Alle Namen (${count})`,
  noNames: 'Noch möchte niemand hier genannt werden. Wir danken allen, die gespendet haben!',
  events: 'Termine für diese Spendenaktion',
  eventOf: 'Dieser Termin unterstützt eine Spendenaktion',
  toDonate: campaign => `Jetzt spenden: ${campaign}`,
  achieved: 'Gemeinsam geschafft',
  achievedSum: 'eingegangen',
  openCampaigns: 'Hier können Sie jetzt helfen',
  unsubscribe: {
    title: 'Neuigkeiten abbestellen',
    ask: campaign => `Möchten Sie keine E-Mails mit Neuigkeiten zu „${campaign}“ mehr erhalten?`,
    button: 'Abbestellen',
    done: 'Sie sind abgemeldet',
    doneText: campaign => `Wir senden Ihnen keine Neuigkeiten zu „${campaign}“ mehr.`,
    kept: 'E-Mails zu Ihrer Spende selbst, etwa eine Zuwendungsbestätigung, sind davon nicht betroffen.'
  }
}

export const campaignPageStrings: Record<Language, CampaignPageStrings> = { en, de }
