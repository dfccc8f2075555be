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
    working: 'Security check in progress …',
    failed: 'The security check failed. Please load the page again, or transfer the money yourself.',
    noScript:
      'This form needs JavaScript for spam protection. Without it, please transfer the money yourself; our account is below.',
    contact: (email: string) => `Or write to us: ${email}.`,
    expired: 'The security check has expired. Please click “Donate” again.'
  },
  review: {
    filter: 'Review',
    waiting: 'Held for review',
    released: 'Approved',
    badge: 'held for review',
    release: 'Approve',
    releaseOf: (amount: string, name: string, reference: string) => `Approve: ${amount}, ${name}, ${reference}`,
    releasedOne: (amount: string, name: string, reference: string) =>
      `Approved: ${amount} from ${name} (${reference}). The donation now counts.`,
    releasedSome: (count: string) => `Approved: ${count}.`,
    notWaiting: 'Nothing was approved: the donations are no longer held for review.',
    chooseSome: 'Please select donations first.',
    card: 'Needs review',
    cardLead: (count: number) =>
      count === 1
        ? 'One large donation is hidden and not counted until you approve it.'
        : `${count} large donations are hidden and not counted until you approve them.`,
    cardAll: 'Show them all',
    note: 'This donation is large, so it is hidden and not counted until it is approved. Approve it if it is genuine; if not, cancel it. When the money is received, it is approved automatically.'
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
    isShown: 'The message is now shown on the campaign’s page.',
    isHidden: 'Message and name are hidden.',
    part: 'On the campaign’s page',
    waiting:
      'The message appears when you show it. The name, if the donor wants it shown, appears when the donation is received or with the message.',
    nameWaits: 'The name appears once the donation is received. You can show it before.',
    shown: 'What the donor wanted to publish is public.',
    hidden: 'Neither message nor name is shown.'
  },
  account: {
    changed: (campaign: string, { at, who, before, after }: AccountChangeText) =>
      `The account of “${campaign}” was changed on ${at} by ${who}: ${before} → ${after}.`,
    siteChanged: ({ at, who, before, after }: AccountChangeText) =>
      `The default account of new campaigns was changed on ${at} by ${who}: ${before} → ${after}.`,
    none: 'none',
    look: 'View',
    check: 'If you did not initiate this change, revert it and check who has access.',
    history: 'Previous accounts',
    historyHint: 'When the account of this campaign was changed, and by whom.',
    line: (before: string, after: string) => `${before} → ${after}`,
    by: (who: string) => `by ${who}`
  }
}

export type AbuseProtectionStrings = typeof en

const de: AbuseProtectionStrings = {
  trap: 'Dieses Feld bitte leer lassen',
  proof: {
    working: 'Sicherheitsprüfung läuft …',
    failed: 'Die Sicherheitsprüfung ist fehlgeschlagen. Bitte laden Sie die Seite neu, oder überweisen Sie selbst.',
    noScript:
      'Dieses Formular braucht JavaScript zur Abwehr von Spam. Ohne JavaScript überweisen Sie bitte selbst; unser Konto finden Sie weiter unten.',
    contact: email => `Oder schreiben Sie uns: ${email}.`,
    expired: 'Die Sicherheitsprüfung ist abgelaufen. Bitte klicken Sie noch einmal auf „Spenden“.'
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
    notWaiting: 'Nichts wurde freigegeben: Die Spenden warten nicht mehr auf Freigabe.',
    chooseSome: 'Bitte wählen Sie zuerst Spenden aus.',
    card: 'Zu prüfen',
    cardLead: count =>
      count === 1
        ? 'Eine hohe Spende wird nicht angezeigt und nicht mitgezählt, bis Sie sie freigeben.'
        : `${count} hohe Spenden werden nicht angezeigt und nicht mitgezählt, bis Sie sie freigeben.`,
    cardAll: 'Alle zeigen',
    note: 'Diese Spende ist hoch. Deshalb wird sie nicht angezeigt und nicht mitgezählt, bis sie freigegeben ist. Geben Sie sie frei, wenn sie ernst gemeint ist; wenn nicht, stornieren Sie sie. Geht das Geld ein, wird sie automatisch freigegeben.'
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
    isShown: 'Die Nachricht wird jetzt auf der Seite der Spendenaktion angezeigt.',
    isHidden: 'Nachricht und Name sind verborgen.',
    part: 'Auf der Seite der Spendenaktion',
    waiting:
      'Die Nachricht erscheint, wenn Sie sie zeigen. Der Name erscheint, falls gewünscht, mit dem Geldeingang oder mit der Nachricht.',
    nameWaits: 'Der Name erscheint, wenn das Geld eingegangen ist. Sie können ihn auch vorher zeigen.',
    shown: 'Was öffentlich sein soll, ist öffentlich.',
    hidden: 'Weder Nachricht noch Name sind zu sehen.'
  },
  account: {
    changed: (campaign, { at, who, before, after }) =>
      `Das Konto von „${campaign}“ wurde am ${at} geändert (${who}): ${before} → ${after}.`,
    siteChanged: ({ at, who, before, after }) =>
      `Das Standardkonto neuer Spendenaktionen wurde am ${at} geändert (${who}): ${before} → ${after}.`,
    none: 'keines',
    look: 'Ansehen',
    check: 'Wenn Sie diese Änderung nicht veranlasst haben, machen Sie sie rückgängig und prüfen Sie die Zugänge.',
    history: 'Frühere Konten',
    historyHint: 'Wann das Konto dieser Spendenaktion geändert wurde, und durch wen.',
    line: (before, after) => `${before} → ${after}`,
    by: who => `(${who})`
  }
}

export const abuseProtectionStrings: Record<Language, AbuseProtectionStrings> = { en, de }
