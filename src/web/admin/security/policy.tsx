import type { Factors } from '#platform/factors/schema.ts'
import type { SignInPolicy } from '#platform/sign-in-policy/schema.ts'
import type { User } from '#platform/users/schema.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { Check, ErrorSummary } from '../../ui/field.tsx'
import { fieldValues } from '../../visit.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { questionPage } from '../question.tsx'
import { securityPath } from './path.ts'

const menu = '/admin/users'
const path = '/admin/users/sign-in-policy'
/** Those that move money come first. */
const roles = ['admin', 'treasurer', 'editor', 'viewer'] as const

/** What admins decide about second factors of others. */
export function policyPages(pages: Console): void {
  pages.show(path, [], async desk => {
    const { body } = await desk.api.get<SignInPolicy>('/sign-in-policy')
    return policyPage(desk, body.requireSecondFactor)
  })

  pages.take(path, [], async desk => {
    const chosen = fieldValues(desk, 'roles')
    try {
      await desk.api.put('/sign-in-policy', { requireSecondFactor: chosen })
      desk.say({ text: consoleWords[desk.language].saved })
      return redirect(menu, 303)
    } catch (error) {
      const refused = refusedForm(error)
      return policyPage(desk, chosen, refused.general ?? Object.values(refused.fields)[0])
    }
  })

  pages.show('/admin/users/:id/factors', [], async desk => removalPage(desk, await findUser(desk)))

  pages.take('/admin/users/:id/factors', [], async desk => {
    const user = await findUser(desk)
    await desk.api.delete(`/users/${user.id}/factors`)
    desk.say({ text: secondFactorWords[desk.language].policy.removed(user.name) })
    return redirect(`/admin/users/${user.id}`, 303)
  })
}

async function findUser(desk: Desk): Promise<User> {
  return (await desk.api.get<User>(`/users/${encodeURIComponent(desk.params.id ?? '')}`)).body
}

function policyPage(desk: Desk, chosen: readonly string[], refused?: string): ConsolePage {
  const words = secondFactorWords[desk.language].policy
  return {
    title: words.title,
    menu,
    status: refused === undefined ? 200 : 409,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={{}} general={refused} />
        {refused === undefined ? null : (
          <p>
            <a href={securityPath}>{words.own}</a>
          </p>
        )}
        <p class="lead">{words.text}</p>
        <Form desk={desk} action={path} class="card">
          <fieldset class="field choices">
            <legend>{words.roles}</legend>
            {roles.map(role => (
              <Check
                key={role}
                name="roles[]"
                value={role}
                label={consoleWords[desk.language].roles[role]}
                checked={chosen.includes(role)}
              />
            ))}
          </fieldset>
          <div class="actions">
            <button type="submit">{consoleWords[desk.language].save}</button>
            <a class="button quiet" href={menu}>
              {consoleWords[desk.language].cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

async function removalPage(desk: Desk, user: User): Promise<ConsolePage> {
  const words = secondFactorWords[desk.language].policy
  const { body } = await desk.api.get<Factors>(`/users/${user.id}/factors`)
  const has = body.totp !== null || body.passkeys.length > 0
  return questionPage(desk, {
    title: words.removeTitle(user.name),
    text: has ? words.removeText : words.hasNone(user.name),
    menu,
    action: `/admin/users/${user.id}/factors`,
    yes: words.remove,
    no: { label: consoleWords[desk.language].cancel, href: `/admin/users/${user.id}` }
  })
}
