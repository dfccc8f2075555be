import type pg from 'pg'
import type { Migrations } from '../../database/migrate.ts'
import type { Archive } from '../restore.ts'

/** A restore that was requested in the console or through the API. */
export interface RestoreRequest {
  /** Path of the backup on this server. */
  path: string
  /** Name of the user, for the activity log. */
  by: string
}

/** What the routes of backups need from the program around the server. */
export interface BackupOperations {
  connection: pg.ClientConfig
  migrations: Migrations[]
  /** Rejects an archive with values that are encrypted with a key that this instance does not have. */
  requireKeys(archive: Archive): Promise<void>
  /**
   * Stops the server after the responses in flight, restores the backup, and starts the server again. Returns false if a
   * restore has already started.
   */
  startRestore(request: RestoreRequest): boolean | Promise<boolean>
}
