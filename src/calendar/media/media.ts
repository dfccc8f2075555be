import { createHash } from 'node:crypto'
import { record } from '#platform/activity/activity.ts'
import { hasRole } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { createSizes, type Picture, readPicture } from '#platform/images/image.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { toSlug } from '#platform/rich-text/slug.ts'
import { fetchBytes, SafeFetchError } from '#platform/safe-fetch.ts'
import { removeSiteImage } from '#platform/site/site.ts'
import type { ImageKey } from '../contract/params.ts'
import { newForbiddenProblem, newImageNotFoundProblem, newInvalidParamProblem } from '../contract/problems.ts'
import type { WriteContext } from '../contract/routing/route.ts'
import { getAuthorId, publisherRoles } from '../permissions/permissions.ts'
import * as media from './queries.ts'

export const imageBytesMax = 10 * 1024 * 1024
const fetchMs = 10_000

/** The id of the given image: a stored one, or one that is downloaded and stored now. */
export async function resolveImageId(context: WriteContext, key: ImageKey): Promise<number | null> {
  if (key === null) return null
  if ('url' in key) return await fetchImage(context, key.url)
  if ((await media.find(context.db, key.id)) === undefined) {
    throw newInvalidParamProblem('image', 'unknown', buildText('calendar-problems', 'namesImageWhich', { id: key.id }))
  }
  return key.id
}

interface ImageDetails {
  name: string
  alt: string
  source: string | null
  /** Runs in the transaction that stores the image. */
  alsoWrite?: (tx: Database, id: number) => Promise<void>
}

/** Stores a picture in all sizes. */
export async function storeImage(
  db: Database,
  context: WriteContext,
  picture: Picture,
  about: ImageDetails
): Promise<number> {
  const sizes = { full: picture, ...(await createSizes(picture)) }
  return await db.transaction(async tx => {
    const id = await media.insert(
      tx,
      {
        authorId: getAuthorId(context.caller),
        name: toSlug(about.name.replace(/\.\w{1,5}$/, ''), 'en').slice(0, 100) || 'image',
        alt: toSingleLineText(about.alt),
        source: about.source,
        hash: hashPicture(picture)
      },
      sizes,
      context.now
    )
    await record(tx, { by: context.caller, now: context.now }, 'image.created', {
      subject: 'image',
      id,
      details: { bytes: picture.bytes.length }
    })
    await about.alsoWrite?.(tx, id)
    return id
  })
}

/** Identifies identical pictures. */
export function hashPicture({ bytes }: Picture): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Deletes the image; items that showed it have none afterwards. */
export async function removeImage(context: WriteContext, id: number): Promise<void> {
  await context.db.transaction(async tx => {
    const found = await media.lock(tx, id)
    if (found === undefined) throw newImageNotFoundProblem(id)
    if (!hasRole(context.caller, 'editor') && found.authorId !== getAuthorId(context.caller))
      throw newForbiddenProblem()
    await media.remove(tx, id)
    await removeSiteImage(tx, { by: context.caller, now: context.now }, `/media/${id}/`)
    await record(tx, { by: context.caller, now: context.now }, 'image.deleted', {
      subject: 'image',
      id,
      endsSample: true
    })
  })
}

export const newNotAnImageProblem = () =>
  new Problem(400, 'rest_upload_not_an_image', buildText('calendar-problems', 'notAnImage'))

async function fetchImage(context: WriteContext, url: string): Promise<number> {
  if (!hasRole(context.caller, ...publisherRoles)) throw newForbiddenProblem()
  const own = parseOwnImageId(context, url)
  if (own !== undefined) return (await resolveImageId(context, { id: own })) as number
  const known = await media.findBySource(context.db, url)
  if (known !== undefined) return known

  const picture = await fetchPicture(url, context.site.settings)
  if (picture === undefined) {
    // One error for all reasons: the caller must not learn what else is at a URL.
    throw newInvalidParamProblem('image', 'not-an-image', buildText('calendar-problems', 'mustBeThePublic'))
  }
  const id = await storeImage(context.db, context, picture, { name: parseFileName(url), alt: '', source: url })
  context.rollbacks.push(async () => await media.remove(context.db, id))
  return id
}

/** Downloads a picture; undefined if that fails for any reason. */
export async function fetchPicture(url: string, settings: Settings): Promise<Picture | undefined> {
  const fetched = await fetchBytes(url, {
    allowPrivate: settings.allowPrivateAddresses,
    bytesMax: imageBytesMax,
    timeoutMs: fetchMs,
    redirectsMax: 3,
    accept: 'image/*'
  }).catch((error: unknown) => {
    if (error instanceof SafeFetchError) return undefined
    throw error
  })
  const usable = fetched !== undefined && fetched.status === 200 && /^image\//i.test(fetched.contentType)
  return usable ? await readPicture(fetched.bytes) : undefined
}

/** The file name in a URL. */
export function parseFileName(url: string): string {
  return decodeURIComponentSafely(new URL(url).pathname.split('/').pop() ?? '')
}

/** The image id in a URL of this site. */
function parseOwnImageId({ site }: WriteContext, url: string): number | undefined {
  if (!url.startsWith(`${site.origin}/media/`)) return undefined
  const id = /^(\d{1,15})\//.exec(url.slice(site.origin.length + '/media/'.length))?.[1]
  return id === undefined ? undefined : Number(id)
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
