import { withStore } from './support/store.ts'

export async function run(): Promise<void> {
  await withStore(async () => console.log('Database schema is up to date.'))
}
