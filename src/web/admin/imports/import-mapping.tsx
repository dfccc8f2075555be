import { getLanguageValues, type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getImportPagePath, type Import } from './import-types.ts'

/** Selects that map columns to fields. A changed mapping starts another dry run before anything is written. */
export function Mapping({ context, one }: { context: AdminContext; one: Import }) {
  const { columns, mapping } = one
  if (columns === null) return null
  const strings = getMessages('import', context.language)
  return (
    <Form context={context} action={getImportPagePath(context, '/check')} class="card import-mapping">
      <h2>{strings.mapping}</h2>
      <p class="hint">{strings.mappingHint}</p>
      <div class="import-columns">
        {columns.map((column, index) => (
          <div key={index} class="field">
            <label for={`meaning-${index}`}>{column}</label>
            <select id={`meaning-${index}`} name="meanings[]">
              <option value="">{strings.ignored}</option>
              {listMeanings(context.language).map(([name, label]) => (
                <option key={name} value={name} selected={mapping?.[column] === name}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <button type="submit" class="quiet">
        {strings.checkAgain}
      </button>
    </Form>
  )
}

const texts = ['title', 'description', 'excerpt']

/** Fields a column can map to; a text field can have a language. */
function listMeanings(shownIn: Language): [name: string, label: string][] {
  const strings = getMessages('import', shownIn)
  return Object.entries(strings.fields).flatMap(([name, label]) => [
    [name, label] as [string, string],
    ...(texts.includes(name) ? languages : []).map((language): [string, string] => [
      `${name}_${language}`,
      `${label} (${strings.inLanguage(getLanguageValues(language, shownIn))})`
    ])
  ])
}

/** Parses the selects, if the form has any: the field of each column, empty for skipped columns. */
export function parseMapping({ form }: AdminContext, columns: string[] | null): Record<string, string> | undefined {
  const { meanings } = form
  if (columns === null || !Array.isArray(meanings)) return undefined
  return Object.fromEntries(
    columns.map((column, index) => [column, typeof meanings[index] === 'string' ? meanings[index] : ''])
  )
}
