import { languages } from '#platform/language.ts'
import { type ImportWords, importWords } from '../../text/imports.ts'
import type { Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { type Import, pagePath } from './import-answers.ts'

/** Which column of a table is which field: a select for each. Another choice is looked at before anything is written. */
export function Mapping({ desk, one }: { desk: Desk; one: Import }) {
  const { columns, mapping } = one
  if (columns === null) return null
  const words = importWords[desk.language]
  return (
    <Form desk={desk} action={pagePath(desk, '/check')} class="card import-mapping">
      <h2>{words.mapping}</h2>
      <p class="hint">{words.mappingHint}</p>
      <div class="import-columns">
        {columns.map((column, index) => (
          <div key={index} class="field">
            <label for={`meaning-${index}`}>{column}</label>
            <select id={`meaning-${index}`} name="meanings[]">
              <option value="">{words.ignored}</option>
              {meaningsIn(words).map(([name, label]) => (
                <option key={name} value={name} selected={mapping?.[column] === name}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <button type="submit" class="quiet">
        {words.checkAgain}
      </button>
    </Form>
  )
}

const texts = ['title', 'description', 'excerpt']

/** Everything a column can be; a text may also say its language. */
function meaningsIn(words: ImportWords): [name: string, label: string][] {
  return Object.entries(words.fields).flatMap(([name, label]) => [
    [name, label] as [string, string],
    ...(texts.includes(name) ? languages : []).map((language): [string, string] => [
      `${name}_${language}`,
      `${label} (${words.inLanguage[language]})`
    ])
  ])
}

/** What the selects say, if the form had any: the field of each column, empty for what is left out. */
export function mappingIn({ form }: Desk, columns: string[] | null): Record<string, string> | undefined {
  const { meanings } = form
  if (columns === null || !Array.isArray(meanings)) return undefined
  return Object.fromEntries(
    columns.map((column, index) => [column, typeof meanings[index] === 'string' ? meanings[index] : ''])
  )
}
