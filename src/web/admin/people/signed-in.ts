import { type Redirect, redirect } from '../../page.ts'
import { field, type Visit } from '../../visit.ts'
import { resumePage } from '../between.tsx'
import { parseCarriedForm } from '../carried.ts'
import { type ConsolePage, type Door, formTokenOf } from '../console.ts'
import type { NewSession } from './let-in.ts'
import { ownPath } from './own-path.ts'

/** The end of every way to sign in: goes on with the form that was sent after a session had ended, or to where somebody wanted to go. */
export function goOnSignedIn(visit: Visit, door: Door, session: NewSession): ConsolePage | Redirect {
  door.letIn(session)
  const carried = parseCarriedForm(visit.form._carried)
  if (carried === undefined) return redirect(ownPath(field(visit, 'next')), 303)
  return resumePage(visit.language, carried, formTokenOf(session.token), { why: 'signedIn', status: 200 })
}
