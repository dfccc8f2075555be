import { getMessages } from '#platform/messages/messages.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import { getFormField } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { getPageNumber } from '../shared/list-query.ts'
import { Pager } from '../shared/pager.tsx'
import {
  getSuggestionTitle,
  type Suggestion,
  SuggestionCard,
  type SuggestionState,
  suggestionStates
} from './suggestion-card.tsx'

const menu = '/admin/suggestions'
const editors: AdminRole[] = ['editor']
/** Each card is long. */
const perPage = 10

/** The queue of events that visitors suggest. */
export function registerSuggestionRoutes(console: AdminRouter): void {
  const one = `${menu}/:id`
  console.get(menu, editors, showQueue)
  console.get(one, editors, async context => buildSuggestionPage(context, await readSuggestion(context)))
  console.post(`${one}/accept`, editors, accept)
  console.post(`${one}/decline`, editors, decline)
  console.get(`${one}/erase`, editors, askToErase)
  console.post(`${one}/erase`, editors, erase)
}

interface SuggestionList {
  suggestions: Suggestion[]
  total: number
  total_pages: number
}

const getApiPath = ({ params }: AdminContext) => `${calendarPath}/suggestions/${encodeURIComponent(params.id ?? '')}`

async function readSuggestion(context: AdminContext): Promise<Suggestion> {
  return (await context.api.get<Suggestion>(getApiPath(context))).body
}

async function accept(context: AdminContext): Promise<Redirect> {
  await context.api.post(`${getApiPath(context)}/accept`, {})
  context.flash({ text: getMessages('suggestion', context.language).accepted })
  return redirect(menu, 303)
}

async function decline(context: AdminContext): Promise<Redirect> {
  await context.api.post(`${getApiPath(context)}/decline`, {
    reason: getFormField(context, 'reason'),
    message: getFormField(context, 'answer')
  })
  context.flash({ text: getMessages('suggestion', context.language).declined })
  return redirect(menu, 303)
}

async function askToErase(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('suggestion', context.language)
  const { id } = await readSuggestion(context)
  return buildConfirmPage(context, {
    title: strings.eraseTitle,
    text: strings.eraseText,
    menu,
    action: `${menu}/${id}/erase`,
    yes: strings.erase,
    no: { label: getMessages('admin', context.language).cancel, href: `${menu}/${id}` }
  })
}

async function erase(context: AdminContext): Promise<Redirect> {
  await context.api.delete(`${getApiPath(context)}/sender`)
  context.flash({ text: getMessages('suggestion', context.language).erasedNow })
  return redirect(`${menu}/${encodeURIComponent(context.params.id ?? '')}`, 303)
}

const parseState = (text = ''): SuggestionState => suggestionStates.find(one => one === text) ?? 'open'

async function showQueue(context: AdminContext): Promise<AdminPage> {
  const state = parseState(context.query.state)
  const { body } = await context.api.get<SuggestionList>(`${calendarPath}/suggestions`, {
    ...{ state, page: getPageNumber(context), per_page: perPage, with_duplicates: true }
  })
  const { language, site } = context
  const strings = getMessages('suggestion', language)
  return {
    title: strings.title,
    menu,
    body: (
      <div class="narrow">
        {site.suggestions ? <p class="muted">{strings.lead}</p> : <p class="notice warn">{strings.off}</p>}
        <StateTabs context={context} current={state} />
        {body.suggestions.length === 0 ? <p class="lead">{strings.none[state]}</p> : null}
        {body.suggestions.map(suggestion => (
          <SuggestionCard key={suggestion.id} context={context} suggestion={suggestion} />
        ))}
        <Pager context={context} page={getPageNumber(context)} pages={body.total_pages} />
        <p class="hint">
          {strings.feed}: <code class="anywhere">{`${context.origin}${calendarPath}/suggestions.atom`}</code>.{' '}
          {strings.feedHint}
        </p>
      </div>
    )
  }
}

function StateTabs({ context, current }: { context: AdminContext; current: SuggestionState }) {
  const strings = getMessages('suggestion', context.language)
  return (
    <nav class="tabs" aria-label={strings.title}>
      <ul>
        {suggestionStates.map(state => (
          <li key={state}>
            <a
              href={withQuery(menu, { state: state === 'open' ? undefined : state })}
              {...(state === current ? { 'aria-current': 'page' as const } : {})}
            >
              {strings.states[state]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function buildSuggestionPage(context: AdminContext, suggestion: Suggestion): AdminPage {
  return {
    title: getSuggestionTitle(context, suggestion),
    menu,
    body: (
      <div class="narrow">
        <SuggestionCard context={context} suggestion={suggestion} isAlone />
      </div>
    )
  }
}
