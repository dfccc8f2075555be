import type { SignInPolicy } from '#platform/auth/second-factor/policy-schema.ts'
import type { Factors } from '#platform/auth/second-factor/schema.ts'
import type { User } from '#platform/auth/users/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, ErrorSummary } from '../../components/field.tsx'
import { redirect } from '../../page/page.ts'
import { getFormFieldValues } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { securityPath } from '../shared/security-paths.ts'

const menu = '/admin/users'
const path = '/admin/users/sign-in-policy'
/** Roles with access to money come first. */
const roles = ['admin', 'treasurer', 'editor', 'viewer'] as const

/** Admin settings for second factors of other users. */
export function registerSignInPolicyRoutes(pages: AdminRouter): void {
  pages.get(path, [], async context => {
    const { body } = await context.api.get<SignInPolicy>('/sign-in-policy')
    return buildPage(context, body.requireSecondFactor)
  })

  pages.post(path, [], async context => {
    const chosen = getFormFieldValues(context, 'roles')
    try {
      await context.api.put('/sign-in-policy', { requireSecondFactor: chosen })
      context.flash({ text: getMessages('admin', context.language).saved })
      return redirect(menu, 303)
    } catch (error) {
      const refused = toFormErrors(error)
      return buildPage(context, chosen, refused.general ?? Object.values(refused.fields)[0])
    }
  })

  pages.get('/admin/users/:id/factors', [], async context => buildRemovalPage(context, await findUser(context)))

  pages.post('/admin/users/:id/factors', [], async context => {
    const user = await findUser(context)
    await context.api.delete(`/users/${user.id}/factors`)
    context.flash({ text: getMessages('second-factor', context.language).policy.removed({ name: user.name }) })
    return redirect(`/admin/users/${user.id}`, 303)
  })
}

async function findUser(context: AdminContext): Promise<User> {
  return (await context.api.get<User>(`/users/${encodeURIComponent(context.params.id ?? '')}`)).body
}

function buildPage(context: AdminContext, chosen: readonly string[], refused?: string): AdminPage {
  const strings = getMessages('second-factor', context.language).policy
  return {
    title: strings.title,
    menu,
    status: refused === undefined ? 200 : 409,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', context.language).mend} errors={{}} general={refused} />
        {refused === undefined ? null : (
          <p>
            <a href={securityPath}>{strings.own}</a>
          </p>
        )}
        <p class="lead">{strings.text}</p>
        <Form context={context} action={path} class="card">
          <fieldset class="field choices">
            <legend>{strings.roles}</legend>
            {roles.map(role => (
              <Checkbox
                key={role}
                name="roles[]"
                value={role}
                label={getMessages('admin', context.language).roles[role]}
                checked={chosen.includes(role)}
              />
            ))}
          </fieldset>
          <div class="actions">
            <button type="submit">{getMessages('admin', context.language).save}</button>
            <a class="button quiet" href={menu}>
              {getMessages('admin', context.language).cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

async function buildRemovalPage(context: AdminContext, user: User): Promise<AdminPage> {
  const strings = getMessages('second-factor', context.language).policy
  const { body } = await context.api.get<Factors>(`/users/${user.id}/factors`)
  const has = body.totp !== null || body.passkeys.length > 0
  return buildConfirmPage(context, {
    title: strings.removeTitle({ name: user.name }),
    text: has ? strings.removeText : strings.hasNone({ name: user.name }),
    menu,
    action: `/admin/users/${user.id}/factors`,
    yes: strings.remove,
    no: { label: getMessages('admin', context.language).cancel, href: `/admin/users/${user.id}` }
  })
}
