import { languages } from '#platform/language.ts'
import type { ListedSession } from '#platform/sessions/schema.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { SessionList } from './sessions.tsx'

const everybody: ConsoleRole[] = ['editor', 'treasurer', 'viewer']

/** What everybody can change of themselves. */
export function accountPages(pages: Console): void {
  pages.show('/admin/account', everybody, async desk => await accountPage(desk))

  pages.take('/admin/account', everybody, async desk => {
    try {
      const changes = { name: field(desk, 'name'), language: field(desk, 'language') }
      await desk.api.patch('/users/me', changes)
      const spokenIn = changes.language === 'de' ? 'de' : 'en'
      desk.say({ text: consoleWords[spokenIn].saved })
      return redirect('/admin/account', 303)
    } catch (error) {
      return await accountPage(desk, refusedForm(error))
    }
  })

  pages.take('/admin/account/password', everybody, async desk => {
    const { currentPassword = '', newPassword = '' } = desk.form
    try {
      await desk.api.put('/users/me/password', {
        currentPassword: String(currentPassword),
        newPassword: String(newPassword)
      })
      desk.say({ text: doorWords[desk.language].account.changed })
      return redirect('/admin/account', 303)
    } catch (error) {
      return await accountPage(desk, refusedForm(error))
    }
  })
}

async function accountPage(
  desk: Desk,
  refused: ReturnType<typeof refusedForm> = { fields: {}, general: undefined }
): Promise<ConsolePage> {
  const { user, language } = desk
  const { body: sessions } = await desk.api.get<ListedSession[]>('/sessions')
  const words = doorWords[language].account
  const general = consoleWords[language]
  const isSent = desk.request.method === 'POST' && desk.path === '/admin/account'
  const labels = { name: words.name, currentPassword: words.current, newPassword: words.next }
  const errors = spoken(
    refused.fields,
    labels,
    refused.fields.currentPassword === undefined ? {} : { currentPassword: words.wrongCurrent }
  )
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  const chosen = isSent ? field(desk, 'language') : user.language
  return {
    title: words.title,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <section class="card" aria-labelledby="about-you">
          <h2 id="about-you">{words.about}</h2>
          <Form desk={desk} action="/admin/account">
            <div class="field-row">
              <Field
                name="name"
                label={words.name}
                value={isSent ? field(desk, 'name') : user.name}
                error={errors.name}
                autocomplete="name"
                maxLength={100}
                required
              />
              <Field name="language" label={words.language} error={errors.language}>
                {tied => (
                  <select {...tied}>
                    {languages.map(one => (
                      <option key={one} value={one} selected={one === chosen}>
                        {general.languages[one]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </div>
            <dl class="facts">
              <div>
                <dt>{words.email}</dt>
                <dd>{user.email}</dd>
              </div>
              <div>
                <dt>{words.role}</dt>
                <dd>{general.roles[user.role]}</dd>
              </div>
            </dl>
            {user.role === 'admin' ? null : <p class="hint">{words.byAdmin}</p>}
            <button type="submit">{general.save}</button>
          </Form>
        </section>
        <section class="card" aria-labelledby="security">
          <h2 id="security">{secondFactorWords[language].title}</h2>
          <p>{secondFactorWords[language].lead}</p>
          <a class="button quiet" href="/admin/account/security">
            {secondFactorWords[language].open}
          </a>
        </section>
        <section class="card" aria-labelledby="password">
          <h2 id="password">{words.password}</h2>
          <Form desk={desk} action="/admin/account/password">
            {/* For password managers, so that they know whose it is. */}
            <input type="text" name="username" value={user.email} autocomplete="username" readOnly hidden />
            <Field
              name="currentPassword"
              type="password"
              label={words.current}
              error={errors.currentPassword}
              autocomplete="current-password"
              maxLength={200}
              required
            />
            <Field
              name="newPassword"
              type="password"
              label={words.next}
              hint={words.nextHint}
              error={errors.newPassword}
              autocomplete="new-password"
              minLength={10}
              maxLength={200}
              required
            />
            <button type="submit">{words.change}</button>
          </Form>
        </section>
        <SessionList desk={desk} sessions={sessions} />
      </div>
    )
  }
}
