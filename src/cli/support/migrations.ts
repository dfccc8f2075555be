import { calendarMigrations } from '#calendar/migrations.ts'
import { fundraisingMigrations } from '#fundraising/migrations.ts'
import { platformMigrations } from '#platform/database/platform-migrations.ts'

/** Migrations of all parts, in order: the other parts build on the platform's tables. */
export const migrations = [platformMigrations, fundraisingMigrations, calendarMigrations]
