import { openIdReturnPath } from '#platform/config.ts'
import type { SignInMethods } from '#platform/factors/schema.ts'
import type { OpenIdRequest } from '#platform/openid/schema.ts'
import { Refused } from '../../api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { openIdWords } from '../../text/openid.ts'
import { ErrorSummary } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import type { Console, ConsolePage, Door } from '../console.ts'
import type { NewSession } from '../people/let-in.ts'
import { ownPath } from '../people/own-path.ts'
import { secondStep } from './second-step.tsx'

const path = '/admin/sign-in/openid'

/** Which sign-in this browser has begun, and where it goes afterwards. An answer to somebody else's sign-in has no cookie here. */
const cookie = 'kalends_openid'
const cookieSeconds = 900
/** Longer addresses would not fit into the cookie. */
const nextMax = 1000

/** Signing in at the OpenID provider: the way there, and the page that it leads back to. */
export function openIdSignInPages(pages: Console): void {
  pages.open(
    path,
    async () => redirect('/admin/sign-in', 303),
    async visit => {
      try {
        const { body } = await visit.api.post<OpenIdRequest>('/sessions/openid-requests')
        const next = ownPath(field(visit, 'next'))
        visit.cookies.set(cookie, `${body.attempt} ${next.length > nextMax ? '/admin' : next}`, cookieSeconds)
        return leavingPage(visit, await findProvider(visit), body.location)
      } catch (error) {
        return await refusedPage(visit, error)
      }
    }
  )

  pages.open(openIdReturnPath, finish, async () => redirect('/admin/sign-in', 303))
}

/** One button on the page that asks for the password. */
export function OpenIdButton({ visit, next, provider }: { visit: Visit; next: string; provider: string }) {
  return (
    <form method="post" action={path} class="door-passkey">
      <input type="hidden" name="next" value={next} />
      <button type="submit" class="quiet large">
        {openIdWords[visit.language].signIn(provider)}
      </button>
    </form>
  )
}

async function findProvider({ api }: Visit): Promise<string> {
  const { body } = await api.get<SignInMethods>('/sessions/methods')
  return body.openid?.name ?? ''
}

/**
 * Not a redirect: the policy of our pages lets forms lead to this site only (form-action), and browsers apply it to every redirect
 * of the provider as well. A page that goes on by itself is none of the form's business.
 */
function leavingPage(visit: Visit, provider: string, location: string): ConsolePage {
  const words = openIdWords[visit.language]
  visit.reply.header('refresh', `0;url=${location}`)
  return {
    title: words.leaving(provider),
    body: (
      <>
        <p class="lead">{words.leavingText(provider)}</p>
        <p>
          <a class="button large" href={location}>
            {words.go(provider)}
          </a>
        </p>
      </>
    )
  }
}

/** Whoever follows a link away from the answer does not tell its address, which has the code; others are led on at once. */
async function finish(visit: Visit, door: Door): Promise<ConsolePage | Redirect> {
  visit.reply.header('referrer-policy', 'same-origin')
  const [attempt = '', next = ''] = (visit.cookies.get(cookie) ?? '').split(' ')
  visit.cookies.remove(cookie)
  if (attempt === '') return failurePage(visit, { status: 422, text: openIdWords[visit.language].expired })
  const [, callback = ''] = /\?(.*)$/s.exec(visit.request.url) ?? []
  try {
    const { body } = await visit.api.post<NewSession>('/sessions/openid', { attempt, callback })
    door.letIn(body)
    return redirect(ownPath(next), 303)
  } catch (error) {
    return secondStep(visit, error, next) ?? (await refusedPage(visit, error, next))
  }
}

async function refusedPage(visit: Visit, error: unknown, next = field(visit, 'next')): Promise<ConsolePage> {
  const isAway = error instanceof Refused && error.code === 'openid-provider-away'
  if (!(error instanceof Refused) || (error.status >= 500 && !isAway)) throw error
  const words = openIdWords[visit.language]
  // What a program is told of fields helps nobody here.
  const text = error.status === 400 || error.code === 'sign-in-expired' ? words.expired : error.message
  const provider = await findProvider(visit)
  return failurePage(visit, { status: isAway ? 503 : error.status === 429 ? 429 : 422, text }, { next, provider })
}

function failurePage(
  visit: Visit,
  { status, text }: { status: number; text: string },
  again: { next: string; provider: string } = { next: '', provider: '' }
): ConsolePage {
  const words = openIdWords[visit.language]
  return {
    title: words.failedTitle,
    status,
    islands: ['console'],
    body: (
      <>
        <ErrorSummary title={words.failed} errors={{}} general={text} />
        {again.provider === '' ? null : (
          <OpenIdButton visit={visit} next={ownPath(again.next)} provider={again.provider} />
        )}
        <p>
          <a href="/admin/sign-in">{words.back}</a>
        </p>
      </>
    )
  }
}
