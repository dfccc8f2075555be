import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { type AdminPage, createFormToken, type SignInContext } from '../shared/context.ts'
import type { NewSession } from '../shared/new-session.ts'
import { parsePendingForm } from '../shared/pending-form.ts'
import { buildResumePage } from '../shared/reauthentication.tsx'
import { toReturnPath } from './return-path.ts'

/**
 * Last step of every sign-in method: resumes the form that was sent after the session had expired, or redirects
 * to the requested page.
 */
export function finishSignIn(context: PageContext, signIn: SignInContext, session: NewSession): AdminPage | Redirect {
  signIn.startSession(session)
  const pendingForm = parsePendingForm(context.form._pendingForm)
  if (pendingForm === undefined) return redirect(toReturnPath(getFormField(context, 'next')), 303)
  return buildResumePage(context.language, pendingForm, createFormToken(session.token), {
    why: 'signedIn',
    status: 200
  })
}
