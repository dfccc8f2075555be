import type { Language } from '#platform/language.ts'

/** Backups in the console, and the restore at the first run. */
const en = {
  title: 'Backup',
  last: (ago: string, moment: string) => `Last backup: ${ago}, on ${moment}.`,
  lastOld: (ago: string) =>
    `Last backup: ${ago}. Create another one now, unless your server is backed up in another way.`,
  never: 'No backup yet. If your server is not backed up in another way, create one today.',
  failed: (moment: string, reason: string) => `The backup of ${moment} failed: ${reason}`,
  text: 'A backup is one file with all data: events, images, donations, users, settings. It is created on the server while the site is running. Download it and keep it in another place.',
  schedule: (time: string, days: string, months: string) =>
    `The server creates one every day at ${time}. The newest of each of the last ${days} and ${months} are kept.`,
  isCopied: 'They are copied to an object store as well.',
  noSchedule:
    'No backups are scheduled. The operator of the server can have one created every night (BACKUP_SCHEDULE).',
  create: 'Create backup',
  started: 'The backup is being created.',
  running: (megabytes: string) => `A backup is being created: ${megabytes} MB so far.`,
  list: 'Backups on this server',
  none: 'There is no backup on this server yet.',
  when: 'Created',
  kind: 'Kind',
  kinds: {
    scheduled: 'Scheduled',
    manual: 'Created manually',
    'before-restore': 'Before a restore',
    uploaded: 'Uploaded'
  },
  size: 'Size',
  megabytes: (number: string) => `${number} MB`,
  actions: 'Actions',
  download: 'Download',
  restore: 'Restore',
  restoreOf: (moment: string) => `Restore the backup of ${moment}`,
  kept: 'Of backups that you create, the five newest are kept here; of those before a restore, the three newest.',
  passwords: 'A backup contains account numbers of donors and password hashes. Store it securely.',
  key: 'IBANs and secrets in it are encrypted. To restore it on another server, you also need the key: ENCRYPTION_KEY, or the file encryption.key of this server. Store it separately.',
  upload: 'Restore a backup from your computer',
  uploadText: 'Choose the file. It is verified first, and you confirm before anything is replaced.',
  file: 'Backup file',
  fileHint: 'Up to 50 MB; with JavaScript up to 16 GB.',
  fileMissing: 'Choose a backup file.',
  uploadAction: 'Upload and verify',
  uploading: 'Uploading…',
  uploadFailed: 'The upload was interrupted. Please try again.',
  confirmTitle: 'Restore this backup?',
  confirmText: (moment: string) => `All data of the site is replaced by that of ${moment}.`,
  consequences: [
    'Everything that was changed or received since then is gone from the site: events, donations, payments, receipts, users.',
    'The present data is saved as a backup first, in the list “Backups on this server”.',
    'The site shows a maintenance page until everything is restored, usually for less than a minute.',
    'All users are signed out. You sign in with a user account and password of the backup.',
    'If anything fails, nothing is changed.'
  ],
  confirmAction: 'Replace all data',
  cancel: 'Cancel',
  unavailable: 'This server runs several processes, so a backup is restored on the command line:',
  restoring: 'The backup is being restored',
  restoringText: 'The site shows a maintenance page in the meantime. This page refreshes itself.',
  refresh: 'Refresh',
  resultTitle: 'Restore',
  restored: (moment: string) => `The backup of ${moment} was restored.`,
  restoredOther: 'The backup was restored.',
  notRestored: (reason: string) => `The backup was not restored, and nothing was changed. Reason: ${reason}`,
  signIn: 'If the restore is complete, sign in with a user account and password of the backup.',
  toData: 'To data and backup',
  commandLine: 'On the command line',
  createCommand: 'Create a backup',
  checkCommand: 'Verify a backup',
  restoreCommand: 'Restore a backup into an empty installation',
  setupLink: 'Restore a backup instead',
  setupTitle: 'Restore a backup',
  setupLead:
    'Continue with the data of an earlier installation: users, settings, events, donations. You then sign in as you did there.',
  setupBack: 'Set up a new site instead',
  setupConfirm: 'Restore this backup',
  setupComplete: (moment: string) => `The file is complete. It has the data of ${moment}.`
}

export type BackupStrings = typeof en

const de: BackupStrings = {
  title: 'Sicherung',
  last: (ago, moment) => `Zuletzt gesichert: ${ago}, am ${moment}.`,
  lastOld: ago =>
    `Zuletzt gesichert: ${ago}. Erstellen Sie jetzt eine neue Sicherung, wenn Ihr Server nicht auf andere Weise gesichert wird.`,
  never:
    'Noch keine Sicherung. Wenn Ihr Server nicht auf andere Weise gesichert wird, erstellen Sie am besten heute eine Sicherung.',
  failed: (moment, reason) => `Die Sicherung vom ${moment} ist fehlgeschlagen: ${reason}`,
  text: 'Eine Sicherung ist eine einzige Datei mit allem: Terminen, Bildern, Spenden, Zugängen, Einstellungen. Sie entsteht auf dem Server, während die Website weiterläuft. Laden Sie sie herunter und bewahren Sie sie an einem anderen Ort auf.',
  schedule: (time, days, months) =>
    `Der Server erstellt jeden Tag um ${time} Uhr eine. Die neueste von jedem der letzten ${days} und ${months} bleibt erhalten.`,
  isCopied: 'Sie werden auch in einen Objektspeicher kopiert.',
  noSchedule:
    'Es sind keine Sicherungen geplant. Wer den Server betreibt, kann jede Nacht eine erstellen lassen (BACKUP_SCHEDULE).',
  create: 'Sicherung erstellen',
  started: 'Die Sicherung wird erstellt.',
  running: megabytes => `Eine Sicherung wird erstellt: bisher ${megabytes} MB.`,
  list: 'Sicherungen auf diesem Server',
  none: 'Auf diesem Server gibt es noch keine Sicherung.',
  when: 'Erstellt',
  kind: 'Art',
  kinds: {
    scheduled: 'Geplant',
    manual: 'Von Hand erstellt',
    'before-restore': 'Vor einer Wiederherstellung',
    uploaded: 'Hochgeladen'
  },
  size: 'Größe',
  megabytes: number => `${number} MB`,
  actions: 'Aktionen',
  download: 'Herunterladen',
  restore: 'Wiederherstellen',
  restoreOf: moment => `Sicherung vom ${moment} wiederherstellen`,
  kept: 'Von Sicherungen, die Sie erstellen, bleiben hier die fünf neuesten; von denen vor einer Wiederherstellung die drei neuesten.',
  passwords:
    'Eine Sicherung enthält Kontonummern von Spenderinnen und Spendern sowie Passwort-Hashes. Bewahren Sie sie geschützt auf.',
  key: 'IBANs und Geheimnisse darin sind verschlüsselt. Um sie auf einem anderen Server wiederherzustellen, brauchen Sie auch den Schlüssel: ENCRYPTION_KEY oder die Datei encryption.key dieses Servers. Bewahren Sie ihn getrennt auf.',
  upload: 'Sicherung von Ihrem Computer wiederherstellen',
  uploadText: 'Wählen Sie die Datei. Sie wird zuerst geprüft, und Sie bestätigen, bevor etwas ersetzt wird.',
  file: 'Sicherungsdatei',
  fileHint: 'Bis 50 MB; mit JavaScript bis 16 GB.',
  fileMissing: 'Wählen Sie eine Sicherungsdatei.',
  uploadAction: 'Hochladen und prüfen',
  uploading: 'Wird hochgeladen …',
  uploadFailed: 'Der Upload wurde unterbrochen. Bitte versuchen Sie es noch einmal.',
  confirmTitle: 'Diese Sicherung wiederherstellen?',
  confirmText: moment => `Alle Daten der Website werden durch die vom ${moment} ersetzt.`,
  consequences: [
    'Alles, was seitdem geändert wurde oder eingegangen ist, ist auf der Website weg: Termine, Spenden, Zahlungen, Bestätigungen, Zugänge.',
    'Die jetzigen Daten werden vorher gesichert; Sie finden sie unter „Sicherungen auf diesem Server“.',
    'Die Website zeigt eine Wartungsseite, bis alles wiederhergestellt ist, meist weniger als eine Minute.',
    'Alle werden abgemeldet. Sie melden sich mit einem Zugang und Passwort aus der Sicherung an.',
    'Wenn etwas fehlschlägt, wird nichts geändert.'
  ],
  confirmAction: 'Alle Daten ersetzen',
  cancel: 'Abbrechen',
  unavailable:
    'Dieser Server läuft mit mehreren Prozessen. Stellen Sie die Sicherung auf der Kommandozeile wieder her:',
  restoring: 'Die Sicherung wird wiederhergestellt',
  restoringText: 'Die Website zeigt währenddessen eine Wartungsseite. Diese Seite aktualisiert sich selbst.',
  refresh: 'Aktualisieren',
  resultTitle: 'Wiederherstellung',
  restored: moment => `Die Sicherung vom ${moment} wurde wiederhergestellt.`,
  restoredOther: 'Die Sicherung wurde wiederhergestellt.',
  notRestored: reason => `Die Sicherung wurde nicht wiederhergestellt, und es wurde nichts geändert. Grund: ${reason}`,
  signIn:
    'Wenn die Wiederherstellung abgeschlossen ist, melden Sie sich mit einem Zugang und Passwort aus der Sicherung an.',
  toData: 'Zu Daten und Sicherung',
  commandLine: 'Auf der Kommandozeile',
  createCommand: 'Sicherung erstellen',
  checkCommand: 'Sicherung prüfen',
  restoreCommand: 'Sicherung in einer leeren Installation wiederherstellen',
  setupLink: 'Stattdessen eine Sicherung wiederherstellen',
  setupTitle: 'Sicherung wiederherstellen',
  setupLead:
    'Machen Sie mit den Daten einer früheren Installation weiter: Zugänge, Einstellungen, Termine, Spenden. Danach melden Sie sich an wie dort.',
  setupBack: 'Stattdessen eine neue Website einrichten',
  setupConfirm: 'Diese Sicherung wiederherstellen',
  setupComplete: moment => `Die Datei ist vollständig. Sie enthält die Daten vom ${moment}.`
}

export const backupStrings: Record<Language, BackupStrings> = { en, de }
