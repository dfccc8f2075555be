import { type FilePart, isFilePart } from '#platform/http/file-part.ts'
import { formatLanguageName, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { PolicyChoice, Steps } from './import-parts.tsx'
import { type Import, importsPath, menu, policies, type SourceName, sourceNames } from './import-types.ts'

/** Body limit: a file of 10 MB, plus the other fields. */
export const formBytesMax = 11 * 1024 * 1024

type FormErrors = ReturnType<typeof toFormErrors>

export async function showForm(context: AdminContext): Promise<AdminPage> {
  return buildPage(context, getSource(context))
}

/** Starts with a dry run: nothing is changed before the user has seen the report. */
export async function startImport(context: AdminContext): Promise<AdminPage | Redirect> {
  const source = getSource(context)
  const strings = getMessages('import', context.language)
  const file = isFilePart(context.form.file) ? context.form.file : undefined
  const url = getFormField(context, 'url')
  if (file === undefined && url === '' && source !== 'tec') {
    const error = source === 'csv' ? strings.fileNeeded : strings.oneOfThem
    return buildPage(context, source, { fields: { file: error }, general: undefined })
  }
  try {
    const { body } = await postImport(context, source, file, url)
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    return buildPage(context, source, toFormErrors(error))
  }
}

async function postImport(
  { api, form, site }: AdminContext,
  source: SourceName,
  file: FilePart | undefined,
  url: string
) {
  const fields: Record<string, string> = {
    source,
    dry_run: 'true',
    policy: policies.find(one => one === form.policy) ?? 'keep',
    language: languages.find(one => one === form.language) ?? site.defaultLanguage,
    timezone: getFormField({ form }, 'timezone') || site.timezone
  }
  const login =
    source === 'tec'
      ? { username: getFormField({ form }, 'username'), password: getFormField({ form }, 'password') }
      : {}
  if (file === undefined) return await api.post<Import>(importsPath, { ...fields, ...login, dry_run: true, url })
  const parts = new FormData()
  for (const [name, value] of Object.entries(fields)) parts.append(name, value)
  parts.append('file', new Blob([new Uint8Array(file.bytes)]), file.filename)
  const body = new Response(parts)
  const type = body.headers.get('content-type') ?? ''
  return await api.post<Import>(importsPath, Buffer.from(await body.arrayBuffer()), { 'content-type': type })
}

function getSource({ params }: AdminContext): SourceName {
  const source = sourceNames.find(one => one === params.source)
  if (source === undefined) throw new ApiError(404, 'source-not-found')
  return source
}

function buildPage(
  context: AdminContext,
  source: SourceName,
  { fields, general }: FormErrors = { fields: {}, general: undefined }
): AdminPage {
  const { language, site } = context
  const strings = getMessages('import', language)
  const errors = toLabelledErrors(fields, {
    url: strings.address,
    file: strings.file,
    timezone: strings.timezone,
    username: strings.username,
    password: strings.password
  })
  const isSent = context.request.method === 'POST'
  const isRefused = general !== undefined || Object.keys(errors).length > 0
  return {
    title: strings.newTitle[source],
    menu,
    status: isRefused ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <Steps context={context} current="source" />
        <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={general} />
        <Form context={context} action={`${menu}/new/${source}`} upload={source !== 'tec'} class="card">
          <SourceFields context={context} source={source} errors={errors} />
          <details {...(errors.timezone === undefined && errors.language === undefined ? {} : { open: true })}>
            <summary>{strings.more}</summary>
            <div class="import-more">
              <Field name="language" label={strings.language} hint={strings.languageHint} error={errors.language}>
                {tied => (
                  <select {...tied}>
                    {languages.map(one => (
                      <option
                        key={one}
                        value={one}
                        selected={one === (isSent ? getFormField(context, 'language') : site.defaultLanguage)}
                      >
                        {formatLanguageName(one, language)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <Field
                name="timezone"
                label={strings.timezone}
                hint={strings.timezoneHint}
                value={isSent ? getFormField(context, 'timezone') : site.timezone}
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
            <PolicyChoice
              context={context}
              chosen={policies.find(one => one === getFormField(context, 'policy')) ?? 'keep'}
            />
          </details>
          <div class="actions import-start">
            <button type="submit">{strings.start}</button>
            <a class="button quiet" href={menu}>
              {getMessages('admin', language).cancel}
            </a>
          </div>
          <p class="hint">{strings.startHint}</p>
        </Form>
      </div>
    )
  }
}

/** A URL, a file, or either. */
function SourceFields({
  context,
  source,
  errors
}: {
  context: AdminContext
  source: SourceName
  errors: Record<string, string>
}) {
  const strings = getMessages('import', context.language)
  const url = context.request.method === 'POST' ? getFormField(context, 'url') : (context.query.url ?? '')
  return (
    <>
      {source === 'csv' ? null : (
        <Field
          name="url"
          inputMode="url"
          label={source === 'tec' ? strings.address : strings.calendarAddress}
          hint={source === 'tec' ? strings.addressHint : strings.calendarAddressHint}
          value={url}
          error={errors.url}
          placeholder="https://"
          autocomplete="off"
          maxLength={2000}
          {...(source === 'tec' ? { required: true } : {})}
        />
      )}
      {source === 'tec' ? <LoginFields context={context} errors={errors} /> : null}
      {source === 'tec' ? null : (
        <Field
          name="file"
          type="file"
          label={strings.file}
          hint={source === 'csv' ? strings.csvHint : strings.fileHint}
          error={errors.file}
          accept={source === 'csv' ? '.xlsx,.csv,.tsv,.txt,text/csv' : '.ics,text/calendar'}
          {...(source === 'csv' ? { required: true } : {})}
        />
      )}
      {source === 'csv' ? (
        <p>
          <a href={`${menu}/template.csv`}>{strings.template}</a>
        </p>
      ) : null}
    </>
  )
}

/** The application password is never sent back to the browser. */
function LoginFields({ context, errors }: { context: AdminContext; errors: Record<string, string> }) {
  const strings = getMessages('import', context.language)
  const username = getFormField(context, 'username')
  const isOpen = username !== '' || errors.username !== undefined || errors.password !== undefined
  return (
    <details {...(isOpen ? { open: true } : {})}>
      <summary>{strings.login}</summary>
      <p class="hint">{strings.loginHint}</p>
      <div class="import-more">
        <Field
          name="username"
          label={strings.username}
          value={username}
          error={errors.username}
          autocomplete="off"
          maxLength={200}
        />
        <Field
          name="password"
          type="password"
          label={strings.password}
          error={errors.password}
          autocomplete="off"
          maxLength={200}
        />
      </div>
    </details>
  )
}
