import { number, shortMoment } from '../../format.ts'
import { importWords } from '../../text/imports.ts'
import type { Desk } from '../console.ts'
import { actorOf } from '../site/activity-words.ts'
import { type Import, originOf, outcomes, type Policy, policies, type Status } from './import-answers.ts'

const steps = ['source', 'check', 'report', 'run'] as const

/** Where somebody is on the way from a source to a calendar. */
export function Steps({ desk, current }: { desk: Desk; current: (typeof steps)[number] }) {
  const words = importWords[desk.language].steps
  const reached = steps.indexOf(current)
  return (
    <nav class="import-steps" aria-label={words.label}>
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
            <span class="import-step-name">{words[step]}</span>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const looks: Record<Status, string> = {
  waiting: 'plain',
  running: 'warn',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
  undoing: 'warn',
  undone: 'plain'
}

export function StatusBadge({ desk, status }: { desk: Desk; status: Status }) {
  return <span class={`badge ${looks[status]}`}>{importWords[desk.language].statuses[status]}</span>
}

/** 12 new, 3 changed: what is none is not said. */
export function countsIn({ language }: Desk, { counts }: Import): string {
  const words = importWords[language].tally
  return outcomes
    .filter(outcome => counts[outcome] > 0)
    .map(outcome => `${number(language, counts[outcome])} ${words[outcome]}`)
    .join(', ')
}

/** What to do with what an earlier import brought, in plain words. */
export function PolicyChoice({ desk, chosen }: { desk: Desk; chosen: Policy }) {
  const words = importWords[desk.language]
  return (
    <fieldset class="field choices">
      <legend>{words.policy}</legend>
      {policies.map(policy => (
        <label key={policy} class="check">
          <input type="radio" name="policy" value={policy} checked={policy === chosen} />
          <span>{words.policies[policy]}</span>
        </label>
      ))}
    </fieldset>
  )
}

export function Facts({ desk, one }: { desk: Desk; one: Import }) {
  const { language, site } = desk
  const words = importWords[language]
  return (
    <dl class="facts">
      <div>
        <dt>{words.source}</dt>
        <dd>
          {words.sources[one.source].title}: {originOf(one)}
        </dd>
      </div>
      <div>
        <dt>{words.when}</dt>
        <dd>
          <time dateTime={one.created_at}>{shortMoment(language, one.created_at, site.timezone)}</time>
        </dd>
      </div>
      {one.author_name === '' ? null : (
        <div>
          <dt>{words.by}</dt>
          <dd>{actorOf(language, one.author_name)}</dd>
        </div>
      )}
    </dl>
  )
}
