import { withQuery } from '../../api.ts'
import { number, shortMoment } from '../../format.ts'
import { statementWords } from '../../text/statements.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { hereIn } from '../list-address.ts'
import { actorOf } from '../site/activity-words.ts'
import {
  apiPath,
  daysOf,
  fileOf,
  listCampaigns,
  menu,
  pagePath,
  type Result,
  results,
  type Statement,
  type StatementEntry
} from './statement-answers.ts'
import { EntryCard } from './statement-entry.tsx'
import { More } from './statement-parts.tsx'

const perPage = 50

/** One statement: what came of each entry, and what is to be decided. */
export async function showStatement(desk: Desk): Promise<ConsolePage> {
  const { body: statement } = await desk.api.get<Statement>(apiPath(desk))
  const shown = shownIn(desk, statement)
  const { body: entries, header } = await desk.api.get<StatementEntry[]>(apiPath(desk, '/entries'), {
    result: shown === 'all' ? undefined : shown,
    limit: perPage,
    cursor: desk.query.cursor
  })
  const campaigns = await listCampaigns(desk, entries)
  const words = statementWords[desk.language]
  return {
    title: words.titleOf(daysOf(desk, statement) ?? fileOf(desk, statement)),
    menu,
    islands: ['console'],
    actions: (
      <a class="button quiet" href={menu}>
        {words.title}
      </a>
    ),
    body: (
      <>
        <Facts desk={desk} statement={statement} />
        {statement.complete ? null : <p class="notice warn">{words.incomplete}</p>}
        <Tabs desk={desk} statement={statement} shown={shown} />
        <ConfirmExact desk={desk} entries={entries} />
        {entries.length === 0 ? (
          <div class="empty">
            <p>{words.empty[shown]}</p>
          </div>
        ) : (
          <ul class="entries">
            {entries.map(entry => (
              <EntryCard key={entry.id} desk={desk} entry={entry} campaigns={campaigns} />
            ))}
          </ul>
        )}
        <More desk={desk} link={header('link')} />
      </>
    )
  }
}

/** What the address asks for; without a wish what asks for a decision, and everything where nothing does. */
function shownIn({ query }: Desk, { counts }: Statement): Result | 'all' {
  if (query.result === 'all') return 'all'
  const wished = results.find(result => result === query.result)
  return wished ?? results.slice(0, 3).find(result => counts[result] > 0) ?? 'all'
}

function Facts({ desk, statement }: { desk: Desk; statement: Statement }) {
  const { language, site } = desk
  const words = statementWords[language]
  const facts: [string, string][] = [
    [words.source, fileOf(desk, statement)],
    [words.format, statement.format],
    [words.uploaded, shortMoment(language, statement.importedAt, site.timezone)],
    [words.by, actorOf(language, statement.importedBy)]
  ]
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Tabs({ desk, statement, shown }: { desk: Desk; statement: Statement; shown: Result | 'all' }) {
  const { language } = desk
  const words = statementWords[language]
  const { counts } = statement
  const offered = results.filter(result => counts[result] > 0 || result === shown || result === 'suggested')
  return (
    <nav class="tabs import-tabs" aria-label={words.results}>
      <ul>
        {[...offered, 'all' as const].map(result => (
          <li key={result}>
            <a
              href={withQuery(pagePath(desk), { result })}
              {...(result === shown ? { 'aria-current': 'page' as const } : {})}
            >
              {words.tabs[result]}{' '}
              <span class="count">{number(language, counts[result === 'all' ? 'entries' : result])}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Of these there is nothing to think about: one donation fits, to the cent. */
export function isExact({ result, suggestions }: StatementEntry): boolean {
  const [first] = suggestions
  const others = suggestions.filter(({ difference }) => difference === 0).length
  return result === 'suggested' && first?.difference === 0 && first.status === 'IN_PROCESS' && others === 1
}

/** Sends what is seen here, entry by entry: what somebody else decides meanwhile stays decided. */
function ConfirmExact({ desk, entries }: { desk: Desk; entries: StatementEntry[] }) {
  const { language } = desk
  const words = statementWords[language]
  const exact = entries.filter(isExact)
  if (exact.length === 0) return null
  const [one, many] = words.confirmAll
  return (
    <Form desk={desk} action={pagePath(desk, '/confirm')} class="statement-all">
      <input type="hidden" name="back" value={hereIn(desk)} />
      {exact.map(({ id, version, suggestions: [first] }) => (
        <input
          key={id}
          type="hidden"
          name="entries[]"
          value={`${id} ${version} ${first?.campaignId} ${first?.donationId}`}
        />
      ))}
      <button type="submit">{exact.length === 1 ? one : many.replace('%s', number(language, exact.length))}</button>
      <span class="hint">{words.confirmAllHint}</span>
    </Form>
  )
}
