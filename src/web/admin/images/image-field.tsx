import { type FilePart, isFilePart } from '#platform/http/file-part.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'
import { Field, getFieldAttributes } from '../../components/field.tsx'
import { type ApiClient, ApiError, withQuery } from '../../server/api-client.ts'
import { calendarPath, type Image } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'

/** An upload, as the API returns it. */
export interface StoredImage extends Image {
  filesize: number
  extension: string
}

/** Number of latest images that a form offers. */
export const imagesOffered = 24

/** Body limit: an image of 10 MB, plus the other fields. */
export const formBytesMax = 12 * 1024 * 1024

export function getThumbnailUrl(image: Image): string {
  return image.sizes.thumbnail?.url ?? image.url
}

/** Size for a full page; without the host, which may change. */
export function getImagePath(image: Image): string {
  const url = image.sizes.large?.url ?? image.url
  return canParseUrl(url) ? new URL(url).pathname : url
}

/** Whether a form may show the image at a URL that was typed: it may not be valid, and is saved only if it is. */
export function canShowImage(url: string): boolean {
  return /^(?:https?:\/)?\//i.test(url)
}

/** Stores the uploaded file, if there is one; returns its id, or the error. */
async function uploadSentFile(context: AdminContext): Promise<{ id?: string; error?: string }> {
  const file = context.form.upload
  if (!isFilePart(file)) return {}
  try {
    return { id: String((await uploadImage(context.api, file, getFormField(context, 'upload_alt'))).id) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { error: error.message }
  }
}

/** Stores the upload first and returns the input with its id, so that the image is not lost if validation fails. */
export async function withUpload<Input extends object>(
  context: AdminContext,
  input: Input
): Promise<{ input: Input; errors: Record<string, string> }> {
  const { id, error } = await uploadSentFile(context)
  return {
    input: id === undefined ? input : { ...input, image: id },
    errors: error === undefined ? {} : { upload: error }
  }
}

export async function uploadImage(api: ApiClient, file: FilePart, alt: string): Promise<StoredImage> {
  // Headers are ASCII only, and the name is only for display.
  const name = file.filename.replace(/[^\w.-]+/g, '-').slice(0, 100)
  const { body } = await api.post<StoredImage>(withQuery(`${calendarPath}/media`, { alt }), file.bytes, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`
  })
  return body
}

/** Field to select an existing image or upload a new one. */
export function ImageField({
  context,
  value,
  current,
  images,
  errors
}: {
  context: AdminContext
  value: string
  /** The current image, which may be older than those offered. */
  current: Image | undefined
  images: Image[]
  errors: Record<string, string>
}) {
  const strings = getMessages('calendar-admin', context.language).picture
  const offered = current === undefined || images.some(({ id }) => id === current.id) ? images : [current, ...images]
  const chosen = offered.find(({ id }) => String(id) === value)
  const error = errors.image
  const { id } = getFieldAttributes('image', false, error)
  return (
    <div class="image-field">
      {chosen === undefined ? null : (
        <img class="image-current" src={chosen.sizes.medium?.url ?? chosen.url} alt={chosen.alt ?? ''} />
      )}
      <details {...(error === undefined ? {} : { open: true })}>
        <summary>{strings.choose}</summary>
        <fieldset class="image-choices" id={id} {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}>
          <legend class="visually-hidden">{strings.choose}</legend>
          <label class="image-choice">
            <input type="radio" name="image" value="" checked={value === ''} />
            <span class="image-none">{strings.none}</span>
          </label>
          {offered.map(image => (
            <label key={image.id} class="image-choice">
              <input type="radio" name="image" value={String(image.id)} checked={String(image.id) === value} />
              <img
                src={getThumbnailUrl(image)}
                alt={image.alt === undefined || image.alt === '' ? strings.withoutAlt : image.alt}
                width="96"
                height="96"
                loading="lazy"
              />
            </label>
          ))}
        </fieldset>
        {images.length < imagesOffered ? null : <p class="hint">{strings.older}</p>}
        {error === undefined ? null : (
          <p class="field-error" id={`${id}-error`}>
            {error}
          </p>
        )}
      </details>
      <details {...(errors.upload === undefined ? {} : { open: true })}>
        <summary>{strings.upload}</summary>
        <Field
          name="upload"
          type="file"
          label={strings.file}
          hint={strings.uploadHint}
          error={errors.upload}
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
        />
        <Field
          name="upload_alt"
          label={strings.alt}
          hint={strings.altHint}
          maxLength={1000}
          value={errors.upload === undefined ? '' : getFormField(context, 'upload_alt')}
        />
      </details>
    </div>
  )
}
