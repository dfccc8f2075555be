/** Pages and forms of backups; `/admin/data` lists them. */
export const backupsPath = '/admin/data/backups'
/** Where the browser waits for the end of a restore. */
export const restoreResultPath = '/admin/data/restored'
/** The same at the first run, with the setup token in the query. */
export const setupRestorePath = '/admin/setup/restore'
