import type { ListedSession } from '#platform/auth/sessions/schema.ts'
import { formatLanguageName, isLanguage, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { SessionList } from './sessions.tsx'

const everybody: AdminRole[] = ['editor', 'treasurer', 'viewer']

/** Settings that users can change for their own account. */
export function registerAccountRoutes(pages: AdminRouter): void {
  pages.get('/admin/account', everybody, async context => await buildPage(context))

  pages.post('/admin/account', everybody, async context => {
    try {
      const changes = { name: getFormField(context, 'name'), language: getFormField(context, 'language') }
      await context.api.patch('/users/me', changes)
      const spokenIn = isLanguage(changes.language) ? changes.language : context.language
      context.flash({ text: getMessages('admin', spokenIn).saved })
      return redirect('/admin/account', 303)
    } catch (error) {
      return await buildPage(context, toFormErrors(error))
    }
  })

  pages.post('/admin/account/password', everybody, async context => {
    const { currentPassword = '', newPassword = '' } = context.form
    try {
      await context.api.put('/users/me/password', {
        currentPassword: String(currentPassword),
        newPassword: String(newPassword)
      })
      context.flash({ text: getMessages('sign-in', context.language).account.changed })
      return redirect('/admin/account', 303)
    } catch (error) {
      return await buildPage(context, toFormErrors(error))
    }
  })
}

async function buildPage(
  context: AdminContext,
  refused: ReturnType<typeof toFormErrors> = { fields: {}, general: undefined }
): Promise<AdminPage> {
  const { user, language } = context
  const { body: sessions } = await context.api.get<ListedSession[]>('/sessions')
  const strings = getMessages('sign-in', language).account
  const general = getMessages('admin', language)
  const isSent = context.request.method === 'POST' && context.path === '/admin/account'
  const labels = { name: strings.name, currentPassword: strings.current, newPassword: strings.next }
  const errors = toLabelledErrors(
    refused.fields,
    labels,
    refused.fields.currentPassword === undefined ? {} : { currentPassword: strings.wrongCurrent }
  )
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  const chosen = isSent ? getFormField(context, 'language') : user.language
  return {
    title: strings.title,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <section class="card" aria-labelledby="about-you">
          <h2 id="about-you">{strings.about}</h2>
          <Form context={context} action="/admin/account">
            <div class="field-row">
              <Field
                name="name"
                label={strings.name}
                value={isSent ? getFormField(context, 'name') : user.name}
                error={errors.name}
                autocomplete="name"
                maxLength={100}
                required
              />
              <Field name="language" label={strings.language} error={errors.language}>
                {tied => (
                  <select {...tied}>
                    {languages.map(one => (
                      <option key={one} value={one} selected={one === chosen}>
                        {formatLanguageName(one, language)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </div>
            <dl class="facts">
              <div>
                <dt>{strings.email}</dt>
                <dd>{user.email}</dd>
              </div>
              <div>
                <dt>{strings.role}</dt>
                <dd>{general.roles[user.role]}</dd>
              </div>
            </dl>
            {user.role === 'admin' ? null : <p class="hint">{strings.byAdmin}</p>}
            <button type="submit">{general.save}</button>
          </Form>
        </section>
        <section class="card" aria-labelledby="security">
          <h2 id="security">{getMessages('second-factor', language).title}</h2>
          <p>{getMessages('second-factor', language).lead}</p>
          <a class="button quiet" href="/admin/account/security">
            {getMessages('second-factor', language).open}
          </a>
        </section>
        <section class="card" aria-labelledby="password">
          <h2 id="password">{strings.password}</h2>
          <Form context={context} action="/admin/account/password">
            {/* Lets password managers match the password to the account. */}
            <input type="text" name="username" value={user.email} autocomplete="username" readOnly hidden />
            <Field
              name="currentPassword"
              type="password"
              label={strings.current}
              error={errors.currentPassword}
              autocomplete="current-password"
              maxLength={200}
              required
            />
            <Field
              name="newPassword"
              type="password"
              label={strings.next}
              hint={strings.nextHint}
              error={errors.newPassword}
              autocomplete="new-password"
              minLength={10}
              maxLength={200}
              required
            />
            <button type="submit">{strings.change}</button>
          </Form>
        </section>
        <SessionList context={context} sessions={sessions} />
      </div>
    )
  }
}
