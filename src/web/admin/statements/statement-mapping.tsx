import type { FilePart } from '#platform/http/file-part.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { menu } from './statement.ts'

/** Files up to this size stay in the form, so that users need not select them again; form texts are limited to 1 MB. */
const keptBytesMax = 500_000

interface Columns {
  columns: string[]
  mapping: Record<string, string>
}

/** Columns of a table that the API did not recognize; undefined if it refused for another reason. */
export function findUnknownColumns(error: unknown): Columns | undefined {
  if (!(error instanceof ApiError) || error.code !== 'statement-columns') return undefined
  const { columns, mapping } = error.body as Partial<Columns>
  return Array.isArray(columns) ? { columns, mapping: mapping ?? {} } : undefined
}

/** Selects that map columns to fields. */
export function MappingForm({ context, file, columns, mapping }: { context: AdminContext; file: FilePart } & Columns) {
  const { language } = context
  const strings = getMessages('statement', language)
  const isKept = file.bytes.length <= keptBytesMax
  return (
    <Form context={context} action={menu} upload class="card import-mapping">
      <input type="hidden" name="columns" value={JSON.stringify(columns)} />
      <div class="import-columns">
        {columns.map((column, index) => (
          <div key={index} class="field">
            <label for={`meaning-${index}`}>{column === '' ? `${index + 1}` : column}</label>
            <select id={`meaning-${index}`} name="meanings[]">
              <option value="">{strings.leftOut}</option>
              {Object.entries(strings.fields).map(([name, label]) => (
                <option key={name} value={name} selected={mapping[column] === name}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      {isKept ? (
        <>
          <input type="hidden" name="kept" value={file.bytes.toString('base64')} />
          <input type="hidden" name="keptName" value={file.filename} />
        </>
      ) : (
        <Field name="file" type="file" label={strings.file} hint={strings.mappingFileAgain} required />
      )}
      <div class="actions">
        <button type="submit">{strings.mappingSend}</button>
        <a class="button quiet" href={menu}>
          {getMessages('admin', language).cancel}
        </a>
      </div>
    </Form>
  )
}

/** Parses the selects, if the form has any. */
export function parseMapping(context: AdminContext): Record<string, string> | undefined {
  const { meanings } = context.form
  const columns = parseList(getFormField(context, 'columns'))
  if (columns.length === 0 || !Array.isArray(meanings)) return undefined
  return Object.fromEntries(
    columns.map((column, index) => [column, typeof meanings[index] === 'string' ? meanings[index] : ''])
  )
}

/** The file that the form carried along. */
export function readKeptFile(context: AdminContext): FilePart | undefined {
  const bytes = Buffer.from(getFormField(context, 'kept'), 'base64')
  if (bytes.length === 0) return undefined
  return { bytes, filename: getFormField(context, 'keptName').slice(0, 200), mimeType: 'text/csv' }
}

function parseList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter(one => typeof one === 'string') : []
  } catch {
    return []
  }
}
