import { storyListsMax } from '#fundraising/campaigns/story/schema.ts'
import { isFilePart } from '#platform/http/file-part.ts'
import { ApiError } from '../../../server/api-client.ts'
import type { Image } from '../../../server/calendar-api.ts'
import { getFormField, getFormFieldValues } from '../../../server/context.ts'
import { findImage } from '../../events/event-choices.ts'
import { getImagePath, uploadImage } from '../../images/image-field.tsx'
import type { AdminContext } from '../../shared/context.ts'
import type { Row, StoryInput } from './story-input.ts'

/** Adds the pictures that were uploaded, chosen or named by URL, so that none is lost if validation fails. */
export async function withAddedPictures(
  context: AdminContext,
  input: StoryInput,
  images: Image[] | undefined
): Promise<{ input: StoryInput; errors: Record<string, string> }> {
  const errors: Record<string, string> = {}
  const added: Row<'pictures'>[] = []
  if (images !== undefined) {
    for (const id of getFormFieldValues(context, 'add').slice(0, storyListsMax.pictures)) {
      const image = await findImage(context, images, id)
      if (image !== undefined) added.push(toRow(context, image))
    }
    const { upload } = context.form
    if (isFilePart(upload)) {
      try {
        added.push(toRow(context, await uploadImage(context.api, upload, '')))
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        errors.upload = error.message
      }
    }
  }
  const url = getFormField(context, 'pictureUrl')
  if (url !== '') added.push({ ...emptyRow, url })
  const known = new Set(input.pictures.map(picture => picture.url))
  const pictures = [...input.pictures, ...added.filter(picture => !known.has(picture.url))]
  return { input: { ...input, pictures: pictures.slice(0, storyListsMax.pictures) }, errors }
}

const emptyRow: Row<'pictures'> = { url: '', alt_en: '', alt_de: '', decorative: '', caption_en: '', caption_de: '' }

/** An image of the library has one alternative text, in the language of the site. */
function toRow({ site }: AdminContext, image: Image): Row<'pictures'> {
  return { ...emptyRow, url: getImagePath(image), [`alt_${site.defaultLanguage}`]: image.alt ?? '' }
}
