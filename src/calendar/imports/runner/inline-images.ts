import { newFileStayedReason, type Reason } from '../sources/reason.ts'
import type { Incoming, IncomingFile, IncomingImage } from '../sources/source.ts'
import { hasCopy, type ImageCopies } from './conflict-policy.ts'
import { reasons } from './reasons.ts'

/** All images of an item that are copied with it. */
export function listImages({ image, inlineImages = [], series }: Incoming): IncomingImage[] {
  const ofEvents = [image, ...(series?.changes ?? []).map(change => change.image)]
  return [...ofEvents.filter(one => one !== undefined), ...inlineImages]
}

/** Puts the URLs of our copies of images and files into the descriptions. */
export function replaceInlineImages(item: Incoming, images: ImageCopies | undefined): Pick<Incoming, 'texts'> {
  const copies = [...(item.inlineImages ?? []), ...(item.files ?? [])].flatMap(({ url }) => {
    const copy = images?.get(url)
    return copy === undefined ? [] : [{ from: toAttribute(url), to: toAttribute(copy.url) }]
  })
  if (copies.length === 0) return item
  const texts = Object.entries(item.texts).map(([language, words]) => {
    const description = copies.reduce((text, { from, to }) => text?.replaceAll(from, () => to), words.description)
    return [language, description === undefined ? words : { ...words, description }]
  })
  return { texts: Object.fromEntries(texts) }
}

/** The URL as sources write it into a description. */
const toAttribute = (url: string) => `"${url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`

export function listLostImages(item: Incoming, images: ImageCopies | undefined): Reason[] {
  const isLost = (image: IncomingFile) => !hasCopy(image, images)
  const ofEvents = listImages({ ...item, inlineImages: [] })
  return [
    ...(ofEvents.some(isLost) ? [reasons.withoutImage()] : []),
    ...(item.inlineImages ?? []).filter(isLost).map(({ url }) => reasons.inlineImageLost(url)),
    ...(item.files ?? []).filter(isLost).map(({ url }) => newFileStayedReason(url))
  ]
}
