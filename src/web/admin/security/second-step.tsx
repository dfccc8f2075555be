import { Refused, withQuery } from '../../api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import { CarriedInput } from '../between.tsx'
import { parseCarriedForm } from '../carried.ts'
import type { Console, ConsolePage } from '../console.ts'
import type { NewSession } from '../people/let-in.ts'
import { ownPath } from '../people/own-path.ts'
import { goOnSignedIn } from '../people/signed-in.ts'
import { attemptIn, rememberAttempt } from './attempt.ts'
import { PasskeyButton, passkeySignInPages } from './passkey-sign-in.tsx'

const path = '/admin/sign-in/code'

/** Where somebody goes whose password was right but not enough; undefined if something else was refused. */
export function secondStep(visit: Visit, error: unknown, next: string): ConsolePage | Redirect | undefined {
  if (!(error instanceof Refused) || error.code !== 'second-factor-required') return undefined
  const { attempt, factors } = error.body as { attempt?: unknown; factors?: unknown }
  rememberAttempt(visit, String(attempt))
  const hasPasskey = Array.isArray(factors) && factors.includes('passkey')
  // A form that was sent after a session had ended is too long for an address.
  if (parseCarriedForm(visit.form._carried) !== undefined) return stepPage(visit, { next: ownPath(next), hasPasskey })
  return redirect(withQuery(path, { next: ownPath(next), passkey: hasPasskey ? 'yes' : '' }), 303)
}

export function secondStepPages(pages: Console): void {
  passkeySignInPages(pages)

  pages.open(
    path,
    async visit =>
      attemptIn(visit) === ''
        ? redirect('/admin/sign-in', 303)
        : stepPage(visit, { next: visit.query.next ?? '', hasPasskey: visit.query.passkey === 'yes' }),
    async (visit, door) => {
      try {
        const body = { attempt: attemptIn(visit), code: field(visit, 'code') }
        const { body: session } = await visit.api.post<NewSession>('/sessions/second-factor', body)
        rememberAttempt(visit, '')
        return goOnSignedIn(visit, door, session)
      } catch (error) {
        const asked = { next: field(visit, 'next'), hasPasskey: field(visit, 'passkey') === 'yes' }
        return stepPage(visit, asked, refusalText(error, visit))
      }
    }
  )
}

interface Refusal {
  status: number
  text: string
  isOver: boolean
}

function refusalText(error: unknown, { language }: Visit): Refusal {
  if (!(error instanceof Refused) || ![400, 401, 409, 422, 429].includes(error.status)) throw error
  const { proof, step } = secondFactorWords[language]
  if (error.status === 429) {
    return { status: 429, text: proof.wait(Number(error.headers['retry-after'] ?? 60)), isOver: false }
  }
  if (error.code === 'sign-in-expired') return { status: 422, text: step.expired, isOver: true }
  // A key of the server that is not the one of before is nothing that waiting helps against.
  return { status: 422, text: error.status === 409 ? error.message : proof.wrongCode, isOver: false }
}

function stepPage(
  visit: Visit,
  { next, hasPasskey }: { next: string; hasPasskey: boolean },
  refused?: Refusal
): ConsolePage {
  const words = secondFactorWords[visit.language].step
  return {
    title: words.title,
    status: refused?.status,
    islands: ['console'],
    body: (
      <>
        {refused === undefined ? null : <ErrorSummary title={words.failed} errors={{}} general={refused.text} />}
        {refused?.isOver === true ? null : (
          <form method="post" action={path} class="card door-form">
            <input type="hidden" name="next" value={next} />
            <CarriedInput carried={parseCarriedForm(visit.form._carried)} />
            <p>{words.text}</p>
            <Field
              name="code"
              label={words.code}
              hint={words.hint}
              autocomplete="one-time-code"
              maxLength={100}
              autofocus={refused === undefined}
              required
            />
            <input type="hidden" name="passkey" value={hasPasskey ? 'yes' : ''} />
            <button type="submit" class="large">
              {words.action}
            </button>
          </form>
        )}
        {hasPasskey && refused?.isOver !== true ? <PasskeyButton visit={visit} next={next} after="password" /> : null}
        <details class="door-help">
          <summary>{words.lost}</summary>
          <p>{words.lostHelp}</p>
        </details>
        <p>
          <a href="/admin/sign-in">{words.back}</a>
        </p>
      </>
    )
  }
}
