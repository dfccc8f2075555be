import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'

/** File input of a backup. The script of the page sends large files in pieces, and shows the progress. */
export function UploadForm({
  language,
  action,
  error,
  children
}: {
  language: Language
  action: string
  error?: string | undefined
  /** Hidden fields. */
  children?: ComponentChildren
}) {
  const strings = getMessages('backup', language)
  return (
    <form
      method="post"
      action={action}
      enctype="multipart/form-data"
      data-upload
      data-uploading={strings.uploading}
      data-failed={strings.uploadFailed}
    >
      {error === undefined ? null : (
        <ErrorSummary title={getMessages('admin', language).mend} errors={{}} general={error} />
      )}
      {children}
      <Field
        name="file"
        type="file"
        label={strings.file}
        hint={strings.fileHint}
        accept=".backup,application/octet-stream,application/x-tar"
        required
      />
      <p data-upload-progress role="status" hidden />
      <button type="submit" class="quiet">
        {strings.uploadAction}
      </button>
    </form>
  )
}
