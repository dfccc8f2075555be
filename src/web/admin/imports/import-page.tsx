import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'
import { formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { ActionButton, Form } from '../shared/form.tsx'
import { getPageNumber, perPage } from '../shared/list-query.ts'
import { CompareCard, ComparisonResult } from './comparison.tsx'
import { Mapping } from './import-mapping.tsx'
import { Facts, PolicyChoice, StatusBadge, Steps } from './import-parts.tsx'
import { Rows } from './import-rows.tsx'
import {
  comparisonOutcomes,
  getImportApiPath,
  getImportPagePath,
  type Import,
  importOutcomes,
  menu,
  type RowList
} from './import-types.ts'

/** Page of one import in any state: running, finished, undone. */
export async function showImport(context: AdminContext): Promise<AdminPage> {
  const { body: one } = await context.api.get<Import>(getImportApiPath(context))
  if (isRunning(one)) return buildProgressPage(context, one)
  const { body: rows } = await context.api.get<RowList>(getImportApiPath(context, '/rows'), {
    ...getRowFilter(context),
    page: getPageNumber(context),
    per_page: perPage
  })
  return buildReportPage(context, one, rows)
}

/** An unknown value in the URL counts as no filter. */
export function getRowFilter({ query }: AdminContext, language: Language = 'en'): Record<string, string | undefined> {
  const outcome = [...importOutcomes, ...comparisonOutcomes].find(one => one === query.outcome)
  const kind = Object.keys(getMessages('import', language).kinds).find(one => one === query.kind)
  const code = Object.keys(getMessages('import-report', language).codes).find(one => one === query.code)
  return { outcome, kind, code }
}

function isRunning({ status }: Import): boolean {
  return status === 'waiting' || status === 'running' || status === 'undoing'
}

function buildProgressPage(context: AdminContext, one: Import): AdminPage {
  const strings = getMessages('import', context.language)
  return {
    title: getTitle(context, one),
    menu,
    scripts: ['import'],
    body: (
      <div class="narrow">
        {one.compares ? null : <Steps context={context} current={one.dry_run ? 'check' : 'run'} />}
        <Facts context={context} one={one} />
        <section class="card import-progress" aria-labelledby="progress-title">
          <Progress context={context} one={one} />
          <p class="hint">{strings.progressHint}</p>
          <div class="actions">
            {one.status === 'undoing' ? null : (
              <ActionButton
                context={context}
                action={getImportPagePath(context, '/cancel')}
                label={strings.cancel}
                look="quiet"
              />
            )}
            {/* The island makes this link unnecessary and removes it. */}
            <a class="button quiet" href={getImportPagePath(context)} data-without-script>
              {strings.refresh}
            </a>
          </div>
        </section>
      </div>
    )
  }
}

function getTitle({ language }: AdminContext, { compares, source }: Import): string {
  return compares
    ? getMessages('import-report', language).comparisonTitle
    : getMessages('import', language).newTitle[source]
}

/** The part that the island refreshes. */
function Progress({ context, one }: { context: AdminContext; one: Import }) {
  const { language } = context
  const strings = getMessages('import', language)
  const { done, total } = one.progress
  const step = one.status === 'running' ? (one.dry_run ? 'check' : 'run') : one.status
  const said =
    total === null
      ? strings.progressSoFar({ done: formatNumber(language, done) })
      : strings.progressOf({ done: formatNumber(language, done), total: formatNumber(language, Math.max(done, total)) })
  return (
    <div data-live>
      <h2 id="progress-title">
        {one.compares
          ? getMessages('import-report', language).comparing
          : strings.progressTitle[step as keyof typeof strings.progressTitle]}
      </h2>
      <progress
        aria-label={strings.progress}
        aria-valuetext={said}
        {...(total === null ? {} : { value: Math.min(done, total), max: Math.max(total, 1) })}
      />
      <p class="import-so-far">
        <span>{said}</span>
        {importOutcomes
          .filter(outcome => one.counts[outcome] > 0)
          .map(outcome => (
            <span key={outcome} class={outcome === 'problem' ? 'import-bad' : 'muted'}>
              {formatNumber(language, one.counts[outcome])} {strings.tally[outcome]}
            </span>
          ))}
      </p>
    </div>
  )
}

function buildReportPage(context: AdminContext, one: Import, rows: RowList): AdminPage {
  const strings = getMessages('import', context.language)
  const isRead = one.status === 'done'
  return {
    title: getTitle(context, one),
    menu,
    actions: (
      <>
        {one.dry_run || !isRead ? null : (
          <a class="button" href="/admin/events">
            {strings.toEvents}
          </a>
        )}
        <a class="button quiet" href={menu}>
          {strings.another}
        </a>
      </>
    ),
    body: (
      <>
        {one.compares ? null : <Steps context={context} current={one.dry_run ? 'report' : 'run'} />}
        <Facts context={context} one={one} />
        <Outcome context={context} one={one} />
        <CompareCard context={context} one={one} />
        {one.dry_run && !one.compares && (isRead || one.status === 'failed') ? (
          <Mapping context={context} one={one} />
        ) : null}
        {rows.total === 0 && Object.values(getRowFilter(context)).every(value => value === undefined) ? null : (
          <Rows context={context} one={one} found={rows} />
        )}
        {one.can_undo ? (
          <p class="danger-zone">
            <span class="muted">{strings.undoHint} </span>
            <a class="button danger small" href={getImportPagePath(context, '/undo')}>
              {strings.undo}
            </a>
          </p>
        ) : null}
      </>
    )
  }
}

/** The result, and the possible next steps. */
function Outcome({ context, one }: { context: AdminContext; one: Import }) {
  const { language } = context
  const strings = getMessages('import', language)
  if (one.status === 'failed') {
    return (
      <section class="card import-outcome" aria-labelledby="outcome">
        <h2 id="outcome">{strings.failedTitle}</h2>
        <p class="notice bad">{one.error}</p>
        <p>{one.dry_run ? strings.failedCheck : strings.failedText}</p>
        <a class="button" href={getFormPath(one)}>
          {strings.tryAgain}
        </a>
      </section>
    )
  }
  if (one.status !== 'done') {
    const text = one.dry_run ? strings.cancelledCheck : strings.cancelledText
    return (
      <section class="card import-outcome" aria-label={strings.state}>
        <p>
          <StatusBadge context={context} status={one.status} />
        </p>
        <p>{one.status === 'undone' ? strings.undoneText : text}</p>
        <p class="actions">
          {one.based_on === null ? (
            <a class="button quiet" href={getFormPath(one)}>
              {strings.tryAgain}
            </a>
          ) : (
            <a class="button quiet" href={`${menu}/${one.based_on}`}>
              {strings.basedOn}
            </a>
          )}
        </p>
      </section>
    )
  }
  if (one.compares) return <ComparisonResult context={context} one={one} />
  return (
    <section class="card import-outcome" aria-labelledby="outcome">
      <h2 id="outcome">{one.dry_run ? strings.checkTitle : strings.runTitle}</h2>
      <Summary context={context} one={one} />
      {one.dry_run && one.counts.new + one.counts.changed > 0 ? (
        <>
          <RunForm context={context} one={one} />
          <p class="hint">{strings.runHint}</p>
        </>
      ) : null}
    </section>
  )
}

function Summary({ context, one }: { context: AdminContext; one: Import }) {
  const { language } = context
  const strings = getMessages('import', language)
  const { counts } = one
  const said = strings.sentence[one.dry_run ? 'check' : 'run']
  const isNone = counts.new + counts.changed === 0
  const isUnreadable = counts.problem > 0 && counts.same + counts.skipped === 0
  return (
    <>
      <p class="lead">
        {isNone
          ? isUnreadable
            ? strings.unreadable
            : strings.nothing
          : said({ fresh: formatNumber(language, counts.new), changed: formatNumber(language, counts.changed) })}
      </p>
      {counts.kept === 0 ? null : <p>{strings.kept({ count: formatNumber(language, counts.kept) })}</p>}
      {counts.problem === 0 ? null : <p class="notice warn">{strings.problems({ count: counts.problem })}.</p>}
    </>
  )
}

/** Form of the import's source, with its URL prefilled. */
function getFormPath({ source, url }: Import): string {
  return withQuery(`${menu}/new/${source}`, { url })
}

function RunForm({ context, one }: { context: AdminContext; one: Import }) {
  const strings = getMessages('import', context.language)
  return (
    <Form context={context} action={getImportPagePath(context, '/run')}>
      <details class="import-policy">
        <summary>
          {strings.already} {strings.policies[one.policy]}
        </summary>
        <PolicyChoice context={context} chosen={one.policy} />
      </details>
      {one.username === null ? null : (
        <Field
          name="password"
          type="password"
          label={`${strings.password} (${one.username})`}
          hint={strings.passwordAgain}
          autocomplete="off"
          maxLength={200}
          required
        />
      )}
      <button type="submit">{strings.run}</button>
    </Form>
  )
}
