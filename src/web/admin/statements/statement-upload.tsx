import { type FilePart, isFilePart } from '#platform/http/file-part.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { countOpenEntries, menu, type Statement, statementsPath } from './statement.ts'
import { findUnknownColumns, MappingForm, parseMapping, readKeptFile } from './statement-mapping.tsx'

/** Body limit: a file of 50 MB, plus the other fields. */
export const formBytesMax = 51 * 1024 * 1024

type UploadErrors = ReturnType<typeof toFormErrors>

/** Uploads a file, with its column mapping if there is one. */
export async function uploadStatement(
  context: AdminContext,
  showStatements: (context: AdminContext, refused: UploadErrors) => Promise<AdminPage>
): Promise<AdminPage | Redirect> {
  const strings = getMessages('statement', context.language)
  const file = isFilePart(context.form.file) ? context.form.file : readKeptFile(context)
  if (file === undefined)
    return await showStatements(context, { fields: { file: strings.fileNeeded }, general: undefined })
  try {
    const { body } = await postStatement(context, file, parseMapping(context))
    context.flash({ text: body.repeated === true ? strings.repeated : describeImport(context, body) })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    const columns = findUnknownColumns(error)
    if (columns !== undefined) return buildMappingPage(context, file, columns)
    if (error instanceof ApiError && getFormField(context, 'columns') !== '') {
      return buildMappingPage(
        context,
        file,
        { columns: Object.keys(parseMapping(context) ?? {}), mapping: parseMapping(context) ?? {} },
        error
      )
    }
    return await showStatements(context, toFormErrors(error))
  }
}

async function postStatement({ api }: AdminContext, file: FilePart, mapping: Record<string, string> | undefined) {
  const parts = new FormData()
  if (mapping !== undefined) parts.append('mapping', JSON.stringify(mapping))
  parts.append('file', new Blob([new Uint8Array(file.bytes)]), file.filename)
  const body = new Response(parts)
  const type = body.headers.get('content-type') ?? ''
  return await api.post<Statement>(statementsPath, Buffer.from(await body.arrayBuffer()), { 'content-type': type })
}

function describeImport({ language }: AdminContext, one: Statement): string {
  const { entries, booked } = one.counts
  const open = formatNumber(language, countOpenEntries(one))
  return getMessages('statement', language).imported({
    entries: formatNumber(language, entries),
    booked: formatNumber(language, booked),
    open
  })
}

/** A file input accepts dropping and selecting, without a script. */
export function UploadForm({ context, refused }: { context: AdminContext; refused: UploadErrors }) {
  const { language } = context
  const strings = getMessages('statement', language)
  const errors = toLabelledErrors(refused.fields, { file: strings.file })
  return (
    <section class="card statement-upload" aria-labelledby="upload">
      <h2 id="upload">{strings.upload}</h2>
      <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={refused.general} />
      <Form context={context} action={menu} upload>
        <Field
          name="file"
          type="file"
          label={strings.file}
          hint={strings.fileHint}
          error={errors.file}
          accept=".xml,.csv,.txt,.sta,.mt940,.940,.zip,text/xml,application/xml,text/csv,application/zip"
          required
        />
        <button type="submit">{strings.send}</button>
      </Form>
      <details>
        <summary>{strings.how}</summary>
        {strings.howText.map(text => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </section>
  )
}

function buildMappingPage(
  context: AdminContext,
  file: FilePart,
  known: { columns: string[]; mapping: Record<string, string> },
  error?: ApiError
): AdminPage {
  const { language } = context
  const strings = getMessages('statement', language)
  return {
    title: strings.mappingTitle,
    menu,
    status: 422,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', language).mend} errors={{}} general={error?.message} />
        <p class="lead">{strings.mappingText}</p>
        <MappingForm context={context} file={file} {...known} />
      </div>
    )
  }
}
