import type { Site } from '#platform/site/schema.ts'
import { Refused } from '../../api.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { doorWords } from '../../text/door.ts'
import { settingsWords } from '../../text/settings.ts'
import { Check, ErrorSummary, Field } from '../../ui/field.tsx'
import { field, type Visit } from '../../visit.ts'
import type { Console, ConsolePage, Door } from '../console.ts'
import { refusedForm } from '../form.tsx'
import { AccountFields, LanguageFields, shownIn, siteIn, siteLabels, ZoneField } from '../site/site-fields.tsx'
import { spoken } from '../spoken.ts'
import type { NewSession } from './let-in.ts'

/** The first run: who we are, and who is the first admin. */
export function setupPages(pages: Console): void {
  pages.open(
    '/admin/setup',
    async visit => {
      const { body } = await visit.api.get<{ needed: boolean }>('/setup')
      if (!body.needed) return redirect('/admin/sign-in', 303)
      return (visit.query.token ?? '') === '' ? lockedPage(visit) : await setupPage(visit)
    },
    takeSetup
  )
}

async function takeSetup(visit: Visit, door: Door): Promise<ConsolePage | Redirect> {
  const token = field(visit, 'token')
  try {
    const input = {
      site: {
        ...siteIn(visit, 'site/'),
        tagline: { en: field(visit, 'site/tagline/en'), de: field(visit, 'site/tagline/de') }
      },
      user: {
        name: field(visit, 'user/name'),
        email: field(visit, 'user/email'),
        password: typeof visit.form['user/password'] === 'string' ? visit.form['user/password'] : '',
        language: visit.language
      }
    }
    const { body } = await visit.api.post<NewSession>('/setup', input, { authorization: `Bearer ${token}` })
    door.letIn(body)
    if (field(visit, 'sample') !== '') {
      await visit.api.post('/sample-content', undefined, { authorization: `Bearer ${body.token}` })
    }
    return redirect('/admin?welcome=yes', 303)
  } catch (error) {
    if (error instanceof Refused && error.code === 'already-set-up') return redirect('/admin/sign-in', 303)
    if (error instanceof Refused && [401, 403].includes(error.status)) {
      // The token ends with the first account, so that it may have worked a moment ago.
      const { body } = await visit.api.get<{ needed: boolean }>('/setup')
      return body.needed ? lockedPage(visit, token !== '') : redirect('/admin/sign-in', 303)
    }
    return await setupPage(visit, refusedForm(error))
  }
}

function lockedPage({ language }: Visit, hadToken = false): ConsolePage {
  const words = doorWords[language].setup
  return {
    title: words.locked,
    status: hadToken ? 403 : 200,
    body: (
      <div class="card">
        {hadToken ? <p class="notice bad">{words.badToken}</p> : null}
        <p>{words.lockedText}</p>
        <pre>
          <code>/admin/setup?token=…</code>
        </pre>
        <p>{words.lockedCommand}</p>
        <pre>
          <code>./kalends user create --name Anna --email anna@example.org --role admin</code>
        </pre>
        <p>
          <a class="button quiet" href="/admin/setup">
            {words.retry}
          </a>
        </p>
      </div>
    )
  }
}

async function setupPage(
  visit: Visit,
  refused: ReturnType<typeof refusedForm> = { fields: {}, general: undefined }
): Promise<ConsolePage> {
  const { language, query, api } = visit
  const words = doorWords[language].setup
  const ofSite = settingsWords[language]
  const { body: site } = await api.get<Site>('/site')
  const isSent = visit.request.method === 'POST'
  const token = isSent ? field(visit, 'token') : (query.token ?? '')
  const labels = {
    ...siteLabels(language, 'site/'),
    'user/name': words.name,
    'user/email': doorWords[language].signIn.email,
    'user/password': words.password
  }
  const errors = spoken(refused.fields, labels, {
    ...(refused.fields['user/email'] === undefined ? {} : { 'user/email': doorWords[language].badEmail }),
    ...(refused.fields['site/languages'] === undefined ? {} : { 'site/languages': ofSite.languageMissing })
  })
  const shown = shownIn(visit)
  const about = { visit, site, errors, at: 'site/' } as const
  const hasFailed = Object.keys(errors).length > 0 || refused.general !== undefined
  return {
    title: words.title,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <>
        <p class="lead">{words.lead}</p>
        <ErrorSummary title={consoleWords[language].mend} errors={errors} general={refused.general} />
        <form method="post" action="/admin/setup" class="setup">
          <input type="hidden" name="token" value={token} />
          <fieldset class="card">
            <legend>{words.organisation}</legend>
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
                label={ofSite.taglineIn[one]}
                value={shown(`site/tagline/${one}`, site.tagline[one])}
                error={errors[`site/tagline/${one}`]}
                maxLength={200}
                {...(one === 'de' ? { hint: ofSite.taglineHint } : {})}
              />
            ))}
          </fieldset>
          <fieldset class="card">
            <legend>{words.places}</legend>
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
            <legend>{words.you}</legend>
            <p class="hint">{words.youHint}</p>
            <Field
              name="user/name"
              label={words.name}
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
              label={words.password}
              hint={words.passwordHint}
              error={errors['user/password']}
              autocomplete="new-password"
              minLength={10}
              maxLength={200}
              required
            />
          </fieldset>
          <fieldset class="card">
            <legend>{words.bank}</legend>
            <p class="hint">{words.bankHint}</p>
            <AccountFields {...about} />
          </fieldset>
          <Check
            name="sample"
            label={words.sample}
            hint={words.sampleHint}
            checked={isSent ? field(visit, 'sample') !== '' : true}
          />
          <button type="submit" class="large">
            {words.action}
          </button>
        </form>
      </>
    )
  }
}
