import type { Image } from '../../server/calendar-api.ts'
import { findImage, listOfferedImages } from '../events/event-choices.ts'
import { withUpload } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { chooseImageUrl, parseUploadId } from './campaign-input.ts'

/** The picture of a form: an uploaded image, or a URL. */
export interface PictureInput {
  image: string
  imageUrl: string
  imageAlt: string
}

/** Uploaded images to choose from; undefined for roles without access to uploads. */
export interface PictureChoices {
  images: Image[] | undefined
  image: Image | undefined
}

export async function loadPictureChoices(context: AdminContext, id: string): Promise<PictureChoices> {
  const images = context.hasRole('editor') ? await listOfferedImages(context) : undefined
  return { images, image: images === undefined ? undefined : await findImage(context, images, id) }
}

/** Stores an uploaded file first, so that it is not lost if validation fails. */
export async function readPicture<Input extends PictureInput>(
  context: AdminContext,
  sent: Input
): Promise<{ input: Input; errors: Record<string, string> }> {
  return context.hasRole('editor') ? await withUpload(context, sent) : { input: { ...sent, image: '' }, errors: {} }
}

export function toPictureInput(
  context: AdminContext,
  { imageUrl, imageAlt }: { imageUrl: string | null; imageAlt: string }
): PictureInput {
  const image = context.hasRole('editor') ? parseUploadId(imageUrl) : ''
  return { image, imageUrl: image === '' ? (imageUrl ?? '') : '', imageAlt }
}

export function toPictureBody(
  input: PictureInput,
  savedUrl: string | null,
  image: Image | undefined
): { imageUrl: string | null; imageAlt: string } {
  return {
    imageUrl: chooseImageUrl(input, savedUrl, image),
    imageAlt: input.imageAlt === '' ? (image?.alt ?? '').slice(0, 300) : input.imageAlt
  }
}
