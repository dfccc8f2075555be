import { withStore } from './support/store.ts'

export async function run(): Promise<void> {
  await withStore(async () => console.log('The database is up to date.'))
}
