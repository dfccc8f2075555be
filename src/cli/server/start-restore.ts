import type { RestoreRequest } from '#platform/backup/files/operations.ts'
import type { StoppableServer } from './lifecycle.ts'
import type { RestoreOptions } from './restore-and-serve.ts'

/** Restores a backup in the background, one at a time: returns false if a restore has already begun. */
export function newRestoreStarter(
  options: RestoreOptions
): (request: RestoreRequest, server: StoppableServer) => boolean {
  let isRestoring = false
  return (request, server) => {
    if (isRestoring) return false
    isRestoring = true
    // Loaded now, because most processes never restore a backup.
    import('./restore-and-serve.ts')
      .then(async ({ restoreAndServe }) => await restoreAndServe(request, server, options))
      .catch((error: unknown) => {
        options.log.error({ err: error }, 'the server could not be started again')
        process.exit(1)
      })
    return true
  }
}
