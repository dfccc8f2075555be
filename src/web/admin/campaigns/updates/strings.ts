import type { Language } from '#platform/language.ts'

const en = {
  title: (campaign: string) => `Updates: ${campaign}`,
  link: 'Updates',
  back: 'Back to the campaign',
  create: 'New update',
  createTitle: 'New update',
  untitled: 'No title',
  list: {
    name: 'Title',
    date: 'Date',
    status: 'Status',
    languages: 'Languages',
    sent: 'Sent to donors',
    notSent: 'not sent',
    view: 'View',
    empty: 'No updates yet. Tell donors what has happened with their help.'
  },
  statuses: { draft: 'Draft', published: 'Published' },
  statusHints: { draft: 'Visible to your team only.', published: 'Public, on the page of the campaign.' },
  form: {
    english: 'English',
    german: 'German',
    titleEn: 'Title (English)',
    textEn: 'Text (English)',
    titleDe: 'Title (German)',
    textDe: 'Text (German)',
    removeHint: 'Leave title and text empty if there is none in this language.',
    publication: 'Publication',
    status: 'Status',
    date: 'Date',
    picture: 'Picture',
    view: 'View',
    delete: 'Delete permanently',
    deleteText: (title: string) => `Delete the update “${title}” permanently? It cannot be restored.`,
    deleteYes: 'Delete permanently',
    cancel: 'Cancel',
    created: 'Update created.',
    saved: 'Update saved.',
    deleted: 'Update deleted.'
  },
  wrong: {
    title: 'Please enter a title in at least one language.',
    titleForText: 'A text needs a title.',
    imageTwice: 'Choose an uploaded image or enter a URL, not both.',
    future: 'The date must not be in the future.'
  },
  mailing: {
    title: 'Email to donors',
    lead: (count: string, isOne: boolean) =>
      isOne
        ? 'One donor asked for news about this campaign and gets this update.'
        : `${count} donors asked for news about this campaign and get this update.`,
    once: 'Each update is sent once. Every email has a link to unsubscribe.',
    review: 'Send …',
    confirmTitle: 'Send update',
    confirm: (title: string, count: string, isOne: boolean) =>
      isOne
        ? `Send “${title}” to one donor? Emails cannot be recalled.`
        : `Send “${title}” to ${count} donors? Emails cannot be recalled.`,
    send: 'Send emails',
    queued: (count: string, isOne: boolean) =>
      isOne ? 'The update is being sent to one donor.' : `The update is being sent to ${count} donors.`,
    sentAt: (moment: string) => `Sent on ${moment}.`,
    obstacles: {
      sent: '',
      draft: 'Publish the update and its campaign before you send it.',
      'email-not-configured': 'Emails cannot be sent: SMTP_URL and PUBLIC_URL are not set on the server.',
      'no-recipients': 'No donor has asked for news about this campaign yet. Donors can choose it in the donation form.'
    }
  }
}

export type UpdateStrings = typeof en

const de: UpdateStrings = {
  title: campaign => `Neuigkeiten: ${campaign}`,
  link: 'Neuigkeiten',
  back: 'Zurück zur Spendenaktion',
  create: 'Neue Neuigkeit',
  createTitle: 'Neue Neuigkeit',
  untitled: 'Ohne Titel',
  list: {
    name: 'Titel',
    date: 'Datum',
    status: 'Status',
    languages: 'Sprachen',
    sent: 'An Spender verschickt',
    notSent: 'nicht verschickt',
    view: 'Ansehen',
    empty: 'Noch keine Neuigkeiten. Erzählen Sie, was mit der Hilfe geschehen ist.'
  },
  statuses: { draft: 'Entwurf', published: 'Veröffentlicht' },
  statusHints: { draft: 'Nur für Ihr Team sichtbar.', published: 'Öffentlich, auf der Seite der Spendenaktion.' },
  form: {
    english: 'Englisch',
    german: 'Deutsch',
    titleEn: 'Titel (Englisch)',
    textEn: 'Text (Englisch)',
    titleDe: 'Titel (Deutsch)',
    textDe: 'Text (Deutsch)',
    removeHint: 'Lassen Sie Titel und Text leer, wenn es in dieser Sprache keinen gibt.',
    publication: 'Veröffentlichung',
    status: 'Status',
    date: 'Datum',
    picture: 'Bild',
    view: 'Ansehen',
    delete: 'Endgültig löschen',
    deleteText: title => `Die Neuigkeit „${title}“ endgültig löschen? Sie kann nicht wiederhergestellt werden.`,
    deleteYes: 'Endgültig löschen',
    cancel: 'Abbrechen',
    created: 'Neuigkeit angelegt.',
    saved: 'Neuigkeit gespeichert.',
    deleted: 'Neuigkeit gelöscht.'
  },
  wrong: {
    title: 'Bitte geben Sie in mindestens einer Sprache einen Titel ein.',
    titleForText: 'Ein Text braucht einen Titel.',
    imageTwice: 'Wählen Sie ein hochgeladenes Bild oder geben Sie eine URL ein, nicht beides.',
    future: 'Das Datum darf nicht in der Zukunft liegen.'
  },
  mailing: {
    title: 'E-Mail an Spenderinnen und Spender',
    lead: (count, isOne) =>
      isOne
        ? 'Eine Person möchte Neuigkeiten zu dieser Spendenaktion und erhält diese.'
        : `${count} Personen möchten Neuigkeiten zu dieser Spendenaktion und erhalten diese.`,
    once: 'Jede Neuigkeit wird einmal verschickt. Jede E-Mail hat einen Link zum Abbestellen.',
    review: 'Verschicken …',
    confirmTitle: 'Neuigkeit verschicken',
    confirm: (title, count, isOne) =>
      isOne
        ? `„${title}“ an eine Person verschicken? E-Mails können nicht zurückgeholt werden.`
        : `„${title}“ an ${count} Personen verschicken? E-Mails können nicht zurückgeholt werden.`,
    send: 'E-Mails verschicken',
    queued: (count, isOne) =>
      isOne ? 'Die Neuigkeit wird an eine Person verschickt.' : `Die Neuigkeit wird an ${count} Personen verschickt.`,
    sentAt: moment => `Verschickt am ${moment}.`,
    obstacles: {
      sent: '',
      draft: 'Veröffentlichen Sie die Neuigkeit und ihre Spendenaktion, bevor Sie sie verschicken.',
      'email-not-configured':
        'E-Mails können nicht verschickt werden: SMTP_URL und PUBLIC_URL sind auf dem Server nicht gesetzt.',
      'no-recipients':
        'Zu dieser Spendenaktion möchte noch niemand Neuigkeiten erhalten. Das kann man im Spendenformular wählen.'
    }
  }
}

export const updateStrings: Record<Language, UpdateStrings> = { en, de }
