import { storyLengths, storyListsMax } from '#fundraising/campaigns/story/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, Field } from '../../../components/field.tsx'
import type { Image } from '../../../server/calendar-api.ts'
import { canShowImage, getThumbnailUrl } from '../../images/image-field.tsx'
import { RowTexts, type StoryPart, StoryRow } from './row-tools.tsx'
import { getRowFieldName } from './story-input.ts'

/** The pictures with their texts, and how to add more. */
export function PicturesPart({ context, draft, images }: StoryPart & { images: Image[] | undefined }) {
  const strings = getMessages('story-admin', context.language)
  return (
    <section class="card" id="pictures">
      <h2>{strings.pictures}</h2>
      {draft.input.pictures.map((row, index) => {
        const texts = { context, draft, list: 'pictures', index, row } as const
        const decorative = getRowFieldName('pictures', index, 'decorative')
        return (
          <StoryRow key={row.url} {...texts} title={strings.picture({ number: index + 1 })}>
            {canShowImage(row.url) ? <img class="story-picture" src={row.url} alt="" loading="lazy" /> : null}
            <input type="hidden" name={getRowFieldName('pictures', index, 'url')} value={row.url} />
            <RowTexts {...texts} field="alt" label={strings.alt} hint={strings.altHint} maxLength={storyLengths.alt} />
            <Checkbox name={decorative} label={strings.decorative} checked={row.decorative !== ''} />
            <RowTexts {...texts} field="caption" label={strings.caption} maxLength={storyLengths.caption} />
          </StoryRow>
        )
      })}
      {draft.input.pictures.length >= storyListsMax.pictures ? null : (
        <AddPictures context={context} draft={draft} images={images} />
      )}
    </section>
  )
}

function AddPictures({ context, draft, images }: StoryPart & { images: Image[] | undefined }) {
  const strings = getMessages('story-admin', context.language)
  const { errors, path } = draft
  return (
    <fieldset class="story-add">
      <legend>{strings.add}</legend>
      {images === undefined ? null : (
        <>
          <Field
            name="upload"
            type="file"
            label={strings.upload}
            hint={strings.fileHint}
            error={errors.upload}
            accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          />
          {images.length === 0 ? null : (
            <details>
              <summary>{strings.choose}</summary>
              <div class="image-choices">
                {images.map(image => (
                  <label key={image.id} class="image-choice">
                    <input type="checkbox" name="add[]" value={String(image.id)} />
                    <img
                      src={getThumbnailUrl(image)}
                      alt={image.alt === undefined || image.alt === '' ? strings.withoutAlt : image.alt}
                      width="96"
                      height="96"
                      loading="lazy"
                    />
                  </label>
                ))}
              </div>
            </details>
          )}
        </>
      )}
      <Field
        name="pictureUrl"
        label={strings.url}
        hint={strings.urlHint}
        error={errors.pictureUrl}
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        maxLength={2000}
      />
      <button type="submit" class="quiet" name="do" value="pictures-add" formaction={`${path}#pictures`} formnovalidate>
        {strings.add}
      </button>
    </fieldset>
  )
}
