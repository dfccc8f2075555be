import { type FilePart, isFilePart } from '#platform/form.ts'
import { languages } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { importWords } from '../../text/imports.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { type Import, importsPath, menu, policies, type SourceName, sourceNames } from './import-answers.ts'
import { PolicyChoice, Steps } from './import-parts.tsx'

/** A file of 10 MB, and what comes around it. */
export const formBytesMax = 11 * 1024 * 1024

type Refusal = ReturnType<typeof refusedForm>

export async function showForm(desk: Desk): Promise<ConsolePage> {
  return formPage(desk, sourceIn(desk))
}

/** Begins with a look at it: nothing is changed before somebody has seen the report. */
export async function startImport(desk: Desk): Promise<ConsolePage | Redirect> {
  const source = sourceIn(desk)
  const words = importWords[desk.language]
  const file = isFilePart(desk.form.file) ? desk.form.file : undefined
  const url = field(desk, 'url')
  if (file === undefined && url === '' && source !== 'tec') {
    const error = source === 'csv' ? words.fileNeeded : words.oneOfThem
    return formPage(desk, source, { fields: { file: error }, general: undefined })
  }
  try {
    const { body } = await post(desk, source, file, url)
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    return formPage(desk, source, refusedForm(error))
  }
}

async function post({ api, form, site }: Desk, source: SourceName, file: FilePart | undefined, url: string) {
  const fields: Record<string, string> = {
    source,
    dry_run: 'true',
    policy: policies.find(one => one === form.policy) ?? 'keep',
    language: languages.find(one => one === form.language) ?? site.defaultLanguage,
    timezone: field({ form }, 'timezone') || site.timezone
  }
  if (file === undefined) return await api.post<Import>(importsPath, { ...fields, dry_run: true, url })
  const parts = new FormData()
  for (const [name, value] of Object.entries(fields)) parts.append(name, value)
  parts.append('file', new Blob([new Uint8Array(file.bytes)]), file.filename)
  const body = new Response(parts)
  const type = body.headers.get('content-type') ?? ''
  return await api.post<Import>(importsPath, Buffer.from(await body.arrayBuffer()), { 'content-type': type })
}

function sourceIn({ params }: Desk): SourceName {
  const source = sourceNames.find(one => one === params.source)
  if (source === undefined) throw new Refused(404, 'source-not-found', '', {})
  return source
}

function formPage(
  desk: Desk,
  source: SourceName,
  { fields, general }: Refusal = { fields: {}, general: undefined }
): ConsolePage {
  const { language, site } = desk
  const words = importWords[language]
  const errors = spoken(fields, { url: words.address, file: words.file, timezone: words.timezone })
  const isSent = desk.request.method === 'POST'
  const isRefused = general !== undefined || Object.keys(errors).length > 0
  return {
    title: words.newTitle[source],
    menu,
    status: isRefused ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <Steps desk={desk} current="source" />
        <ErrorSummary title={consoleWords[language].mend} errors={errors} general={general} />
        <Form desk={desk} action={`${menu}/new/${source}`} upload={source !== 'tec'} class="card">
          <Where desk={desk} source={source} errors={errors} />
          <details {...(errors.timezone === undefined && errors.language === undefined ? {} : { open: true })}>
            <summary>{words.more}</summary>
            <div class="import-more">
              <Field name="language" label={words.language} hint={words.languageHint} error={errors.language}>
                {tied => (
                  <select {...tied}>
                    {languages.map(one => (
                      <option
                        key={one}
                        value={one}
                        selected={one === (isSent ? field(desk, 'language') : site.defaultLanguage)}
                      >
                        {consoleWords[language].languages[one]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <Field
                name="timezone"
                label={words.timezone}
                hint={words.timezoneHint}
                value={isSent ? field(desk, 'timezone') : site.timezone}
                error={errors.timezone}
                list="timezones"
                autocomplete="off"
                maxLength={100}
              />
              <datalist id="timezones">
                {Intl.supportedValuesOf('timeZone').map(zone => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </div>
            <PolicyChoice desk={desk} chosen={policies.find(one => one === field(desk, 'policy')) ?? 'keep'} />
          </details>
          <div class="actions import-start">
            <button type="submit">{words.start}</button>
            <a class="button quiet" href={menu}>
              {consoleWords[language].cancel}
            </a>
          </div>
          <p class="hint">{words.startHint}</p>
        </Form>
      </div>
    )
  }
}

/** An address, a file, or either. */
function Where({ desk, source, errors }: { desk: Desk; source: SourceName; errors: Record<string, string> }) {
  const words = importWords[desk.language]
  const url = desk.request.method === 'POST' ? field(desk, 'url') : (desk.query.url ?? '')
  return (
    <>
      {source === 'csv' ? null : (
        <Field
          name="url"
          inputMode="url"
          label={source === 'tec' ? words.address : words.calendarAddress}
          hint={source === 'tec' ? words.addressHint : words.calendarAddressHint}
          value={url}
          error={errors.url}
          placeholder="https://"
          autocomplete="off"
          maxLength={2000}
          {...(source === 'tec' ? { required: true } : {})}
        />
      )}
      {source === 'tec' ? null : (
        <Field
          name="file"
          type="file"
          label={words.file}
          hint={source === 'csv' ? words.csvHint : words.fileHint}
          error={errors.file}
          accept={source === 'csv' ? '.csv,.tsv,.txt,text/csv' : '.ics,text/calendar'}
          {...(source === 'csv' ? { required: true } : {})}
        />
      )}
      {source === 'csv' ? (
        <p>
          <a href={`${menu}/template.csv`}>{words.template}</a>
        </p>
      ) : null}
    </>
  )
}
