import type { Language } from '#platform/language.ts'

interface EmailText {
  subject: string
  text: string[]
}

interface SuggestionEmailStrings {
  confirm(fields: { siteName: string; link: string }): EmailText
  accepted(fields: { siteName: string; title: string; link: string }): EmailText
  declined(fields: { siteName: string; title: string; answer: string }): EmailText
  waiting(fields: { siteName: string; count: number; list: string; link: string }): EmailText
}

/** Texts of the emails about suggestions. */
export const suggestionEmailStrings: Record<Language, SuggestionEmailStrings> = {
  en: {
    confirm: ({ siteName, link }) => ({
      subject: `Please confirm your suggestion (${siteName})`,
      text: [
        'Hello,',
        `An event was suggested for the calendar of ${siteName} with this email address. If it was you, open this page and confirm it:`,
        link,
        'The link works for 48 hours. Then the suggestion is deleted. If it was not you, ignore this email.',
        siteName
      ]
    }),
    accepted: ({ siteName, title, link }) => ({
      subject: `Your suggestion is in the calendar: ${title}`,
      text: [
        'Hello,',
        `Thank you for your suggestion. “${title}” was accepted for the calendar${link === '' ? '.' : ':'}`,
        link,
        siteName
      ]
    }),
    declined: ({ siteName, title, answer }) => ({
      subject: `Your suggestion: ${title}`,
      text: ['Hello,', `Thank you for your suggestion. “${title}” was not accepted for the calendar.`, answer, siteName]
    }),
    waiting: ({ siteName, count, list, link }) => ({
      subject: count === 1 ? 'A new suggestion for the calendar' : `${count} new suggestions for the calendar`,
      text: [
        count === 1 ? 'A visitor has suggested an event:' : `Visitors have suggested ${count} events:`,
        list,
        'Suggestions are not public until an editor accepts them.',
        link,
        siteName
      ]
    })
  },
  de: {
    confirm: ({ siteName, link }) => ({
      subject: `Bitte bestätigen Sie Ihren Vorschlag (${siteName})`,
      text: [
        'Guten Tag,',
        `mit dieser E-Mail-Adresse wurde ein Termin für den Kalender von ${siteName} vorgeschlagen. Wenn Sie das waren, öffnen Sie diese Seite und bestätigen Sie es:`,
        link,
        'Der Link gilt 48 Stunden. Danach wird der Vorschlag gelöscht. Wenn Sie es nicht waren, brauchen Sie nichts zu tun.',
        siteName
      ]
    }),
    accepted: ({ siteName, title, link }) => ({
      subject: `Ihr Vorschlag ist im Kalender: ${title}`,
      text: [
        'Guten Tag,',
        `vielen Dank für Ihren Vorschlag. „${title}“ wurde in den Kalender aufgenommen${link === '' ? '.' : ':'}`,
        link,
        siteName
      ]
    }),
    declined: ({ siteName, title, answer }) => ({
      subject: `Ihr Vorschlag: ${title}`,
      text: [
        'Guten Tag,',
        `vielen Dank für Ihren Vorschlag. „${title}“ wurde nicht in den Kalender aufgenommen.`,
        answer,
        siteName
      ]
    }),
    waiting: ({ siteName, count, list, link }) => ({
      subject: count === 1 ? 'Ein neuer Vorschlag für den Kalender' : `${count} neue Vorschläge für den Kalender`,
      text: [
        count === 1 ? 'Ein Termin wurde vorgeschlagen:' : `${count} Termine wurden vorgeschlagen:`,
        list,
        'Vorschläge sind erst öffentlich, wenn die Redaktion sie annimmt.',
        link,
        siteName
      ]
    })
  }
}
