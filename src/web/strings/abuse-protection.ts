import type { Language } from '#platform/language.ts'

interface AccountChangeText {
  at: string
  who: string
  before: string
  after: string
}

/** Bot protection, and review of large donations. */
const en = {
  trap: 'Please leave this field empty',
  proof: {
    working: 'One moment: your browser shows that you are not a program.',
    failed: 'Your browser could not be checked. Please load the page again, or transfer the money yourself.',
    noScript:
      'This form needs JavaScript, because it keeps programs out. Without it, please transfer the money yourself: our account is below.',
    contact: (email: string) => `Or write to us: ${email}.`,
    expired: 'That took a little long. Please press the button once more.'
  },
  review: {
    filter: 'Review',
    waiting: 'Waiting for release',
    released: 'Released',
    badge: 'waits for release',
    release: 'Release',
    releaseOf: (amount: string, name: string, reference: string) => `Release: ${amount}, ${name}, ${reference}`,
    releasedOne: (amount: string, name: string, reference: string) =>
      `Released: ${amount} from ${name} (${reference}). The donation counts from now on.`,
    releasedSome: (count: string) => `Released: ${count}.`,
    notWaiting: 'Nothing was released: the donations do not wait any more.',
    chooseSome: 'Please tick the donations first.',
    card: 'Needs review',
    cardLead: (count: number) =>
      count === 1
        ? 'One large donation counts and shows nowhere until you release it.'
        : `${count} large donations count and show nowhere until you release them.`,
    cardAll: 'Show them all',
    note: 'This donation is large, so it counts and shows nowhere until somebody has looked at it. Release it if it is meant seriously; if not, cancel it. When its money arrives, it is released by itself.'
  },
  messages: {
    filter: 'Message to review',
    card: 'Messages to review',
    cardLead: (count: number) =>
      count === 1
        ? 'One message from a donor appears on the campaign’s page when you show it.'
        : `${count} messages from donors appear on the campaigns’ pages when you show them.`,
    cardAll: 'Show them all',
    show: 'Show',
    hide: 'Hide',
    of: (label: string, name: string) => `${label} the message from ${name}`,
    isShown: 'The message is on the campaign’s page now.',
    isHidden: 'Message and name are hidden.',
    part: 'On the campaign’s page',
    waiting:
      'The message appears when you show it. The name, if the donor wants it shown, appears with the money or with the message.',
    nameWaits: 'The name appears when the money has arrived. You can show it before.',
    shown: 'Everybody sees what the donor wanted to be seen.',
    hidden: 'Neither message nor name is shown.'
  },
  account: {
    changed: (campaign: string, { at, who, before, after }: AccountChangeText) =>
      `The account of “${campaign}” was changed on ${at} by ${who}: ${before} → ${after}.`,
    siteChanged: ({ at, who, before, after }: AccountChangeText) =>
      `The account that new campaigns begin with was changed on ${at} by ${who}: ${before} → ${after}.`,
    none: 'none',
    look: 'Look at it',
    check: 'If you know nothing of this, change it back and find out who has access.',
    history: 'Accounts of before',
    historyHint: 'When the account of this campaign was changed, and by whom.',
    line: (before: string, after: string) => `${before} → ${after}`,
    by: (who: string) => `by ${who}`
  }
}

export type AbuseProtectionStrings = typeof en

const de: AbuseProtectionStrings = {
  trap: 'Dieses Feld bitte leer lassen',
  proof: {
    working: 'Einen Augenblick: Ihr Browser zeigt, dass Sie kein Programm sind.',
    failed: 'Ihr Browser ließ sich nicht prüfen. Bitte laden Sie die Seite neu, oder überweisen Sie selbst.',
    noScript:
      'Dieses Formular braucht JavaScript, weil es Programme fernhält. Ohne JavaScript überweisen Sie bitte selbst: Unser Konto steht weiter unten.',
    contact: email => `Oder schreiben Sie uns: ${email}.`,
    expired: 'Das hat etwas lange gedauert. Bitte drücken Sie noch einmal auf den Knopf.'
  },
  review: {
    filter: 'Freigabe',
    waiting: 'Wartet auf Freigabe',
    released: 'Freigegeben',
    badge: 'wartet auf Freigabe',
    release: 'Freigeben',
    releaseOf: (amount, name, reference) => `Freigeben: ${amount}, ${name}, ${reference}`,
    releasedOne: (amount, name, reference) =>
      `Freigegeben: ${amount} von ${name} (${reference}). Die Spende zählt ab jetzt mit.`,
    releasedSome: count => `Freigegeben: ${count}.`,
    notWaiting: 'Nichts wurde freigegeben: Die Spenden warten nicht mehr.',
    chooseSome: 'Bitte kreuzen Sie zuerst Spenden an.',
    card: 'Zu prüfen',
    cardLead: count =>
      count === 1
        ? 'Eine hohe Spende zählt nirgends mit und ist nirgends zu sehen, bis Sie sie freigeben.'
        : `${count} hohe Spenden zählen nirgends mit und sind nirgends zu sehen, bis Sie sie freigeben.`,
    cardAll: 'Alle zeigen',
    note: 'Diese Spende ist hoch. Deshalb zählt sie nirgends mit und ist nirgends zu sehen, bis jemand sie angesehen hat. Geben Sie sie frei, wenn sie ernst gemeint ist; wenn nicht, stornieren Sie sie. Geht das Geld ein, ist sie von selbst freigegeben.'
  },
  messages: {
    filter: 'Nachricht zu prüfen',
    card: 'Nachrichten prüfen',
    cardLead: count =>
      count === 1
        ? 'Eine Nachricht erscheint auf der Seite der Spendenaktion, wenn Sie sie zeigen.'
        : `${count} Nachrichten erscheinen auf den Seiten der Spendenaktionen, wenn Sie sie zeigen.`,
    cardAll: 'Alle ansehen',
    show: 'Zeigen',
    hide: 'Verbergen',
    of: (label, name) => `Nachricht von ${name} ${label.toLowerCase()}`,
    isShown: 'Die Nachricht steht jetzt auf der Seite der Spendenaktion.',
    isHidden: 'Nachricht und Name sind verborgen.',
    part: 'Auf der Seite der Spendenaktion',
    waiting:
      'Die Nachricht erscheint, wenn Sie sie zeigen. Der Name erscheint, falls gewünscht, mit dem Geldeingang oder mit der Nachricht.',
    nameWaits: 'Der Name erscheint, wenn das Geld eingegangen ist. Sie können ihn auch vorher zeigen.',
    shown: 'Alle sehen, was öffentlich sein soll.',
    hidden: 'Weder Nachricht noch Name sind zu sehen.'
  },
  account: {
    changed: (campaign, { at, who, before, after }) =>
      `Das Konto von „${campaign}“ wurde am ${at} durch ${who} geändert: ${before} → ${after}.`,
    siteChanged: ({ at, who, before, after }) =>
      `Das Konto, mit dem neue Spendenaktionen beginnen, wurde am ${at} durch ${who} geändert: ${before} → ${after}.`,
    none: 'keines',
    look: 'Ansehen',
    check: 'Wenn Sie davon nichts wissen, stellen Sie es zurück und klären Sie, wer Zugang hat.',
    history: 'Frühere Konten',
    historyHint: 'Wann das Konto dieser Spendenaktion geändert wurde, und durch wen.',
    line: (before, after) => `${before} → ${after}`,
    by: who => `durch ${who}`
  }
}

export const abuseProtectionStrings: Record<Language, AbuseProtectionStrings> = { en, de }
