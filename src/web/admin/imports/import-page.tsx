import { withQuery } from '../../api.ts'
import { counted, number } from '../../format.ts'
import { importWords } from '../../text/imports.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Act, Form } from '../form.tsx'
import { pageOf, perPage } from '../list-address.ts'
import { apiPath, type Import, type ImportRow, menu, outcomes, pagePath } from './import-answers.ts'
import { Mapping } from './import-mapping.tsx'
import { Facts, PolicyChoice, StatusBadge, Steps } from './import-parts.tsx'
import { Rows } from './import-rows.tsx'

export interface RowList {
  rows: ImportRow[]
  total: number
  total_pages: number
}

/** One import, wherever it is: under way, reported, taken back. */
export async function showImport(desk: Desk): Promise<ConsolePage> {
  const { body: one } = await desk.api.get<Import>(apiPath(desk))
  if (isUnderWay(one)) return progressPage(desk, one)
  const { body: rows } = await desk.api.get<RowList>(apiPath(desk, '/rows'), {
    outcome: outcomes.find(outcome => outcome === desk.query.outcome),
    page: pageOf(desk),
    per_page: perPage
  })
  return reportPage(desk, one, rows)
}

function isUnderWay({ status }: Import): boolean {
  return status === 'waiting' || status === 'running' || status === 'undoing'
}

function progressPage(desk: Desk, one: Import): ConsolePage {
  const words = importWords[desk.language]
  return {
    title: words.newTitle[one.source],
    menu,
    islands: ['import'],
    body: (
      <div class="narrow">
        <Steps desk={desk} current={one.dry_run ? 'check' : 'run'} />
        <Facts desk={desk} one={one} />
        <section class="card import-progress" aria-labelledby="progress-title">
          <Progress desk={desk} one={one} />
          <p class="hint">{words.progressHint}</p>
          <div class="actions">
            {one.status === 'undoing' ? null : (
              <Act desk={desk} action={pagePath(desk, '/cancel')} label={words.cancel} look="quiet" />
            )}
            {/* The island makes it superfluous, and takes it away. */}
            <a class="button quiet" href={pagePath(desk)} data-without-script>
              {words.refresh}
            </a>
          </div>
        </section>
      </div>
    )
  }
}

/** The part that the island brings up to date. */
function Progress({ desk, one }: { desk: Desk; one: Import }) {
  const { language } = desk
  const words = importWords[language]
  const { done, total } = one.progress
  const step = one.status === 'running' ? (one.dry_run ? 'check' : 'run') : one.status
  const said =
    total === null
      ? words.progressSoFar(number(language, done))
      : words.progressOf(number(language, done), number(language, Math.max(done, total)))
  return (
    <div data-live>
      <h2 id="progress-title">{words.progressTitle[step as keyof typeof words.progressTitle]}</h2>
      <progress
        aria-label={words.progress}
        aria-valuetext={said}
        {...(total === null ? {} : { value: Math.min(done, total), max: Math.max(total, 1) })}
      />
      <p class="import-so-far">
        <span>{said}</span>
        {outcomes
          .filter(outcome => one.counts[outcome] > 0)
          .map(outcome => (
            <span key={outcome} class={outcome === 'problem' ? 'import-bad' : 'faded'}>
              {number(language, one.counts[outcome])} {words.tally[outcome]}
            </span>
          ))}
      </p>
    </div>
  )
}

function reportPage(desk: Desk, one: Import, rows: RowList): ConsolePage {
  const words = importWords[desk.language]
  const isRead = one.status === 'done'
  return {
    title: words.newTitle[one.source],
    menu,
    actions: (
      <>
        {one.dry_run || !isRead ? null : (
          <a class="button" href="/admin/events">
            {words.toEvents}
          </a>
        )}
        <a class="button quiet" href={menu}>
          {words.another}
        </a>
      </>
    ),
    body: (
      <>
        <Steps desk={desk} current={one.dry_run ? 'report' : 'run'} />
        <Facts desk={desk} one={one} />
        <Outcome desk={desk} one={one} />
        {one.dry_run && (isRead || one.status === 'failed') ? <Mapping desk={desk} one={one} /> : null}
        {rows.total === 0 && desk.query.outcome === undefined ? null : <Rows desk={desk} one={one} found={rows} />}
        {one.can_undo ? (
          <p class="danger-zone">
            <span class="faded">{words.undoHint} </span>
            <a class="button danger small" href={pagePath(desk, '/undo')}>
              {words.undo}
            </a>
          </p>
        ) : null}
      </>
    )
  }
}

/** How it ended, and what can be done now. */
function Outcome({ desk, one }: { desk: Desk; one: Import }) {
  const { language } = desk
  const words = importWords[language]
  if (one.status === 'failed') {
    return (
      <section class="card import-outcome" aria-labelledby="outcome">
        <h2 id="outcome">{words.failedTitle}</h2>
        <p class="notice bad">{one.error}</p>
        <p>{one.dry_run ? words.failedCheck : words.failedText}</p>
        <a class="button" href={formPath(one)}>
          {words.tryAgain}
        </a>
      </section>
    )
  }
  if (one.status !== 'done') {
    const text = one.dry_run ? words.cancelledCheck : words.cancelledText
    return (
      <section class="card import-outcome" aria-label={words.state}>
        <p>
          <StatusBadge desk={desk} status={one.status} />
        </p>
        <p>{one.status === 'undone' ? words.undoneText : text}</p>
        <p class="actions">
          {one.based_on === null ? (
            <a class="button quiet" href={formPath(one)}>
              {words.tryAgain}
            </a>
          ) : (
            <a class="button quiet" href={`${menu}/${one.based_on}`}>
              {words.basedOn}
            </a>
          )}
        </p>
      </section>
    )
  }
  return (
    <section class="card import-outcome" aria-labelledby="outcome">
      <h2 id="outcome">{one.dry_run ? words.checkTitle : words.runTitle}</h2>
      <Summary desk={desk} one={one} />
      {one.dry_run && one.counts.new + one.counts.changed > 0 ? (
        <>
          <RunForm desk={desk} one={one} />
          <p class="hint">{words.runHint}</p>
        </>
      ) : null}
    </section>
  )
}

function Summary({ desk, one }: { desk: Desk; one: Import }) {
  const { language } = desk
  const words = importWords[language]
  const { counts } = one
  const said = words.sentence[one.dry_run ? 'check' : 'run']
  const isNone = counts.new + counts.changed === 0
  const isUnreadable = counts.problem > 0 && counts.same + counts.skipped === 0
  return (
    <>
      <p class="lead">
        {isNone
          ? isUnreadable
            ? words.unreadable
            : words.nothing
          : said(number(language, counts.new), number(language, counts.changed))}
      </p>
      {counts.kept === 0 ? null : <p>{words.kept(number(language, counts.kept))}</p>}
      {counts.problem === 0 ? null : <p class="notice warn">{counted(language, counts.problem, ...words.problems)}.</p>}
    </>
  )
}

/** The form that it came from, with its address. */
function formPath({ source, url }: Import): string {
  return withQuery(`${menu}/new/${source}`, { url })
}

function RunForm({ desk, one }: { desk: Desk; one: Import }) {
  const words = importWords[desk.language]
  return (
    <Form desk={desk} action={pagePath(desk, '/run')}>
      <details class="import-policy">
        <summary>
          {words.already} {words.policies[one.policy]}
        </summary>
        <PolicyChoice desk={desk} chosen={one.policy} />
      </details>
      <button type="submit">{words.run}</button>
    </Form>
  )
}
