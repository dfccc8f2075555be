import { getMessages } from '#platform/messages/messages.ts'
import { ImageField } from '../images/image-field.tsx'
import type { AdminContext } from '../shared/context.ts'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { campaignFields } from './campaign-fields.ts'
import type { PictureChoices, PictureInput } from './picture.ts'

/** The picture of an update or a contact. */
export function PicturePart({
  context,
  title,
  input,
  choices: { images, image },
  errors
}: {
  context: AdminContext
  title: string
  input: PictureInput
  choices: PictureChoices
  errors: Record<string, string>
}) {
  const strings = getMessages('campaign', context.language).form
  return (
    <section class="card">
      <h2>{title}</h2>
      {images === undefined ? null : (
        <ImageField context={context} value={input.image} current={image} images={images} errors={errors} />
      )}
      <FormFields
        {...{ context, strings, input, errors }}
        fields={campaignFields.image}
        overrides={images === undefined ? {} : { imageUrl: { label: strings.imageUrl } }}
      />
    </section>
  )
}
