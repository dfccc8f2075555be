import type { Migrations } from '#platform/database/migrate.ts'

export const calendarMigrations: Migrations = { part: 'calendar', folder: new URL('./migrations/', import.meta.url) }
