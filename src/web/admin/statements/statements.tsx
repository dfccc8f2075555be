import { shortMoment, number as written } from '../../format.ts'
import { payerRuleWords } from '../../text/payer-rules.ts'
import { statementWords } from '../../text/statements.ts'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { actorOf } from '../site/activity-words.ts'
import { type Column, Table } from '../table.tsx'
import { daysOf, fileOf, menu, openCount, results, type Statement, statementsPath } from './statement-answers.ts'
import { confirmExact, decide } from './statement-decisions.ts'
import { showFind } from './statement-find.tsx'
import { showStatement } from './statement-page.tsx'
import { More } from './statement-parts.tsx'
import { deleteRule, rulesPage, showRules } from './statement-rules.tsx'
import { splitEntry } from './statement-split.tsx'
import { formBytesMax, takeStatement, UploadForm } from './statement-upload.tsx'

const treasurers: ConsoleRole[] = ['treasurer']

/** What banks say was booked, and which donations it was for. */
export function statementPages(console: Console): void {
  console.show(menu, treasurers, async desk => await showStatements(desk))
  console.take(menu, treasurers, async desk => await takeStatement(desk, showStatements), formBytesMax)
  console.show(rulesPage, treasurers, showRules)
  console.take(`${rulesPage}/:id/delete`, treasurers, deleteRule)
  console.show(`${menu}/:id`, treasurers, showStatement)
  console.take(`${menu}/:id/confirm`, treasurers, confirmExact)
  console.show(`${menu}/:id/entries/:entry`, treasurers, async desk => await showFind(desk))
  console.take(`${menu}/:id/entries/:entry/split`, treasurers, async desk => await splitEntry(desk, showFind))
  console.take(`${menu}/:id/entries/:entry`, treasurers, decide)
}

const perPage = 25

/** The list below the form; `refused` is what was wrong with the form. */
async function showStatements(
  desk: Desk,
  refused: { fields: Record<string, string>; general: string | undefined } = { fields: {}, general: undefined }
): Promise<ConsolePage> {
  const words = statementWords[desk.language]
  const found = await desk.api.get<Statement[]>(statementsPath, { limit: perPage, cursor: desk.query.cursor })
  const isRefused = refused.general !== undefined || Object.keys(refused.fields).length > 0
  return {
    title: words.title,
    menu,
    status: isRefused ? 422 : 200,
    islands: ['console'],
    actions: (
      <a class="button quiet" href={rulesPage}>
        {payerRuleWords[desk.language].rules}
      </a>
    ),
    body: (
      <>
        <p class="lead">{words.lead}</p>
        <UploadForm desk={desk} refused={refused} />
        <h2 id="statements">{words.list}</h2>
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={found.body}
          columns={columnsFor(desk)}
        />
        <More desk={desk} link={found.header('link')} />
      </>
    )
  }
}

function columnsFor(desk: Desk): Column<Statement>[] {
  const { language, site } = desk
  const words = statementWords[language]
  return [
    {
      label: words.days,
      isHead: true,
      cell: one => (
        <>
          <a href={`${menu}/${one.id}`}>{daysOf(desk, one) ?? words.noDays}</a>
          <span class="below anywhere">{fileOf(desk, one)}</span>
        </>
      )
    },
    {
      label: words.uploaded,
      cell: one => (
        <>
          <time dateTime={one.importedAt}>{shortMoment(language, one.importedAt, site.timezone)}</time>
          <span class="below">{actorOf(language, one.importedBy)}</span>
        </>
      )
    },
    { label: words.outcome, cell: one => <Outcome desk={desk} one={one} /> }
  ]
}

/** What waits stands out; what is none is not said. */
function Outcome({ desk, one }: { desk: Desk; one: Statement }) {
  const { language } = desk
  const words = statementWords[language]
  const waiting = openCount(one)
  const rest = results.filter(
    result => !['suggested', 'problem', 'unmatched'].includes(result) && one.counts[result] > 0
  )
  return (
    <>
      {waiting === 0 ? null : <span class="badge warn">{words.openCount(written(language, waiting))}</span>}
      <span class={waiting === 0 ? undefined : 'below'}>
        {one.counts.entries === 0
          ? words.nothing
          : rest.map(result => `${words.tabs[result]}: ${written(language, one.counts[result])}`).join(', ')}
      </span>
    </>
  )
}
