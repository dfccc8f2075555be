import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { SamplePicture } from '#platform/http/service.ts'
import { buildSite } from '../contract/routing/site.ts'
import * as media from '../media/queries.ts'
import { toImageJson } from '../media/wire.ts'
import { findOrStorePicture } from './seed.ts'

/** Stores a picture of another service's sample content; returns its path. */
export async function storeSamplePicture(db: Database, settings: Settings, picture: SamplePicture): Promise<string> {
  const id = await findOrStorePicture(db, picture, { settings, now: new Date() })
  const found = await media.find(db, id)
  if (found === undefined) throw new Error(`The sample picture ${picture.name} was removed while it was stored.`)
  const site = buildSite('', settings)
  const { url, sizes } = toImageJson(found.image, site)
  return (sizes.large?.url ?? url).slice(site.origin.length)
}
