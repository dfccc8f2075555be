import type { ReceiptRun } from '#fundraising/receipt-runs/schema.ts'
import { number, shortMoment } from '../../format.ts'
import { receiptWords } from '../../text/receipts.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { menu } from './receipt-parts.tsx'

const looks = { waiting: 'plain', running: 'warn', done: 'good', failed: 'bad' } as const

export function RunList({ desk, runs }: { desk: Desk; runs: ReceiptRun[] }) {
  const { language, site } = desk
  const words = receiptWords[language]
  if (runs.length === 0) return null
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">{words.runs}</h2>
      <ul class="plain-list">
        {runs.map(run => (
          <li key={run.id}>
            <a href={`${menu}/runs/${run.id}`}>{words.runOf(String(run.year))}</a>{' '}
            <span class={`badge ${looks[run.status]}`}>{words.runStatuses[run.status]}</span>
            <span class="below">
              {words.issuedCount(number(language, run.issued))}, {shortMoment(language, run.startedAt, site.timezone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A run, wherever it is. */
export async function showRun(desk: Desk): Promise<ConsolePage> {
  const { language } = desk
  const words = receiptWords[language]
  const { body: run } = await desk.api.get<ReceiptRun>(`/receipt-runs/${encodeURIComponent(desk.params.id ?? '')}`)
  const isUnderWay = run.status === 'waiting' || run.status === 'running'
  return {
    title: words.runOf(String(run.year)),
    menu,
    ...(isUnderWay ? { islands: ['import'] } : {}),
    body: (
      <div class="narrow">
        <section class="card import-progress" aria-labelledby="run-state">
          {isUnderWay ? (
            <>
              <Progress desk={desk} run={run} />
              <p class="hint">{words.runHint}</p>
              <a class="button quiet" href={desk.path} data-without-script>
                {words.refresh}
              </a>
            </>
          ) : (
            <Outcome desk={desk} run={run} />
          )}
        </section>
      </div>
    )
  }
}

/** The part that the island brings up to date. */
function Progress({ desk, run }: { desk: Desk; run: ReceiptRun }) {
  const { language } = desk
  const words = receiptWords[language]
  const { done, total } = run.progress
  const said = words.runProgress(number(language, done), number(language, total))
  return (
    <div data-live>
      <h2 id="run-state">{words.runStatuses[run.status]}</h2>
      <progress aria-label={words.progress} aria-valuetext={said} value={done} max={Math.max(total, 1)} />
      <p class="import-so-far">
        <span>{said}</span>
        <span class="faded">{words.issuedCount(number(language, run.issued))}</span>
      </p>
    </div>
  )
}

function Outcome({ desk, run }: { desk: Desk; run: ReceiptRun }) {
  const { language } = desk
  const words = receiptWords[language]
  return (
    <>
      <h2 id="run-state">{words.runStatuses[run.status]}</h2>
      {run.problems.map(({ code, message }) => (
        <p key={code} class="notice bad" role="alert">
          {message}
        </p>
      ))}
      <p>
        <strong>{words.issuedCount(number(language, run.issued))}</strong>
      </p>
      {run.skipped.length === 0 ? null : (
        <>
          <h3>{words.skipped}</h3>
          <ul>
            {run.skipped.map(({ reason, count }) => (
              <li key={reason}>
                {number(language, count)}: {words.skipReasons[reason]}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        {run.issued === 0 ? null : (
          <>
            <a class="button" href={`${menu}/year.pdf?year=${run.startedAt.slice(0, 4)}&runId=${run.id}`}>
              {words.printRun}
            </a>{' '}
          </>
        )}
        <a class="button quiet" href={`${menu}/preview?runYear=${run.year}`}>
          {words.seeLeftOut}
        </a>{' '}
        <a class="button quiet" href={menu}>
          {words.seeThem}
        </a>
      </p>
    </>
  )
}
