import type { SignInMethods } from '#platform/factors/schema.ts'
import { Refused } from '../../api.ts'
import { redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { accountsWords } from '../../text/accounts.ts'
import { doorWords } from '../../text/door.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import { CarriedInput } from '../between.tsx'
import { parseCarriedForm } from '../carried.ts'
import { type Console, type ConsolePage, sessionCookie } from '../console.ts'
import { OpenIdButton, openIdSignInPages } from '../security/openid-sign-in.tsx'
import { PasskeyButton } from '../security/passkey-sign-in.tsx'
import { secondStep, secondStepPages } from '../security/second-step.tsx'
import type { NewSession } from './let-in.ts'
import { setupPages } from './setup.tsx'
import { goOnSignedIn } from './signed-in.ts'

/** The ways in and out. */
export function doorPages(pages: Console): void {
  setupPages(pages)
  secondStepPages(pages)
  openIdSignInPages(pages)

  pages.open(
    '/admin/sign-in',
    async visit => {
      const { body } = await visit.api.get<{ needed: boolean }>('/setup')
      return body.needed ? redirect('/admin/setup', 303) : await signInPage(visit)
    },
    async (visit, door) => {
      const password = typeof visit.form.password === 'string' ? visit.form.password : ''
      try {
        const { body } = await visit.api.post<NewSession>('/sessions', {
          email: field(visit, 'email'),
          password,
          // Whatever else somebody has put into the cookie is no reason to refuse them.
          ...(/^kld_[\w-]{1,150}$/.test(door.deviceToken ?? '') ? { deviceToken: door.deviceToken } : {})
        })
        return goOnSignedIn(visit, door, body)
      } catch (error) {
        return secondStep(visit, error, field(visit, 'next')) ?? (await signInPage(visit, refusalOf(error, visit)))
      }
    }
  )

  pages.take('/admin/sign-out', ['editor', 'treasurer', 'viewer'], async desk => {
    await desk.api.delete('/sessions/current')
    desk.cookies.remove(sessionCookie)
    return redirect('/admin/sign-in?out=yes', 303)
  })
}

interface Refusal {
  status: number
  text: string
}

/** Says the same whatever was wrong, so that nobody learns who has an account. */
function refusalOf(error: unknown, { language }: Visit): Refusal {
  if (!(error instanceof Refused)) throw error
  const words = doorWords[language].signIn
  if (error.status === 429) return { status: 429, text: words.wait(Number(error.headers['retry-after'] ?? 60)) }
  if (error.code === 'too-busy') return { status: 503, text: error.message }
  if (![400, 401, 422].includes(error.status)) throw error
  return { status: 422, text: words.wrong }
}

async function signInPage(visit: Visit, refused?: Refusal): Promise<ConsolePage> {
  const { query, language } = visit
  const words = doorWords[language].signIn
  const { body: methods } = await visit.api.get<SignInMethods>('/sessions/methods')
  const carried = parseCarriedForm(visit.form._carried)
  const next = refused === undefined ? (query.next ?? '') : field(visit, 'next')
  return {
    title: words.title,
    status: refused?.status,
    islands: ['console'],
    body: (
      <>
        {query.reset === undefined || refused !== undefined ? null : (
          <p class="notice good" role="status">
            {accountsWords[language].reset.done}
          </p>
        )}
        {query.out === undefined || refused !== undefined ? null : (
          <p class="notice good" role="status">
            {words.signedOut}
          </p>
        )}
        {refused === undefined ? null : <ErrorSummary title={words.failed} errors={{}} general={refused.text} />}
        <form method="post" action="/admin/sign-in" class="card door-form">
          <input type="hidden" name="next" value={next} />
          <CarriedInput carried={carried} />
          <Field
            name="email"
            label={words.email}
            type="email"
            autocomplete="username"
            value={field(visit, 'email')}
            autofocus={refused === undefined}
            required
          />
          <Field name="password" label={words.password} type="password" autocomplete="current-password" required />
          <button type="submit" class="large">
            {words.action}
          </button>
        </form>
        {methods.passkey ? <PasskeyButton visit={visit} next={next} /> : null}
        {/* What was typed before does not come along to another site and back, so that way is not offered then. */}
        {methods.openid === null || carried !== undefined ? null : (
          <OpenIdButton visit={visit} next={next} provider={methods.openid.name} />
        )}
        <p class="door-links">
          <a href="/admin/forgotten">{accountsWords[language].forgotten.link}</a>
        </p>
        <p>
          <a href={pathTo('home', language)}>{words.toSite}</a>
        </p>
      </>
    )
  }
}
