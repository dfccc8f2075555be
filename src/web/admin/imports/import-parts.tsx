import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'
import {
  comparisonOutcomes,
  formatOrigin,
  type Import,
  type ImportStatus,
  importOutcomes,
  type Policy,
  policies
} from './import-types.ts'

const steps = ['source', 'check', 'report', 'run'] as const

/** Progress through the steps of an import. */
export function Steps({ context, current }: { context: AdminContext; current: (typeof steps)[number] }) {
  const strings = getMessages('import', context.language).steps
  const reached = steps.indexOf(current)
  return (
    <nav class="import-steps" aria-label={strings.label}>
      <ol>
        {steps.map((step, index) => (
          <li
            key={step}
            class={index < reached ? 'done' : undefined}
            {...(step === current ? { 'aria-current': 'step' as const } : {})}
          >
            <span class="import-step-mark" aria-hidden="true">
              {index < reached ? '✓' : index + 1}
            </span>{' '}
            <span class="import-step-name">{strings[step]}</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const badgeClasses: Record<ImportStatus, string> = {
  waiting: 'plain',
  running: 'warn',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
  undoing: 'warn',
  undone: 'plain'
}

export function StatusBadge({ context, status }: { context: AdminContext; status: ImportStatus }) {
  return <span class={`badge ${badgeClasses[status]}`}>{getMessages('import', context.language).statuses[status]}</span>
}

/** 12 new, 3 changed: zero counts are omitted. */
export function formatCounts({ language }: AdminContext, { counts, compares }: Import): string {
  const strings: Record<string, string> = compares
    ? getMessages('import-report', language).comparisonOutcomes
    : { ...getMessages('import', language).tally }
  return (compares ? comparisonOutcomes : importOutcomes)
    .filter(outcome => counts[outcome] > 0)
    .map(outcome => `${formatNumber(language, counts[outcome])} ${strings[outcome]}`)
    .join(', ')
}

/** What to do with items from an earlier import. */
export function PolicyChoice({ context, chosen }: { context: AdminContext; chosen: Policy }) {
  const strings = getMessages('import', context.language)
  return (
    <fieldset class="field choices">
      <legend>{strings.policy}</legend>
      {policies.map(policy => (
        <label key={policy} class="check">
          <input type="radio" name="policy" value={policy} checked={policy === chosen} />
          <span>{strings.policies[policy]}</span>
        </label>
      ))}
    </fieldset>
  )
}

export function Facts({ context, one }: { context: AdminContext; one: Import }) {
  const { language, site } = context
  const strings = getMessages('import', language)
  return (
    <dl class="facts">
      <div>
        <dt>{strings.source}</dt>
        <dd>
          {strings.sources[one.source].title}: {formatOrigin(one)}
        </dd>
      </div>
      <div>
        <dt>{strings.when}</dt>
        <dd>
          <time dateTime={one.created_at}>{formatDateTime(language, one.created_at, site.timezone)}</time>
        </dd>
      </div>
      {one.author_name === '' ? null : (
        <div>
          <dt>{strings.by}</dt>
          <dd>{formatActor(language, one.author_name)}</dd>
        </div>
      )}
    </dl>
  )
}
