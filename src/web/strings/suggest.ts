import type { Language } from '#platform/language.ts'

/** Texts of the form with which visitors suggest events. */
const en = {
  title: 'Suggest an event',
  lead: 'Do you know an event that is missing here? Tell us about it. We review every suggestion before it appears in the calendar.',
  link: 'Suggest an event',
  linkLead: 'Is an event missing?',
  event: 'The event',
  name: 'Title',
  description: 'Description',
  descriptionHint: 'What happens, and for whom? At most 5 links.',
  when: 'When',
  startDate: 'Start: date',
  startTime: 'Start: time',
  endDate: 'End: date',
  endDateHint: 'Empty: the same day.',
  endTime: 'End: time',
  endTimeHint: 'Empty: not known.',
  allDay: 'All day',
  zone: (zone: string) => `All times are local times (${zone}).`,
  where: 'Where',
  venue: 'Venue',
  otherVenue: 'Another venue, or none',
  venueName: 'Name of the other venue',
  venueAddress: 'Address of the other venue',
  more: 'More',
  organizer: 'Organizer',
  website: 'Website',
  websiteHint: 'Such as https://example.org',
  cost: 'Cost',
  costHint: 'Such as 10 € or Free',
  category: 'Category',
  noCategory: 'None',
  you: 'About you',
  senderName: 'Your name',
  senderEmail: 'Your email address',
  emailHint: 'For questions. Only the editors see it, and it is not published.',
  message: 'Message to the editors',
  send: 'Send suggestion',
  privacy: 'Privacy',
  next: 'The editors review your suggestion before it is published.',
  errors: 'Please check your input',
  proof: {
    failed: 'The security check failed. Please load the page again.',
    noScript: 'At the moment this form needs JavaScript for spam protection.'
  },
  wrong: {
    again: 'That was very quick. Please check your input and send it again.',
    usedBefore: 'This form was sent before with other input. Please send it again.',
    tooMany: 'Too many suggestions from your network. Please try again later.',
    tooManyFromSender:
      'Several suggestions from this email address are already waiting. Please wait until we have reviewed them.',
    queueFull: 'Too many suggestions are waiting at the moment. Please try again later.',
    proof: 'The security check has expired. Please send the form again.',
    refused: 'That did not work. Please try again.',
    title: 'Please enter a title of at most 200 characters, without URLs.',
    description: 'Please use at most 10,000 characters and at most 5 links.',
    startDate: 'Please enter the day on which it starts, such as 2027-05-31. It must not be over.',
    startTime: 'Please enter the time at which it starts, such as 19:30, or choose “All day”.',
    endDate: 'Please enter the day on which it ends, such as 2027-05-31. It must not be before the start or over.',
    endTime: 'Please enter the time at which it ends, such as 22:00. It must not be before the start.',
    venue: 'This venue does not exist any more. Please choose another one.',
    venueName: 'Please enter the name of the venue, with at most 200 characters.',
    venueAddress: 'Please use at most 200 characters.',
    organizer: 'Please use at most 200 characters.',
    website: 'Please enter a full URL, such as https://example.org.',
    cost: 'Please enter a cost, such as 10 € or Free.',
    category: 'This category does not exist any more. Please choose another one.',
    senderName: 'Please use at most 200 characters.',
    senderEmail: 'Please enter your email address, such as info@example.org.',
    message: 'Please use at most 2,000 characters and at most 5 links.'
  },
  off: { title: 'No suggestions at the moment', text: 'This site does not accept suggestions for events.' },
  thanks: {
    title: 'Thank you for your suggestion',
    unconfirmed: [
      'One step is left: we have sent you an email with a link. Please open it within 48 hours and confirm your suggestion.',
      'Otherwise we delete it. If no email arrives, check your spam folder.'
    ],
    open: [
      'The editors review it, may correct it, and decide whether it appears in the calendar.',
      'Until then it is not public.'
    ],
    another: 'Suggest another event'
  },
  confirm: {
    title: 'Confirm your suggestion',
    text: 'An event was suggested with your email address. If it was you, confirm it here. Otherwise close this page: without confirmation the suggestion is deleted.',
    button: 'Confirm suggestion',
    endedTitle: 'This link is no longer valid',
    ended: 'The link was wrong, or it is older than 48 hours. Then the suggestion was deleted. Please send it again.'
  },
  toCalendar: 'To the calendar'
}

export type SuggestStrings = typeof en

const de: SuggestStrings = {
  title: 'Termin vorschlagen',
  lead: 'Fehlt hier ein Termin? Schlagen Sie ihn vor. Wir prüfen jeden Vorschlag, bevor er im Kalender erscheint.',
  link: 'Termin vorschlagen',
  linkLead: 'Fehlt ein Termin?',
  event: 'Der Termin',
  name: 'Titel',
  description: 'Beschreibung',
  descriptionHint: 'Was findet statt, und für wen? Höchstens 5 Links.',
  when: 'Wann',
  startDate: 'Beginn: Datum',
  startTime: 'Beginn: Uhrzeit',
  endDate: 'Ende: Datum',
  endDateHint: 'Leer: am selben Tag.',
  endTime: 'Ende: Uhrzeit',
  endTimeHint: 'Leer: nicht bekannt.',
  allDay: 'Ganztägig',
  zone: zone => `Alle Zeiten sind Ortszeiten (${zone}).`,
  where: 'Wo',
  venue: 'Veranstaltungsort',
  otherVenue: 'Anderer Veranstaltungsort oder keiner',
  venueName: 'Name des anderen Veranstaltungsorts',
  venueAddress: 'Anschrift des anderen Veranstaltungsorts',
  more: 'Weitere Angaben',
  organizer: 'Veranstalter',
  website: 'Website',
  websiteHint: 'Zum Beispiel https://example.org',
  cost: 'Eintritt',
  costHint: 'Zum Beispiel 10 € oder frei',
  category: 'Kategorie',
  noCategory: 'Keine',
  you: 'Über Sie',
  senderName: 'Ihr Name',
  senderEmail: 'Ihre E-Mail-Adresse',
  emailHint: 'Für Rückfragen. Nur die Redaktion sieht sie; sie wird nicht veröffentlicht.',
  message: 'Nachricht an die Redaktion',
  send: 'Vorschlag senden',
  privacy: 'Datenschutz',
  next: 'Die Redaktion prüft Ihren Vorschlag, bevor er veröffentlicht wird.',
  errors: 'Bitte prüfen Sie Ihre Angaben',
  proof: {
    failed: 'Die Sicherheitsprüfung ist fehlgeschlagen. Bitte laden Sie die Seite neu.',
    noScript: 'Dieses Formular braucht im Moment JavaScript zur Abwehr von Spam.'
  },
  wrong: {
    again: 'Das ging sehr schnell. Bitte prüfen Sie Ihre Angaben und senden Sie sie noch einmal.',
    usedBefore: 'Dieses Formular wurde schon mit anderen Angaben gesendet. Bitte senden Sie es noch einmal.',
    tooMany: 'Zu viele Vorschläge aus Ihrem Netz. Bitte versuchen Sie es später noch einmal.',
    tooManyFromSender:
      'Von dieser E-Mail-Adresse warten schon mehrere Vorschläge. Bitte warten Sie, bis wir sie geprüft haben.',
    queueFull: 'Im Moment warten zu viele Vorschläge. Bitte versuchen Sie es später noch einmal.',
    proof: 'Die Sicherheitsprüfung ist abgelaufen. Bitte senden Sie das Formular noch einmal.',
    refused: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
    title: 'Bitte geben Sie einen Titel mit höchstens 200 Zeichen und ohne Webadressen ein.',
    description: 'Bitte verwenden Sie höchstens 10.000 Zeichen und höchstens 5 Links.',
    startDate: 'Bitte geben Sie den Tag des Beginns ein, etwa 2027-05-31. Der Termin darf nicht vorbei sein.',
    startTime: 'Bitte geben Sie die Uhrzeit des Beginns ein, etwa 19:30, oder wählen Sie „Ganztägig“.',
    endDate:
      'Bitte geben Sie den Tag des Endes ein, etwa 2027-05-31. Er darf nicht vor dem Beginn und nicht in der Vergangenheit liegen.',
    endTime: 'Bitte geben Sie die Uhrzeit des Endes ein, etwa 22:00. Sie darf nicht vor dem Beginn liegen.',
    venue: 'Diesen Veranstaltungsort gibt es nicht mehr. Bitte wählen Sie einen anderen.',
    venueName: 'Bitte geben Sie den Namen des Veranstaltungsorts mit höchstens 200 Zeichen ein.',
    venueAddress: 'Bitte verwenden Sie höchstens 200 Zeichen.',
    organizer: 'Bitte verwenden Sie höchstens 200 Zeichen.',
    website: 'Bitte geben Sie eine vollständige Webadresse ein, etwa https://example.org.',
    cost: 'Bitte geben Sie den Eintritt an, etwa 10 € oder frei.',
    category: 'Diese Kategorie gibt es nicht mehr. Bitte wählen Sie eine andere.',
    senderName: 'Bitte verwenden Sie höchstens 200 Zeichen.',
    senderEmail: 'Bitte geben Sie Ihre E-Mail-Adresse ein, etwa info@example.org.',
    message: 'Bitte verwenden Sie höchstens 2.000 Zeichen und höchstens 5 Links.'
  },
  off: { title: 'Im Moment keine Vorschläge', text: 'Diese Website nimmt keine Vorschläge für Termine an.' },
  thanks: {
    title: 'Vielen Dank für Ihren Vorschlag',
    unconfirmed: [
      'Ein Schritt fehlt noch: Wir haben Ihnen eine E-Mail mit einem Link geschickt. Bitte öffnen Sie ihn innerhalb von 48 Stunden und bestätigen Sie den Vorschlag.',
      'Ohne Bestätigung löschen wir ihn. Kommt keine E-Mail an, sehen Sie im Spam-Ordner nach.'
    ],
    open: [
      'Die Redaktion prüft ihn, korrigiert ihn vielleicht und entscheidet, ob er im Kalender erscheint.',
      'Bis dahin ist er nicht öffentlich.'
    ],
    another: 'Weiteren Termin vorschlagen'
  },
  confirm: {
    title: 'Vorschlag bestätigen',
    text: 'Mit Ihrer E-Mail-Adresse wurde ein Termin vorgeschlagen. Wenn Sie das waren, bestätigen Sie es hier. Sonst schließen Sie diese Seite: Ohne Bestätigung wird der Vorschlag gelöscht.',
    button: 'Vorschlag bestätigen',
    endedTitle: 'Dieser Link gilt nicht mehr',
    ended:
      'Der Link war falsch, oder er ist älter als 48 Stunden. Dann wurde der Vorschlag gelöscht. Bitte senden Sie ihn noch einmal.'
  },
  toCalendar: 'Zum Kalender'
}

export const suggestStrings: Record<Language, SuggestStrings> = { en, de }
