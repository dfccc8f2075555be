import type { Migrations } from '#platform/database/migrate.ts'

export const fundraisingMigrations: Migrations = {
  part: 'fundraising',
  folder: new URL('./migrations/', import.meta.url),
  modifiedWhen: { 'fundraising.vault': 'false', 'fundraising.organisation': 'updated_at is not null' }
}
