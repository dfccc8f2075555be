import { type FilePart, isFilePart } from '#platform/form.ts'
import { Refused } from '../../api.ts'
import { number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { statementWords } from '../../text/statements.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { menu, openCount, type Statement, statementsPath } from './statement-answers.ts'
import { columnsIn, keptFile, MappingForm, mappingIn } from './statement-mapping.tsx'

/** A file of 50 MB, and what comes around it. */
export const formBytesMax = 51 * 1024 * 1024

type Refusal = ReturnType<typeof refusedForm>

/** A file, by itself or with what its columns are. */
export async function takeStatement(
  desk: Desk,
  showStatements: (desk: Desk, refused: Refusal) => Promise<ConsolePage>
): Promise<ConsolePage | Redirect> {
  const words = statementWords[desk.language]
  const file = isFilePart(desk.form.file) ? desk.form.file : keptFile(desk)
  if (file === undefined) return await showStatements(desk, { fields: { file: words.fileNeeded }, general: undefined })
  try {
    const { body } = await post(desk, file, mappingIn(desk))
    desk.say({ text: body.repeated === true ? words.repeated : importedText(desk, body) })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    const columns = columnsIn(error)
    if (columns !== undefined) return mappingPage(desk, file, columns)
    if (error instanceof Refused && field(desk, 'columns') !== '') {
      return mappingPage(
        desk,
        file,
        { columns: Object.keys(mappingIn(desk) ?? {}), mapping: mappingIn(desk) ?? {} },
        error
      )
    }
    return await showStatements(desk, refusedForm(error))
  }
}

async function post({ api }: Desk, file: FilePart, mapping: Record<string, string> | undefined) {
  const parts = new FormData()
  if (mapping !== undefined) parts.append('mapping', JSON.stringify(mapping))
  parts.append('file', new Blob([new Uint8Array(file.bytes)]), file.filename)
  const body = new Response(parts)
  const type = body.headers.get('content-type') ?? ''
  return await api.post<Statement>(statementsPath, Buffer.from(await body.arrayBuffer()), { 'content-type': type })
}

function importedText({ language }: Desk, one: Statement): string {
  const { entries, booked } = one.counts
  const open = number(language, openCount(one))
  return statementWords[language].imported(number(language, entries), number(language, booked), open)
}

/** Dropped onto or chosen: a field for files takes both, without a script. */
export function UploadForm({ desk, refused }: { desk: Desk; refused: Refusal }) {
  const { language } = desk
  const words = statementWords[language]
  const errors = spoken(refused.fields, { file: words.file })
  return (
    <section class="card statement-upload" aria-labelledby="upload">
      <h2 id="upload">{words.upload}</h2>
      <ErrorSummary title={consoleWords[language].mend} errors={errors} general={refused.general} />
      <Form desk={desk} action={menu} upload>
        <Field
          name="file"
          type="file"
          label={words.file}
          hint={words.fileHint}
          error={errors.file}
          accept=".xml,.csv,.txt,.sta,.mt940,.940,.zip,text/xml,application/xml,text/csv,application/zip"
          required
        />
        <button type="submit">{words.send}</button>
      </Form>
      <details>
        <summary>{words.how}</summary>
        {words.howText.map(text => (
          <p key={text}>{text}</p>
        ))}
      </details>
    </section>
  )
}

function mappingPage(
  desk: Desk,
  file: FilePart,
  known: { columns: string[]; mapping: Record<string, string> },
  error?: Refused
): ConsolePage {
  const { language } = desk
  const words = statementWords[language]
  return {
    title: words.mappingTitle,
    menu,
    status: 422,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[language].mend} errors={{}} general={error?.message} />
        <p class="lead">{words.mappingText}</p>
        <MappingForm desk={desk} file={file} {...known} />
      </div>
    )
  }
}
