import type { Migrations } from './migrate.ts'

export const platformMigrations: Migrations = {
  part: 'platform',
  folder: new URL('./migrations/', import.meta.url),
  touched: {
    'platform.site': 'updated_at is not null',
    'platform.observations': 'false'
  }
}
