import { getMessages } from '#platform/messages/messages.ts'
import type { Site } from '#platform/site/schema.ts'
import { Checkbox, ErrorSummary, Field } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { setupRestorePath } from '../backups/backup-paths.ts'
import { registerSetupRestoreRoutes } from '../backups/setup-restore.tsx'
import {
  AccountFields,
  getSiteLabels,
  LanguageFields,
  newFieldReader,
  parseSite,
  ZoneField
} from '../settings/site-fields.tsx'
import type { AdminPage, AdminRouter, SignInContext } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { toFormErrors } from '../shared/form.tsx'
import type { NewSession } from '../shared/new-session.ts'

/** First run: sets up the organisation and the first admin. */
export function registerSetupRoutes(pages: AdminRouter): void {
  registerSetupRestoreRoutes(pages)
  pages.public(
    '/admin/setup',
    async context => {
      const { body } = await context.api.get<{ needed: boolean }>('/setup')
      if (!body.needed) return redirect('/admin/sign-in', 303)
      return (context.query.token ?? '') === '' ? buildLockedPage(context) : await buildSetupPage(context)
    },
    finishSetup
  )
}

async function finishSetup(context: PageContext, signIn: SignInContext): Promise<AdminPage | Redirect> {
  const token = getFormField(context, 'token')
  try {
    const input = {
      site: {
        ...parseSite(context, 'site/'),
        tagline: { en: getFormField(context, 'site/tagline/en'), de: getFormField(context, 'site/tagline/de') }
      },
      user: {
        name: getFormField(context, 'user/name'),
        email: getFormField(context, 'user/email'),
        password: typeof context.form['user/password'] === 'string' ? context.form['user/password'] : '',
        language: context.language
      }
    }
    const { body } = await context.api.post<NewSession>('/setup', input, { authorization: `Bearer ${token}` })
    signIn.startSession(body)
    if (getFormField(context, 'sample') !== '') {
      await context.api.post('/sample-content', undefined, { authorization: `Bearer ${body.token}` })
    }
    return redirect('/admin?welcome=yes', 303)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'already-set-up') return redirect('/admin/sign-in', 303)
    if (error instanceof ApiError && [401, 403].includes(error.status)) {
      // The setup token expires with the first account, so it may have been valid a moment ago.
      const { body } = await context.api.get<{ needed: boolean }>('/setup')
      return body.needed ? buildLockedPage(context, token !== '') : redirect('/admin/sign-in', 303)
    }
    return await buildSetupPage(context, toFormErrors(error))
  }
}

function buildLockedPage({ language }: PageContext, hadToken = false): AdminPage {
  const strings = getMessages('sign-in', language).setup
  return {
    title: strings.locked,
    status: hadToken ? 403 : 200,
    body: (
      <div class="card">
        {hadToken ? <p class="notice bad">{strings.badToken}</p> : null}
        <p>{strings.lockedText}</p>
        <pre>
          <code>/admin/setup?token=…</code>
        </pre>
        <p>{strings.lockedCommand}</p>
        <pre>
          <code>./kalends user create --name Anna --email anna@example.org --role admin</code>
        </pre>
        <p>
          <a class="button quiet" href="/admin/setup">
            {strings.retry}
          </a>
        </p>
      </div>
    )
  }
}

async function buildSetupPage(
  context: PageContext,
  refused: ReturnType<typeof toFormErrors> = { fields: {}, general: undefined }
): Promise<AdminPage> {
  const { language, query, api } = context
  const strings = getMessages('sign-in', language).setup
  const ofSite = getMessages('settings', language)
  const { body: site } = await api.get<Site>('/site')
  const isSent = context.request.method === 'POST'
  const token = isSent ? getFormField(context, 'token') : (query.token ?? '')
  const labels = {
    ...getSiteLabels(language, 'site/'),
    'user/name': strings.name,
    'user/email': getMessages('sign-in', language).signIn.email,
    'user/password': strings.password
  }
  const errors = toLabelledErrors(refused.fields, labels, {
    ...(refused.fields['user/email'] === undefined ? {} : { 'user/email': getMessages('sign-in', language).badEmail }),
    ...(refused.fields['site/languages'] === undefined ? {} : { 'site/languages': ofSite.languageMissing })
  })
  const shown = newFieldReader(context)
  const about = { context, site, errors, at: 'site/' } as const
  const hasFailed = Object.keys(errors).length > 0 || refused.general !== undefined
  return {
    title: strings.title,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <>
        <p class="lead">{strings.lead}</p>
        <p>
          <a href={withQuery(setupRestorePath, { token })}>{getMessages('backup', language).setupLink}</a>
        </p>
        <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={refused.general} />
        <form method="post" action="/admin/setup" class="setup">
          <input type="hidden" name="token" value={token} />
          <fieldset class="card">
            <legend>{strings.organisation}</legend>
            <Field
              name="site/name"
              label={ofSite.name}
              value={shown('site/name', site.version === 1 ? '' : site.name)}
              error={errors['site/name']}
              autocomplete="organization"
              maxLength={100}
              required
            />
            {(['en', 'de'] as const).map(one => (
              <Field
                key={one}
                name={`site/tagline/${one}`}
                label={one === 'en' ? ofSite.taglineEn : ofSite.taglineDe}
                value={shown(`site/tagline/${one}`, site.tagline[one])}
                error={errors[`site/tagline/${one}`]}
                maxLength={200}
                {...(one === 'de' ? { hint: ofSite.taglineHint } : {})}
              />
            ))}
          </fieldset>
          <fieldset class="card">
            <legend>{strings.places}</legend>
            <LanguageFields
              {...about}
              site={
                site.version === 1 && !site.fixed.includes('defaultLanguage')
                  ? { ...site, defaultLanguage: language }
                  : site
              }
            />
            <ZoneField {...about} {...(language === 'de' ? { suggested: 'Europe/Berlin' } : {})} />
          </fieldset>
          <fieldset class="card">
            <legend>{strings.you}</legend>
            <p class="hint">{strings.youHint}</p>
            <Field
              name="user/name"
              label={strings.name}
              value={shown('user/name', '')}
              error={errors['user/name']}
              autocomplete="name"
              maxLength={100}
              required
            />
            <Field
              name="user/email"
              type="email"
              label={labels['user/email']}
              value={shown('user/email', '')}
              error={errors['user/email']}
              autocomplete="username"
              maxLength={254}
              required
            />
            <Field
              name="user/password"
              type="password"
              label={strings.password}
              hint={strings.passwordHint}
              error={errors['user/password']}
              autocomplete="new-password"
              minLength={10}
              maxLength={200}
              required
            />
          </fieldset>
          <fieldset class="card">
            <legend>{strings.bank}</legend>
            <p class="hint">{strings.bankHint}</p>
            <AccountFields {...about} />
          </fieldset>
          <Checkbox
            name="sample"
            label={strings.sample}
            hint={strings.sampleHint}
            checked={isSent ? getFormField(context, 'sample') !== '' : true}
          />
          <button type="submit" class="large">
            {strings.action}
          </button>
        </form>
      </>
    )
  }
}
