import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getListQuery } from '../shared/list-query.ts'
import {
  type EntryResult,
  formatFileName,
  formatPeriod,
  getStatementApiPath,
  getStatementPagePath,
  listCampaigns,
  menu,
  results,
  type Statement,
  type StatementEntry
} from './statement.ts'
import { EntryCard } from './statement-entry.tsx'
import { MoreLink } from './statement-parts.tsx'

const perPage = 50

/** One statement: the result of each entry, and the open decisions. */
export async function showStatement(context: AdminContext): Promise<AdminPage> {
  const { body: statement } = await context.api.get<Statement>(getStatementApiPath(context))
  const shown = getShownResult(context, statement)
  const { body: entries, header } = await context.api.get<StatementEntry[]>(getStatementApiPath(context, '/entries'), {
    result: shown === 'all' ? undefined : shown,
    limit: perPage,
    cursor: context.query.cursor
  })
  const campaigns = await listCampaigns(context, entries)
  const strings = getMessages('statement', context.language)
  return {
    title: strings.titleOf({ days: formatPeriod(context, statement) ?? formatFileName(context, statement) }),
    menu,
    scripts: ['console'],
    actions: (
      <a class="button quiet" href={menu}>
        {strings.title}
      </a>
    ),
    body: (
      <>
        <Facts context={context} statement={statement} />
        {statement.complete ? null : <p class="notice warn">{strings.incomplete}</p>}
        <Tabs context={context} statement={statement} shown={shown} />
        <ConfirmExact context={context} entries={entries} />
        {entries.length === 0 ? (
          <div class="empty">
            <p>{strings.empty[shown]}</p>
          </div>
        ) : (
          <ul class="entries">
            {entries.map(entry => (
              <EntryCard key={entry.id} context={context} entry={entry} campaigns={campaigns} />
            ))}
          </ul>
        )}
        <MoreLink context={context} link={header('link')} />
      </>
    )
  }
}

/** Filter of the URL; by default entries that need a decision, or all if none does. */
function getShownResult({ query }: AdminContext, { counts }: Statement): EntryResult | 'all' {
  if (query.result === 'all') return 'all'
  const requested = results.find(result => result === query.result)
  return requested ?? results.slice(0, 3).find(result => counts[result] > 0) ?? 'all'
}

function Facts({ context, statement }: { context: AdminContext; statement: Statement }) {
  const { language, site } = context
  const strings = getMessages('statement', language)
  const facts: [string, string][] = [
    [strings.source, formatFileName(context, statement)],
    [strings.format, statement.format],
    [strings.uploaded, formatDateTime(language, statement.importedAt, site.timezone)],
    [strings.by, formatActor(language, statement.importedBy)]
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

function Tabs({
  context,
  statement,
  shown
}: {
  context: AdminContext
  statement: Statement
  shown: EntryResult | 'all'
}) {
  const { language } = context
  const strings = getMessages('statement', language)
  const { counts } = statement
  const offered = results.filter(result => counts[result] > 0 || result === shown || result === 'suggested')
  return (
    <nav class="tabs import-tabs" aria-label={strings.results}>
      <ul>
        {[...offered, 'all' as const].map(result => (
          <li key={result}>
            <a
              href={withQuery(getStatementPagePath(context), { result })}
              {...(result === shown ? { 'aria-current': 'page' as const } : {})}
            >
              {strings.tabs[result]}{' '}
              <span class="count">{formatNumber(language, counts[result === 'all' ? 'entries' : result])}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Exactly one donation matches, to the cent, so it can be confirmed without review. */
export function isExact({ result, suggestions }: StatementEntry): boolean {
  const [first] = suggestions
  const others = suggestions.filter(({ difference }) => difference === 0).length
  return result === 'suggested' && first?.difference === 0 && first.status === 'IN_PROCESS' && others === 1
}

/** Sends the ids shown on this page, so that entries which another user decides in the meantime are not overwritten. */
function ConfirmExact({ context, entries }: { context: AdminContext; entries: StatementEntry[] }) {
  const { language } = context
  const strings = getMessages('statement', language)
  const exact = entries.filter(isExact)
  if (exact.length === 0) return null
  return (
    <Form context={context} action={getStatementPagePath(context, '/confirm')} class="statement-all">
      <input type="hidden" name="back" value={getListQuery(context)} />
      {exact.map(({ id, version, suggestions: [first] }) => (
        <input
          key={id}
          type="hidden"
          name="entries[]"
          value={`${id} ${version} ${first?.campaignId} ${first?.donationId}`}
        />
      ))}
      <button type="submit">{strings.confirmAll({ count: exact.length })}</button>
      <span class="hint">{strings.confirmAllHint}</span>
    </Form>
  )
}
