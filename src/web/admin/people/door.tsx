import { Refused } from '../../api.ts'
import { setCookie } from '../../cookies.ts'
import { redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { doorWords } from '../../text/door.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import { type Console, type ConsolePage, sessionCookie } from '../console.ts'
import { letIn, type NewSession } from './let-in.ts'
import { setupPages } from './setup.tsx'

/** The ways in and out. */
export function doorPages(pages: Console): void {
  setupPages(pages)

  pages.open(
    '/admin/sign-in',
    async visit => {
      const { body } = await visit.api.get<{ needed: boolean }>('/setup')
      return body.needed ? redirect('/admin/setup', 303) : signInPage(visit)
    },
    async (visit, door) => {
      const password = typeof visit.form.password === 'string' ? visit.form.password : ''
      try {
        const { body } = await visit.api.post<NewSession>('/sessions', { email: field(visit, 'email'), password })
        letIn(door, body.token)
        return redirect(ownPath(field(visit, 'next')), 303)
      } catch (error) {
        return signInPage(visit, refusalOf(error, visit))
      }
    }
  )

  pages.take('/admin/sign-out', ['editor', 'treasurer', 'viewer'], async desk => {
    await desk.api.delete('/sessions/current')
    setCookie(desk.request, desk.reply, sessionCookie, '')
    return redirect('/admin/sign-in?out=yes', 303)
  })
}

/** Where to go after signing in: a page of the console, or the first one. Nobody is led elsewhere by a link from outside. */
function ownPath(next: string): string {
  // Dots would lead out of the console again.
  const isOwn = /^\/admin(?:[/?][\x21-\x7e]*)?$/.test(next) && !/\\|\/(?:\.|%2e)/i.test(next)
  return isOwn && !/^\/admin\/(?:sign-|setup)/.test(next) ? next : '/admin'
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
  if (![400, 401, 422].includes(error.status)) throw error
  return { status: 422, text: words.wrong }
}

function signInPage(visit: Visit, refused?: Refusal): ConsolePage {
  const { query, language } = visit
  const words = doorWords[language].signIn
  const next = refused === undefined ? (query.next ?? '') : field(visit, 'next')
  return {
    title: words.title,
    status: refused?.status,
    islands: ['console'],
    body: (
      <>
        {query.out === undefined || refused !== undefined ? null : (
          <p class="notice good" role="status">
            {words.signedOut}
          </p>
        )}
        {refused === undefined ? null : <ErrorSummary title={words.failed} errors={{}} general={refused.text} />}
        <form method="post" action="/admin/sign-in" class="card door-form">
          <input type="hidden" name="next" value={next} />
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
        <details class="door-help">
          <summary>{words.forgotten}</summary>
          <p>{words.forgottenHelp}</p>
          <pre>
            <code>./kalends user password ID</code>
          </pre>
        </details>
        <p>
          <a href={pathTo('home', language)}>{words.toSite}</a>
        </p>
      </>
    )
  }
}
