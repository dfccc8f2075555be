/** How a backup in the folder came to be. */
export const backupKinds = ['scheduled', 'manual', 'before-restore', 'uploaded'] as const
export type BackupKind = (typeof backupKinds)[number]

/** Names of this form only, so that a name never leads out of the folder. Backups of the command line have no kind. */
const namePattern =
  /^kalends-(?:(scheduled|manual|before-restore|uploaded)-)?\d{4}-\d\d-\d\dT\d{4}(?:\d\d)?Z(?:-[0-9a-f]{8})?\.backup$/

/** Undefined for any other file. */
export function findBackupKind(name: string): BackupKind | undefined {
  const match = namePattern.exec(name)
  return match === null ? undefined : ((match[1] as BackupKind | undefined) ?? 'manual')
}

/** `kalends-manual-2026-11-15T031700Z.backup`. The id tells two uploads of one backup apart. */
export function buildFileName(kind: Exclude<BackupKind, 'scheduled'>, takenAt: Date, id?: string): string {
  const time = takenAt.toISOString().slice(0, 19).replaceAll(':', '')
  return `kalends-${kind}-${time}Z${id === undefined ? '' : `-${id.slice(0, 8)}`}.backup`
}
