import type { FilePart } from '#platform/form.ts'
import { Refused } from '../../api.ts'
import { consoleWords } from '../../text/console.ts'
import { statementWords } from '../../text/statements.ts'
import { Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { menu } from './statement-answers.ts'

/** A file up to this size stays in the form, so that nobody has to look for it again; texts of a form have at most 1 MB. */
const keptBytesMax = 500_000

interface Columns {
  columns: string[]
  mapping: Record<string, string>
}

/** The columns of a table whose names say nothing to the API; undefined if that was not what it refused. */
export function columnsIn(error: unknown): Columns | undefined {
  if (!(error instanceof Refused) || error.code !== 'statement-columns') return undefined
  const { columns, mapping } = error.body as Partial<Columns>
  return Array.isArray(columns) ? { columns, mapping: mapping ?? {} } : undefined
}

/** Which column of a table is which field: a select for each. */
export function MappingForm({ desk, file, columns, mapping }: { desk: Desk; file: FilePart } & Columns) {
  const { language } = desk
  const words = statementWords[language]
  const isKept = file.bytes.length <= keptBytesMax
  return (
    <Form desk={desk} action={menu} upload class="card import-mapping">
      <input type="hidden" name="columns" value={JSON.stringify(columns)} />
      <div class="import-columns">
        {columns.map((column, index) => (
          <div key={index} class="field">
            <label for={`meaning-${index}`}>{column === '' ? `${index + 1}` : column}</label>
            <select id={`meaning-${index}`} name="meanings[]">
              <option value="">{words.leftOut}</option>
              {Object.entries(words.fields).map(([name, label]) => (
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
        <Field name="file" type="file" label={words.file} hint={words.mappingFileAgain} required />
      )}
      <div class="actions">
        <button type="submit">{words.mappingSend}</button>
        <a class="button quiet" href={menu}>
          {consoleWords[language].cancel}
        </a>
      </div>
    </Form>
  )
}

/** What the selects say, if the form had any. */
export function mappingIn(desk: Desk): Record<string, string> | undefined {
  const { meanings } = desk.form
  const columns = listIn(field(desk, 'columns'))
  if (columns.length === 0 || !Array.isArray(meanings)) return undefined
  return Object.fromEntries(
    columns.map((column, index) => [column, typeof meanings[index] === 'string' ? meanings[index] : ''])
  )
}

/** The file that the form carried along. */
export function keptFile(desk: Desk): FilePart | undefined {
  const bytes = Buffer.from(field(desk, 'kept'), 'base64')
  if (bytes.length === 0) return undefined
  return { bytes, filename: field(desk, 'keptName').slice(0, 200), mimeType: 'text/csv' }
}

function listIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter(one => typeof one === 'string') : []
  } catch {
    return []
  }
}
