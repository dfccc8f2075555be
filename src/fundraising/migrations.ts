import type { Migrations } from '#platform/database/migrate.ts'

export const fundraisingMigrations: Migrations = {
  part: 'fundraising',
  folder: new URL('./migrations/', import.meta.url),
  modifiedWhen: {
    'fundraising.encryption_key': 'false',
    // Its name before migration 27, for a restore into a database that is not up to date.
    'fundraising.vault': 'false',
    'fundraising.organisation': 'updated_at is not null',
    'fundraising.donor_linking': "read_to > '-infinity'"
  }
}
