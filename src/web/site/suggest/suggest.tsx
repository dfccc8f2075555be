import { getMessages } from '#platform/messages/messages.ts'
import { hasBeenShown, newFormGuard, newFormKey, parseFormGuard, postOnce } from '../../components/form-guard.ts'
import { isFilledByBot } from '../../components/honeypot.tsx'
import { fetchProof } from '../../components/proof-of-work.tsx'
import { type Page, type PageHandler, type PageRouter, redirect } from '../../page/page.ts'
import { ApiError, type Query } from '../../server/api-client.ts'
import { calendarPath, type Term, type Venue } from '../../server/calendar-api.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import {
  challengePath,
  honeypotName,
  type SuggestChoices,
  SuggestForm,
  type SuggestFormState
} from './suggest-form.tsx'
import { newSuggestInput, parseSuggestInput, toSuggestErrors, toSuggestion } from './suggest-input.ts'

/** Visitors suggest events here. */
export function registerSuggestRoutes(pages: PageRouter): void {
  pages.addUncached('suggest', showForm)
  pages.addForm('suggest', suggest)
  pages.add('suggestThanks', async context => buildThanksPage(context))
  pages.addUncached('suggestConfirm', async context => buildConfirmPage(context))
  pages.addForm('suggestConfirm', confirm)
}

const showForm: PageHandler = async context => {
  if (!context.site.suggestions) return buildOffPage(context)
  const { now, query } = context
  const form = { typed: newSuggestInput(query.date), errors: {}, ...newFormGuard(now) }
  return buildFormPage(context, await loadChoices(context), form)
}

const suggest: PageHandler = async context => {
  if (!context.site.suggestions) return buildOffPage(context)
  const { language } = context
  const form: SuggestFormState = { typed: parseSuggestInput(context), errors: {}, ...parseFormGuard(context) }
  const again = async (status: number, more: Partial<SuggestFormState>): Promise<Page> => {
    // The page contains the visitor's input.
    context.reply.header('cache-control', 'no-store')
    return { ...buildFormPage(context, await loadChoices(context), { ...form, ...more }), noindex: true, status }
  }
  const reading = toSuggestion(form.typed, language)
  if ('errors' in reading) return await again(422, { errors: reading.errors })
  if (isFilledByBot(context, honeypotName) || !hasBeenShown(context)) {
    return await again(422, { general: getMessages('suggest', language).wrong.again })
  }
  try {
    const proof = getFormField(context, 'proofOfWork')
    const body = proof === '' ? reading.body : { ...reading.body, proof_of_work: proof }
    const made = await postOnce<{ state: string }>(context, `${calendarPath}/suggestions`, body, form.key)
    return redirect(`${getPath('suggestThanks', language)}?state=${made.body.state}`, 303)
  } catch (error) {
    const { status, ...more } = toSuggestErrors(error, language)
    const isUsed = error instanceof ApiError && error.code.startsWith('idempotency-key')
    return await again(status, isUsed ? { ...more, key: newFormKey() } : more)
  }
}

/** The API returns 50 items at most. Visitors type the name of any other venue. */
const listQuery = { per_page: 50 }

async function loadChoices(context: PageContext): Promise<SuggestChoices> {
  const { api } = context
  const list = async <Name extends string, Item>(name: Name, query: Query): Promise<Item[]> =>
    (await api.get<Record<Name, Item[]>>(`${calendarPath}/${name}`, query)).body[name]
  const [venues, categories, proof] = await Promise.all([
    list<'venues', Venue>('venues', { ...listQuery, orderby: 'title', order: 'asc' }),
    list<'categories', Term>('categories', { ...listQuery, hide_empty: false }),
    fetchProof(context, challengePath)
  ])
  return { venues, categories, proof }
}

function buildFormPage(context: PageContext, choices: SuggestChoices, form: SuggestFormState): Page {
  const strings = getMessages('suggest', context.language)
  return {
    title: strings.title,
    description: strings.lead,
    menu: 'calendar',
    alternates: getPaths('suggest'),
    canonical: getPath('suggest', context.language),
    scripts: choices.proof.required ? ['proof-of-work'] : [],
    body: (
      <div class="suggest-page">
        <h1>{strings.title}</h1>
        <p class="lead">{strings.lead}</p>
        <SuggestForm context={context} choices={choices} form={form} />
      </div>
    )
  }
}

function buildOffPage(context: PageContext): Page {
  const { title, text } = getMessages('suggest', context.language).off
  return { ...buildTextPage(context, title, [text]), status: 404 }
}

/** What happens next depends on whether the address has to be confirmed. */
function buildThanksPage(context: PageContext): Page {
  const { language, query } = context
  const { thanks } = getMessages('suggest', language)
  const page = buildTextPage(
    context,
    thanks.title,
    query.state === 'unconfirmed' ? thanks.unconfirmed : thanks.open,
    <a class="button quiet" href={getPath('suggest', language)}>
      {thanks.another}
    </a>
  )
  return { ...page, alternates: getPaths('suggestThanks') }
}

function preventCaching({ reply }: PageContext): void {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
}

/** Programs open links in emails to check them, so only the button confirms. */
function buildConfirmPage(context: PageContext): Page {
  const { language, params } = context
  const { confirm: strings } = getMessages('suggest', language)
  preventCaching(context)
  return buildTextPage(
    context,
    strings.title,
    [strings.text],
    <form method="post" action={getPath('suggestConfirm', language, params.token ?? '')}>
      <button type="submit">{strings.button}</button>
    </form>
  )
}

const confirm: PageHandler = async context => {
  const { api, language, params } = context
  preventCaching(context)
  try {
    await api.post(`${calendarPath}/suggestions/confirm`, { token: params.token ?? '' })
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 410].includes(error.status)) throw error
    const { endedTitle, ended } = getMessages('suggest', language).confirm
    return { ...buildTextPage(context, endedTitle, [ended]), status: 410 }
  }
  return redirect(`${getPath('suggestThanks', language)}?state=open`, 303)
}

function buildTextPage(context: PageContext, title: string, paragraphs: string[], action?: Page['body']): Page {
  const { language } = context
  return {
    title,
    menu: 'calendar',
    noindex: true,
    alternates: {},
    body: (
      <div class="prose text-page">
        <h1>{title}</h1>
        {paragraphs.map(text => (
          <p key={text}>{text}</p>
        ))}
        <div class="actions">
          {action}
          <a class="button quiet" href={getPath('calendar', language)}>
            {getMessages('suggest', language).toCalendar}
          </a>
        </div>
      </div>
    )
  }
}
