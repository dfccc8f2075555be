import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber as written } from '../../format/format.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { type Column, Table } from '../shared/table.tsx'
import { showDonationSearch } from './donation-search.tsx'
import { deleteRule, rulesPath, showRules } from './payer-rules.tsx'
import {
  countOpenEntries,
  formatFileName,
  formatPeriod,
  menu,
  results,
  type Statement,
  statementsPath
} from './statement.ts'
import { confirmExact, decide } from './statement-decisions.ts'
import { showStatement } from './statement-page.tsx'
import { MoreLink } from './statement-parts.tsx'
import { splitEntry } from './statement-split.tsx'
import { formBytesMax, UploadForm, uploadStatement } from './statement-upload.tsx'

const treasurers: AdminRole[] = ['treasurer']

/** Bank statements, and the donations that their entries are assigned to. */
export function registerStatementRoutes(console: AdminRouter): void {
  console.get(menu, treasurers, async context => await showStatements(context))
  console.post(menu, treasurers, async context => await uploadStatement(context, showStatements), formBytesMax)
  console.get(rulesPath, treasurers, showRules)
  console.post(`${rulesPath}/:id/delete`, treasurers, deleteRule)
  console.get(`${menu}/:id`, treasurers, showStatement)
  console.post(`${menu}/:id/confirm`, treasurers, confirmExact)
  console.get(`${menu}/:id/entries/:entry`, treasurers, async context => await showDonationSearch(context))
  console.post(
    `${menu}/:id/entries/:entry/split`,
    treasurers,
    async context => await splitEntry(context, showDonationSearch)
  )
  console.post(`${menu}/:id/entries/:entry`, treasurers, decide)
}

const perPage = 25

/** Upload form with the list below; `refused` has the errors of the form. */
async function showStatements(
  context: AdminContext,
  refused: { fields: Record<string, string>; general: string | undefined } = { fields: {}, general: undefined }
): Promise<AdminPage> {
  const strings = getMessages('statement', context.language)
  const found = await context.api.get<Statement[]>(statementsPath, { limit: perPage, cursor: context.query.cursor })
  const isRefused = refused.general !== undefined || Object.keys(refused.fields).length > 0
  return {
    title: strings.title,
    menu,
    status: isRefused ? 422 : 200,
    scripts: ['console'],
    actions: (
      <a class="button quiet" href={rulesPath}>
        {getMessages('payer-rule', context.language).rules}
      </a>
    ),
    body: (
      <>
        <p class="lead">{strings.lead}</p>
        <UploadForm context={context} refused={refused} />
        <h2 id="statements">{strings.list}</h2>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={found.body}
          columns={buildColumns(context)}
        />
        <MoreLink context={context} link={found.header('link')} />
      </>
    )
  }
}

function buildColumns(context: AdminContext): Column<Statement>[] {
  const { language, site } = context
  const strings = getMessages('statement', language)
  return [
    {
      label: strings.days,
      isHead: true,
      cell: one => (
        <>
          <a href={`${menu}/${one.id}`}>{formatPeriod(context, one) ?? strings.noDays}</a>
          <span class="below anywhere">{formatFileName(context, one)}</span>
        </>
      )
    },
    {
      label: strings.uploaded,
      cell: one => (
        <>
          <time dateTime={one.importedAt}>{formatDateTime(language, one.importedAt, site.timezone)}</time>
          <span class="below">{formatActor(language, one.importedBy)}</span>
        </>
      )
    },
    { label: strings.outcome, cell: one => <Outcome context={context} one={one} /> }
  ]
}

/** Emphasizes entries that need a decision; zero counts are omitted. */
function Outcome({ context, one }: { context: AdminContext; one: Statement }) {
  const { language } = context
  const strings = getMessages('statement', language)
  const waiting = countOpenEntries(one)
  const rest = results.filter(
    result => !['suggested', 'problem', 'unmatched'].includes(result) && one.counts[result] > 0
  )
  return (
    <>
      {waiting === 0 ? null : (
        <span class="badge warn">{strings.openCount({ count: written(language, waiting) })}</span>
      )}
      <span class={waiting === 0 ? undefined : 'below'}>
        {one.counts.entries === 0
          ? strings.nothing
          : rest.map(result => `${strings.tabs[result]}: ${written(language, one.counts[result])}`).join(', ')}
      </span>
    </>
  )
}
