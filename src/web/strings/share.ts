import type { Language } from '#platform/language.ts'

/** Sharing a page. */
const en = {
  native: 'Share',
  mail: 'By email',
  address: 'URL of this page',
  campaign: {
    title: 'Tell others',
    lead: 'A word from you is worth more than any poster.',
    subject: (name: string) => `Will you help? ${name}`,
    body: (name: string, address: string) => `Have a look at this campaign: ${name}\n\n${address}`
  },
  event: {
    title: 'Bring others along',
    lead: 'Send this event to people who might come.',
    subject: (name: string) => `Are you coming? ${name}`,
    body: (name: string, address: string) => `Have a look at this event: ${name}\n\n${address}`
  }
}

export type ShareStrings = typeof en

const de: ShareStrings = {
  native: 'Teilen',
  mail: 'Per E-Mail',
  address: 'Webadresse dieser Seite',
  campaign: {
    title: 'Weitersagen',
    lead: 'Ein Wort von Ihnen wirkt mehr als jedes Plakat.',
    subject: name => `Helfen Sie mit? ${name}`,
    body: (name, address) => `Schauen Sie sich diese Spendenaktion an: ${name}\n\n${address}`
  },
  event: {
    title: 'Andere mitbringen',
    lead: 'Schicken Sie den Termin an alle, die kommen könnten.',
    subject: name => `Kommen Sie mit? ${name}`,
    body: (name, address) => `Schauen Sie sich diesen Termin an: ${name}\n\n${address}`
  }
}

export const shareStrings: Record<Language, ShareStrings> = { en, de }
