import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../../components/field.tsx'
import type { Image } from '../../../server/calendar-api.ts'
import { Form } from '../../shared/form.tsx'
import { ItemsPart, MilestonesPart } from './lists-part.tsx'
import { PicturesPart } from './pictures-part.tsx'
import type { StoryPart } from './row-tools.tsx'
import { TextPart } from './text-part.tsx'

/** The editor of a story. Buttons that change rows send the form without saving it. */
export function StoryForm({ context, draft, images }: StoryPart & { images: Image[] | undefined }) {
  const strings = getMessages('story-admin', context.language)
  const { path, etag, errors, general, step } = draft
  const part = { context, draft }
  return (
    <Form context={context} action={path} draft={path} upload class="editor money" id="editor-form">
      {/* The first button of a form is what Enter presses. */}
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
        {strings.saveByEnter}
      </button>
      <input type="hidden" name="etag" value={etag} />
      <ErrorSummary title={getMessages('admin', context.language).mend} errors={errors} general={general} />
      {step === undefined ? null : (
        <p class="notice warn" role="status" data-unsaved>
          {strings.notSaved}
        </p>
      )}
      <div class="editor-main">
        <TextPart {...part} />
        <PicturesPart {...part} images={images} />
        <ItemsPart {...part} />
        <MilestonesPart {...part} />
      </div>
      <div class="editor-bar">
        <button type="submit">{getMessages('admin', context.language).save}</button>
        <button type="submit" class="quiet" formaction={`${path}/preview`} formtarget="_blank" formnovalidate>
          {strings.preview}
          <span class="visually-hidden"> ({strings.previewNew})</span>
        </button>
      </div>
    </Form>
  )
}
