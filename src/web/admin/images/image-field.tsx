import { type FilePart, isFilePart } from '#platform/http/form.ts'
import { Field, getFieldAttributes } from '../../components/field.tsx'
import { type ApiClient, ApiError, withQuery } from '../../server/api-client.ts'
import { calendarPath, type Image } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { calendarAdminStrings } from '../../strings/calendar-admin.ts'
import type { AdminContext } from '../shared/context.ts'

/** What the API tells of an upload. */
export interface StoredImage extends Image {
  filesize: number
  extension: string
}

/** The newest ones a form offers. */
export const imagesOffered = 24

/** What a form may send: an image of 10 MB, and what comes around it. */
export const formBytesMax = 12 * 1024 * 1024

/** What is in the form about the image: one that is there, or one that comes with the form. */
export function getChosenImage(context: AdminContext): string {
  const value = getFormField(context, 'image')
  return /^\d{1,15}$/.test(value) ? value : ''
}

/** The address of a small version. */
export function getThumbnailUrl(image: Image): string {
  return image.sizes.thumbnail?.url ?? image.url
}

/** Stores the file that came with the form, if one did: its number, or what is wrong with it. */
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

/** What was sent, with its image already stored: that is not lost if something else is wrong. */
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
  // A header holds ASCII only, and the name is for the eye.
  const name = file.filename.replace(/[^\w.-]+/g, '-').slice(0, 100)
  const { body } = await api.post<StoredImage>(withQuery(`${calendarPath}/media`, { alt }), file.bytes, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`
  })
  return body
}

/** One of the images there are, or a new one. */
export function ImageField({
  context,
  value,
  current,
  images,
  errors
}: {
  context: AdminContext
  value: string
  /** What it has now, which may be older than those on offer. */
  current: Image | undefined
  images: Image[]
  errors: Record<string, string>
}) {
  const strings = calendarAdminStrings[context.language].picture
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
