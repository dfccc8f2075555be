import type { Settings } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { Service } from '../http/service.ts'

/** Creates the sample content of all services; returns how many items each made. */
export async function seedServices(
  db: Database,
  settings: Settings,
  services: Service[]
): Promise<{ name: string; count: number }[]> {
  const store = services.find(service => service.storeSamplePicture !== undefined)?.storeSamplePicture
  const storePicture =
    store === undefined ? undefined : async (picture: Parameters<typeof store>[2]) => await store(db, settings, picture)
  const made: { name: string; count: number }[] = []
  for (const { name, seed } of services) {
    made.push({ name, count: (await seed?.(db, settings, { storePicture })) ?? 0 })
  }
  return made
}
