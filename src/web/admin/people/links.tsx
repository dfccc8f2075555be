import type { AccountLink } from '#platform/account-links/schema.ts'
import type { ResetWays } from '#platform/password-resets/schema.ts'
import { Refused } from '../../api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { accountsWords } from '../../text/accounts.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import type { Console, ConsolePage } from '../console.ts'
import { refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import type { NewSession } from './let-in.ts'

/** Pages behind links for people who have no password, or have forgotten it. */
export function linkPages(pages: Console): void {
  pages.open(
    '/admin/invitation',
    async visit => await linkPage(visit, 'invitation'),
    async (visit, door) => {
      try {
        const { body } = await visit.api.post<NewSession>('/invitations/accept', typedIn(visit))
        door.letIn(body)
        return redirect('/admin?welcome=yes', 303)
      } catch (error) {
        return await refusedLink(visit, 'invitation', error)
      }
    }
  )

  pages.open(
    '/admin/reset',
    async visit => await linkPage(visit, 'reset'),
    async visit => {
      try {
        await visit.api.post('/password-resets/use', typedIn(visit))
        return redirect('/admin/sign-in?reset=yes', 303)
      } catch (error) {
        return await refusedLink(visit, 'reset', error)
      }
    }
  )

  pages.open(
    '/admin/forgotten',
    async visit => {
      const { body } = await visit.api.get<ResetWays>('/password-resets')
      return forgottenPage(visit, body.byMail)
    },
    async visit => {
      try {
        const { body } = await visit.api.post<ResetWays>('/password-resets', { email: field(visit, 'email') })
        return forgottenPage(visit, body.byMail, { isSent: true })
      } catch (error) {
        if (!(error instanceof Refused) || error.status >= 500) throw error
        const isBadEmail = error.status === 400
        const text = isBadEmail ? doorWords[visit.language].badEmail : error.message
        return forgottenPage(visit, true, { refused: { status: isBadEmail ? 422 : error.status, text } })
      }
    }
  )
}

type LinkKind = AccountLink['kind']

function typedIn(visit: Visit): { token: string; password: string } {
  const { password } = visit.form
  return { token: field(visit, 'token'), password: typeof password === 'string' ? password : '' }
}

async function refusedLink(visit: Visit, kind: LinkKind, error: unknown): Promise<ConsolePage | Redirect> {
  if (error instanceof Refused && error.code === 'link-ended') return endedPage(visit)
  return await linkPage(visit, kind, refusedForm(error))
}

/** Asks for a password. Whoever follows a link away from here does not tell the address, which has the token. */
async function linkPage(
  visit: Visit,
  kind: LinkKind,
  refused: ReturnType<typeof refusedForm> = { fields: {}, general: undefined }
): Promise<ConsolePage> {
  // Not `no-referrer`: with it browsers leave out the Origin that our forms are recognised by.
  visit.reply.header('referrer-policy', 'same-origin')
  const token = visit.request.method === 'POST' ? field(visit, 'token') : (visit.query.token ?? '')
  const link = await findLink(visit, token)
  if (link?.kind !== kind) return endedPage(visit)
  const { language, site } = visit
  const words = accountsWords[language]
  const own = kind === 'invitation' ? words.accept : words.reset
  const errors = spoken(refused.fields, { password: own.password })
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  return {
    title: own.title,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <>
        <p class="lead">
          {kind === 'invitation' ? words.accept.lead(link.name, site.name) : words.reset.lead(link.name)}
        </p>
        <ErrorSummary title={consoleWords[language].mend} errors={errors} general={refused.general} />
        <form method="post" action={`/admin/${kind === 'invitation' ? 'invitation' : 'reset'}`} class="card door-form">
          <input type="hidden" name="token" value={token} />
          {/* For password managers, so that they know whose it is. */}
          <Field name="username" label={words.accept.email} value={link.email} autocomplete="username" readOnly />
          <Field
            name="password"
            type="password"
            label={own.password}
            hint={words.passwordHint}
            error={errors.password}
            autocomplete="new-password"
            minLength={10}
            maxLength={200}
            required
          />
          <button type="submit" class="large">
            {own.action}
          </button>
        </form>
      </>
    )
  }
}

async function findLink(visit: Visit, token: string): Promise<AccountLink | undefined> {
  return await visit.api.post<AccountLink>('/account-links/check', { token }).then(
    ({ body }) => body,
    (error: unknown) => {
      if (error instanceof Refused && [400, 410].includes(error.status)) return undefined
      throw error
    }
  )
}

function endedPage({ language }: Visit): ConsolePage {
  const words = accountsWords[language].ended
  return {
    title: words.title,
    status: 410,
    body: (
      <>
        <p class="lead">{words.text}</p>
        <p>
          <a class="button quiet" href="/admin/sign-in">
            {words.toSignIn}
          </a>
        </p>
      </>
    )
  }
}

function forgottenPage(
  visit: Visit,
  byMail: boolean,
  { isSent = false, refused }: { isSent?: boolean; refused?: { status: number; text: string } } = {}
): ConsolePage {
  const { language } = visit
  const words = accountsWords[language].forgotten
  return {
    title: words.title,
    status: refused?.status,
    islands: ['console'],
    body: (
      <>
        {refused === undefined ? null : (
          <ErrorSummary title={doorWords[language].signIn.failed} errors={{}} general={refused.text} />
        )}
        {byMail && isSent ? (
          <p class="notice good" role="status">
            {words.sent}
          </p>
        ) : null}
        {byMail && !isSent ? (
          <>
            <p class="lead">{words.lead}</p>
            <form method="post" action="/admin/forgotten" class="card door-form">
              <Field
                name="email"
                label={words.email}
                type="email"
                autocomplete="username"
                value={field(visit, 'email')}
                maxLength={254}
                required
              />
              <button type="submit" class="large">
                {words.action}
              </button>
            </form>
          </>
        ) : null}
        {byMail ? null : <p class="lead">{words.byAdmin}</p>}
        {byMail ? null : (
          <>
            <p>{words.soleAdmin}</p>
            <pre>
              <code>./kalends user reset E-MAIL</code>
            </pre>
          </>
        )}
        <p>
          <a href="/admin/sign-in">{words.back}</a>
        </p>
      </>
    )
  }
}
