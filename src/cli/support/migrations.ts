import { calendarMigrations } from '#calendar/migrations.ts'
import { fundraisingMigrations } from '#fundraising/migrations.ts'
import { platformMigrations } from '#platform/database/platform-migrations.ts'

/** Of every part, in the order in which they are run; the platform's are what the others build on. */
export const migrations = [platformMigrations, fundraisingMigrations, calendarMigrations]
