import type { ReceiptRun } from '#fundraising/receipts/runs/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { menu } from './receipt-parts.tsx'

const badgeClasses = { waiting: 'plain', running: 'warn', done: 'good', failed: 'bad' } as const

export function RunList({ context, runs }: { context: AdminContext; runs: ReceiptRun[] }) {
  const { language, site } = context
  const strings = getMessages('receipt', language)
  if (runs.length === 0) return null
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">{strings.runs}</h2>
      <ul class="plain-list">
        {runs.map(run => (
          <li key={run.id}>
            <a href={`${menu}/runs/${run.id}`}>{strings.runOf({ year: String(run.year) })}</a>{' '}
            <span class={`badge ${badgeClasses[run.status]}`}>{strings.runStatuses[run.status]}</span>
            <span class="below">
              {strings.issuedCount({ count: run.issued })}, {formatDateTime(language, run.startedAt, site.timezone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Page of a run in any state. */
export async function showRun(context: AdminContext): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('receipt', language)
  const { body: run } = await context.api.get<ReceiptRun>(
    `/receipt-runs/${encodeURIComponent(context.params.id ?? '')}`
  )
  const isUnderWay = run.status === 'waiting' || run.status === 'running'
  return {
    title: strings.runOf({ year: String(run.year) }),
    menu,
    ...(isUnderWay ? { scripts: ['import'] } : {}),
    body: (
      <div class="narrow">
        <section class="card import-progress" aria-labelledby="run-state">
          {isUnderWay ? (
            <>
              <Progress context={context} run={run} />
              <p class="hint">{strings.runHint}</p>
              <a class="button quiet" href={context.path} data-without-script>
                {strings.refresh}
              </a>
            </>
          ) : (
            <Outcome context={context} run={run} />
          )}
        </section>
      </div>
    )
  }
}

/** The part that the island refreshes. */
function Progress({ context, run }: { context: AdminContext; run: ReceiptRun }) {
  const { language } = context
  const strings = getMessages('receipt', language)
  const { done, total } = run.progress
  const said = strings.runProgress({ done: formatNumber(language, done), total: formatNumber(language, total) })
  return (
    <div data-live>
      <h2 id="run-state">{strings.runStatuses[run.status]}</h2>
      <progress aria-label={strings.progress} aria-valuetext={said} value={done} max={Math.max(total, 1)} />
      <p class="import-so-far">
        <span>{said}</span>
        <span class="muted">{strings.issuedCount({ count: run.issued })}</span>
      </p>
    </div>
  )
}

function Outcome({ context, run }: { context: AdminContext; run: ReceiptRun }) {
  const { language } = context
  const strings = getMessages('receipt', language)
  return (
    <>
      <h2 id="run-state">{strings.runStatuses[run.status]}</h2>
      {run.problems.map(({ code, message }) => (
        <p key={code} class="notice bad" role="alert">
          {message}
        </p>
      ))}
      <p>
        <strong>{strings.issuedCount({ count: run.issued })}</strong>
      </p>
      {run.skipped.length === 0 ? null : (
        <>
          <h3>{strings.skipped}</h3>
          <ul>
            {run.skipped.map(({ reason, count }) => (
              <li key={reason}>
                {formatNumber(language, count)}: {strings.skipReasons[reason]}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        {run.issued === 0 ? null : (
          <>
            <a class="button" href={`${menu}/year.pdf?year=${run.startedAt.slice(0, 4)}&runId=${run.id}`}>
              {strings.printRun}
            </a>{' '}
          </>
        )}
        <a class="button quiet" href={`${menu}/preview?runYear=${run.year}`}>
          {strings.seeLeftOut}
        </a>{' '}
        <a class="button quiet" href={menu}>
          {strings.seeThem}
        </a>
      </p>
    </>
  )
}
