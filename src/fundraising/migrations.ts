import type { Migrations } from '#platform/migrate.ts'

export const fundraisingMigrations: Migrations = {
  part: 'fundraising',
  folder: new URL('./migrations/', import.meta.url),
  touched: { 'fundraising.vault': 'false', 'fundraising.organisation': 'updated_at is not null' }
}
