import type { Migrations } from './migrate.ts'

export const platformMigrations: Migrations = {
  part: 'platform',
  folder: new URL('./migrations/', import.meta.url),
  modifiedWhen: {
    'platform.site': 'updated_at is not null',
    'platform.pages': 'version > 1 or kind is null',
    'platform.observations': 'false'
  }
}
