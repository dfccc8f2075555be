import { type FilePart, isFilePart } from '#platform/form.ts'
import { type Api, Refused, withQuery } from '../../api.ts'
import { calendarPath, type Image } from '../../calendar-api.ts'
import { placeWords } from '../../text/places.ts'
import { Field, tiedTo } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'

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
export function imageChosen(desk: Desk): string {
  const value = field(desk, 'image')
  return /^\d{1,15}$/.test(value) ? value : ''
}

/** The address of a small version. */
export function smallOf(image: Image): string {
  return image.sizes.thumbnail?.url ?? image.url
}

/** Stores the file that came with the form, if one did: its number, or what is wrong with it. */
async function uploadIn(desk: Desk): Promise<{ id?: string; error?: string }> {
  const file = desk.form.upload
  if (!isFilePart(file)) return {}
  try {
    return { id: String((await upload(desk.api, file, field(desk, 'upload_alt'))).id) }
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) throw error
    return { error: error.message }
  }
}

/** What was sent, with its image already stored: that is not lost if something else is wrong. */
export async function withUpload<Input extends object>(
  desk: Desk,
  input: Input
): Promise<{ input: Input; errors: Record<string, string> }> {
  const { id, error } = await uploadIn(desk)
  return {
    input: id === undefined ? input : { ...input, image: id },
    errors: error === undefined ? {} : { upload: error }
  }
}

export async function upload(api: Api, file: FilePart, alt: string): Promise<StoredImage> {
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
  desk,
  value,
  current,
  images,
  errors
}: {
  desk: Desk
  value: string
  /** What it has now, which may be older than those on offer. */
  current: Image | undefined
  images: Image[]
  errors: Record<string, string>
}) {
  const words = placeWords[desk.language].picture
  const offered = current === undefined || images.some(({ id }) => id === current.id) ? images : [current, ...images]
  const chosen = offered.find(({ id }) => String(id) === value)
  const error = errors.image
  const { id } = tiedTo('image', false, error)
  return (
    <div class="image-field">
      {chosen === undefined ? null : (
        <img class="image-current" src={chosen.sizes.medium?.url ?? chosen.url} alt={chosen.alt ?? ''} />
      )}
      <details {...(error === undefined ? {} : { open: true })}>
        <summary>{words.choose}</summary>
        <fieldset class="image-choices" id={id} {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}>
          <legend class="visually-hidden">{words.choose}</legend>
          <label class="image-choice">
            <input type="radio" name="image" value="" checked={value === ''} />
            <span class="image-none">{words.none}</span>
          </label>
          {offered.map(image => (
            <label key={image.id} class="image-choice">
              <input type="radio" name="image" value={String(image.id)} checked={String(image.id) === value} />
              <img
                src={smallOf(image)}
                alt={image.alt === undefined || image.alt === '' ? words.withoutAlt : image.alt}
                width="96"
                height="96"
                loading="lazy"
              />
            </label>
          ))}
        </fieldset>
        {images.length < imagesOffered ? null : <p class="hint">{words.older}</p>}
        {error === undefined ? null : (
          <p class="field-error" id={`${id}-error`}>
            {error}
          </p>
        )}
      </details>
      <details {...(errors.upload === undefined ? {} : { open: true })}>
        <summary>{words.upload}</summary>
        <Field
          name="upload"
          type="file"
          label={words.file}
          hint={words.uploadHint}
          error={errors.upload}
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
        />
        <Field
          name="upload_alt"
          label={words.alt}
          hint={words.altHint}
          maxLength={1000}
          value={errors.upload === undefined ? '' : field(desk, 'upload_alt')}
        />
      </details>
    </div>
  )
}
