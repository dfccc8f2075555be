import { createHash } from 'node:crypto'
import { may } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { fetchBytes, OutboundFailure } from '#platform/outbound.ts'
import { Problem } from '#platform/problem.ts'
import { plainText } from '../html.ts'
import { invalidParameter, mediaNotFound, notAllowed } from '../problems.ts'
import type { ImageKey } from '../rules.ts'
import { slugOf } from '../slug.ts'
import type { Work } from '../tec.ts'
import { authorIdOf, publishers } from '../viewer.ts'
import { type Picture, readPicture, sizesOf } from './image.ts'
import * as media from './queries.ts'

export const imageBytesMax = 10 * 1024 * 1024
const fetchMs = 10_000

/** The number of the image that was named: one that is stored, or one that is fetched and stored now. */
export async function imageIdOf(visit: Work, key: ImageKey): Promise<number | null> {
  if (key === null) return null
  if ('url' in key) return await fetchImage(visit, key.url)
  if ((await media.find(visit.db, key.id)) === undefined) {
    throw invalidParameter('image', 'unknown', {
      en: `names image ${key.id}, which does not exist`,
      de: `nennt das Bild ${key.id}, das es nicht gibt`
    })
  }
  return key.id
}

/** Stores a picture in all its sizes; `also` is done in the same transaction. */
export async function storeImage(
  db: Database,
  visit: Work,
  picture: Picture,
  about: { name: string; alt: string; source: string | null },
  also: (tx: Database, id: number) => Promise<void> = async () => undefined
): Promise<number> {
  const sizes = { full: picture, ...(await sizesOf(picture)) }
  return await db.transaction(async tx => {
    const id = await media.insert(
      tx,
      {
        authorId: authorIdOf(visit.caller),
        name: slugOf(about.name.replace(/\.\w{1,5}$/, ''), 'en').slice(0, 100) || 'image',
        alt: plainText(about.alt),
        source: about.source,
        hash: hashOf(picture)
      },
      sizes,
      visit.now
    )
    await record(tx, visit.caller, visit.now, 'image.created', {
      subject: 'image',
      id,
      details: { bytes: picture.bytes.length }
    })
    await also(tx, id)
    return id
  })
}

/** By which the same picture is recognised. */
export function hashOf({ bytes }: Picture): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Removes it; what showed it shows none. */
export async function removeImage(visit: Work, id: number): Promise<void> {
  await visit.db.transaction(async tx => {
    const found = await media.lock(tx, id)
    if (found === undefined) throw mediaNotFound(id)
    if (!may(visit.caller, 'editor') && found.authorId !== authorIdOf(visit.caller)) throw notAllowed()
    await media.remove(tx, id)
    await record(tx, visit.caller, visit.now, 'image.deleted', { subject: 'image', id, endsSample: true })
  })
}

export const notAnImage = () =>
  new Problem(400, 'rest_upload_not_an_image', {
    en: 'The file is not an image we take: JPEG, PNG, WebP, GIF or AVIF of at most 50 megapixels.',
    de: 'Die Datei ist kein Bild, das wir nehmen: JPEG, PNG, WebP, GIF oder AVIF mit höchstens 50 Megapixeln.'
  })

async function fetchImage(visit: Work, url: string): Promise<number> {
  if (!may(visit.caller, ...publishers)) throw notAllowed()
  const own = ownImage(visit, url)
  if (own !== undefined) return (await imageIdOf(visit, { id: own })) as number
  const known = await media.findBySource(visit.db, url)
  if (known !== undefined) return known

  const picture = await fetchPicture(url, visit.site.settings)
  if (picture === undefined) {
    // One answer for all reasons: who asks must not learn what else is at an address.
    throw invalidParameter('image', 'not-an-image', {
      en: 'must be the public address of an image of at most 10 MB',
      de: 'muss die öffentliche Adresse eines Bildes von höchstens 10 MB sein'
    })
  }
  const id = await storeImage(visit.db, visit, picture, { name: nameIn(url), alt: '', source: url })
  visit.undo.push(async () => await media.remove(visit.db, id))
  return id
}

/** The picture at an address, or undefined for whatever reason there is none. */
export async function fetchPicture(url: string, settings: Settings): Promise<Picture | undefined> {
  const fetched = await fetchBytes(url, {
    allowPrivate: settings.allowPrivateAddresses,
    bytesMax: imageBytesMax,
    timeoutMs: fetchMs,
    redirectsMax: 3,
    accept: 'image/*'
  }).catch((error: unknown) => {
    if (error instanceof OutboundFailure) return undefined
    throw error
  })
  const usable = fetched !== undefined && fetched.status === 200 && /^image\//i.test(fetched.contentType)
  return usable ? await readPicture(fetched.bytes) : undefined
}

/** What a file at an address is called. */
export function nameIn(url: string): string {
  return decodeURIComponentSafely(new URL(url).pathname.split('/').pop() ?? '')
}

/** An address that we gave out ourselves. */
function ownImage({ site }: Work, url: string): number | undefined {
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
