import type { Letter, LetterSummary, LetterText } from '#fundraising/donors/letter/schema.ts'
import { formatLanguageName, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field, Select } from '../../components/field.tsx'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { donorsMenu, getDonorApiPath, getDonorPath } from './donor-format.tsx'
import { showDonor } from './donor-page.tsx'

const lettersPath = `${donorsMenu}/letters`

/** What was sent, and why it was refused. */
interface SentText {
  language?: string
  text?: Pick<LetterText, 'opening' | 'closing'>
  errors?: Record<string, string>
  general?: string | undefined
}

export async function showLetterYear(context: AdminContext, sent: SentText = {}): Promise<AdminPage> {
  const { language, query } = context
  const strings = getMessages('letter', language)
  // Letters are written after the end of the year.
  const usual = context.now.getMonth() < 6 ? context.now.getFullYear() - 1 : context.now.getFullYear()
  const year = /^(?:19|20|21)\d{2}$/.test(query.year ?? '') ? Number(query.year) : usual
  const [{ body: summary }, { body: texts }] = await Promise.all([
    context.api.get<LetterSummary>('/donor-letters/summary', { year }),
    context.api.get<LetterText[]>('/letter-texts')
  ])
  const errors = sent.errors ?? {}
  const isRefused = sent.general !== undefined || Object.keys(errors).length > 0
  return {
    title: strings.title,
    menu: donorsMenu,
    status: isRefused ? 422 : 200,
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', language).refused} errors={errors} general={sent.general} />
        <p class="lead">{strings.lead}</p>
        <YearForm context={context} year={year} />
        <YearPart context={context} summary={summary} />
        <section aria-labelledby="texts">
          <h2 id="texts">{strings.texts}</h2>
          <p class="hint">{strings.textsHint}</p>
          {languages.map(one => {
            const saved = texts.find(text => text.language === one)
            const isSent = sent.language === one
            return saved === undefined ? null : (
              <TextForm
                key={one}
                context={context}
                text={isSent && sent.text !== undefined ? { ...saved, ...sent.text } : saved}
                errors={isSent ? errors : {}}
              />
            )
          })}
        </section>
      </div>
    )
  }
}

function YearForm({ context, year }: { context: AdminContext; year: number }) {
  const strings = getMessages('letter', context.language)
  const newest = context.now.getFullYear()
  const years = [...new Set([...Array.from({ length: 6 }, (_, index) => newest - index), year])].map(String)
  return (
    <form method="get" action={lettersPath} class="filters">
      <Select
        name="year"
        label={strings.year}
        value={String(year)}
        options={years.map(one => ({ value: one, label: one }))}
      />
      <div class="actions">
        <button type="submit" class="small quiet">
          {strings.show}
        </button>
      </div>
    </form>
  )
}

function YearPart({ context, summary }: { context: AdminContext; summary: LetterSummary }) {
  const { language } = context
  const strings = getMessages('letter', language)
  const year = String(summary.year)
  return (
    <section class="card" aria-labelledby="year">
      <h2 id="year">{strings.ofYear({ year })}</h2>
      <ul class="plain-list">
        <li>{strings.written({ count: formatNumber(language, summary.written) })}</li>
        <li>{strings.due({ count: formatNumber(language, summary.due) })}</li>
        {summary.withoutAddress === 0 ? null : (
          <li>{strings.withoutAddress({ count: formatNumber(language, summary.withoutAddress) })}</li>
        )}
      </ul>
      <div class="actions">
        {summary.due === 0 ? null : (
          <Form context={context} action={lettersPath}>
            <input type="hidden" name="year" value={year} />
            <button type="submit">{strings.writeAll({ count: formatNumber(language, summary.due) })}</button>
          </Form>
        )}
        {summary.written === 0 ? null : (
          <a class="button quiet" href={`${lettersPath}/year.pdf?year=${year}`}>
            {strings.print}
          </a>
        )}
        <a class="button quiet" href={`${lettersPath}?year=${year}`}>
          {strings.refresh}
        </a>
      </div>
    </section>
  )
}

function TextForm({
  context,
  text,
  errors
}: {
  context: AdminContext
  text: LetterText
  errors: Record<string, string>
}) {
  const strings = getMessages('letter', context.language)
  const areas = [
    ['opening', 6, 2000],
    ['closing', 4, 1000]
  ] as const
  return (
    <Form context={context} action={`${lettersPath}/text`} class="card">
      <input type="hidden" name="language" value={text.language} />
      <input type="hidden" name="version" value={String(text.version)} />
      {areas.map(([name, rows, maxLength]) => (
        <Field
          key={name}
          name={`${name}-${text.language}`}
          label={`${strings[name]} (${formatLanguageName(text.language, context.language)})`}
          error={errors[`${name}-${text.language}`]}
        >
          {tied => (
            <textarea {...tied} name={name} rows={rows} maxLength={maxLength} lang={text.language} required>
              {text[name]}
            </textarea>
          )}
        </Field>
      ))}
      <button type="submit" class="small">
        {strings.save}
      </button>
    </Form>
  )
}

export async function saveText(context: AdminContext): Promise<AdminPage | Redirect> {
  const language = languages.find(one => one === getFormField(context, 'language')) ?? 'en'
  const read = (name: string) => getFormField(context, name).replaceAll('\r\n', '\n')
  const text = { opening: read('opening'), closing: read('closing') }
  const version = getFormField(context, 'version')
  try {
    const headers: Record<string, string> = /^[1-9]\d{0,8}$/.test(version) ? { 'if-match': `"${version}"` } : {}
    await context.api.put(`/letter-texts/${language}`, text, headers)
  } catch (error) {
    // Another user saved in the meantime: the own words stay in the form, to be saved again.
    if (error instanceof ApiError && error.status === 412)
      return await showLetterYear(context, { language, text, general: error.message })
    const { fields, general } = toFormErrors(error)
    const errors = Object.fromEntries(Object.entries(fields).map(([name, why]) => [`${name}-${language}`, why]))
    return await showLetterYear(context, { language, text, errors, general })
  }
  context.flash({ text: getMessages('letter', context.language).saved })
  return redirect(lettersPath, 303)
}

export async function startLetterRun(context: AdminContext): Promise<AdminPage | Redirect> {
  const year = getFormField(context, 'year')
  try {
    await context.api.post('/donor-letters', { year: /^\d{4}$/.test(year) ? Number(year) : year })
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return await showLetterYear(context, { general: general ?? Object.values(fields).join(' ') })
  }
  context.flash({ text: getMessages('letter', context.language).started })
  return redirect(`${lettersPath}?year=${year}`, 303)
}

/** Writes the letter of one donor. */
export async function writeLetter(context: AdminContext): Promise<AdminPage | Redirect> {
  const year = getFormField(context, 'year')
  const language = languages.find(one => one === getFormField(context, 'language'))
  try {
    const { body } = await context.api.post<Letter>(`${getDonorApiPath(context)}/letters`, {
      year: /^\d{4}$/.test(year) ? Number(year) : year,
      language
    })
    context.flash({ text: getMessages('letter', context.language).done({ year: String(body.year) }) })
    return redirect(`${getDonorPath(context.params.id ?? '')}#letters`, 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    return await showDonor(context, { general: general ?? Object.values(fields).join(' ') })
  }
}

export async function openLetter(context: AdminContext): Promise<Download> {
  const path = `/donor-letters/${encodeURIComponent(context.params.letter ?? '')}/letter.pdf`
  return { ...(await download(context, path)), fileName: 'letter.pdf', isShown: true }
}

export async function printLetterYear(context: AdminContext): Promise<Download> {
  const { year = '' } = context.query
  const path = `/donor-letters.pdf?year=${encodeURIComponent(year)}`
  return { ...(await download(context, path)), fileName: `letters-${year}.pdf` }
}

/** Passes the API's file through. */
async function download({ api }: AdminContext, path: string): Promise<Pick<Download, 'text' | 'type'>> {
  const { bytes } = await api.download(path)
  return { text: bytes, type: 'application/pdf' }
}
