import type { RequestOptions } from '#platform/passkeys/schema.ts'
import { Refused } from '../../api.ts'
import { redirect } from '../../page.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import { CarriedInput } from '../between.tsx'
import { parseCarriedForm } from '../carried.ts'
import type { Console, ConsolePage } from '../console.ts'
import type { NewSession } from '../people/let-in.ts'
import { goOnSignedIn } from '../people/signed-in.ts'
import { attemptIn, rememberAttempt } from './attempt.ts'
import { PasskeyForm, readCredential } from './passkey-form.tsx'

const path = '/admin/sign-in/passkey'

/** Signing in with a passkey: alone, or after the password (`after`). */
export function passkeySignInPages(pages: Console): void {
  pages.open(
    path,
    async () => redirect('/admin/sign-in', 303),
    async (visit, door) => {
      const attempt = attemptIn(visit)
      const question = field(visit, 'after') === 'password' && attempt !== '' ? { attempt } : {}
      try {
        if (field(visit, 'credential') === '') {
          if (field(visit, 'start') !== 'yes') return redirect('/admin/sign-in', 303)
          const { body } = await visit.api.post<RequestOptions>('/sessions/passkey-options', question)
          return askPage(visit, body)
        }
        const answer = { ...question, credential: readCredential(visit) }
        const { body } = await visit.api.post<NewSession>('/sessions/passkey', answer)
        rememberAttempt(visit, '')
        return goOnSignedIn(visit, door, body)
      } catch (error) {
        return refusedPage(visit, error)
      }
    }
  )
}

/** One button on the page that asks for the password or the code. */
export function PasskeyButton({ visit, next, after }: { visit: Visit; next: string; after?: 'password' }) {
  const words = secondFactorWords[visit.language].passkeys
  return (
    <form method="post" action={path} class="door-passkey">
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="start" value="yes" />
      <CarriedInput carried={parseCarriedForm(visit.form._carried)} />
      {after === undefined ? null : <input type="hidden" name="after" value={after} />}
      <button type="submit" class="quiet large">
        {words.signIn}
      </button>
    </form>
  )
}

function askPage(visit: Visit, options: RequestOptions): ConsolePage {
  const words = secondFactorWords[visit.language].passkeys
  return {
    title: words.signIn,
    islands: ['passkey'],
    body: (
      <>
        <PasskeyForm language={visit.language} action={path} purpose="get" options={options} button={words.use}>
          <input type="hidden" name="next" value={field(visit, 'next')} />
          <input type="hidden" name="after" value={field(visit, 'after')} />
          <CarriedInput carried={parseCarriedForm(visit.form._carried)} />
          <p>{words.useText}</p>
        </PasskeyForm>
        <p>
          <a href="/admin/sign-in">{words.withPassword}</a>
        </p>
      </>
    )
  }
}

function refusedPage(visit: Visit, error: unknown): ConsolePage {
  if (!(error instanceof Refused) || error.status >= 500) throw error
  const words = secondFactorWords[visit.language]
  // What a program is told of fields helps nobody here.
  const general = error.status === 400 ? words.passkeys.failed : error.message
  return {
    title: words.passkeys.signIn,
    status: error.status === 429 ? 429 : 422,
    islands: ['console'],
    body: (
      <>
        <ErrorSummary title={words.step.failed} errors={{}} general={general} />
        <PasskeyButton
          visit={visit}
          next={field(visit, 'next')}
          {...(field(visit, 'after') === 'password' ? { after: 'password' as const } : {})}
        />
        <p>
          <a href="/admin/sign-in">{words.passkeys.withPassword}</a>
        </p>
      </>
    )
  }
}
