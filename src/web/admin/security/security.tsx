import type { NewTotp, OwnFactors, RecoveryCodes } from '#platform/auth/second-factor/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { formatDay, formatRelativeTime, toLocalDay } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { securityPath } from '../shared/security-paths.ts'
import { findSingleSignOn, IdentitySection, registerIdentityRoutes, type SingleSignOn } from './identities.tsx'
import { PasskeySection, registerPasskeyRoutes } from './passkeys.tsx'
import {
  buildProofPage,
  findFactors,
  hasFactor,
  noErrors,
  type ProofErrors,
  readProof,
  toProofErrors
} from './proof.tsx'
import { buildRecoveryCodesPage } from './recovery-codes.tsx'
import { registerSignInPolicyRoutes } from './sign-in-policy.tsx'

const everybody: AdminRole[] = ['editor', 'treasurer', 'viewer']

/** Second factors of the signed-in user. */
export function registerSecurityRoutes(pages: AdminRouter): void {
  registerPasskeyRoutes(pages)
  registerSignInPolicyRoutes(pages)
  registerIdentityRoutes(pages)

  pages.get(securityPath, everybody, async context => await showSecurity(context))

  pages.get(`${securityPath}/totp`, everybody, async context => buildStartPage(context, await findFactors(context)))

  pages.post(`${securityPath}/totp`, everybody, async context => {
    try {
      const { body } = await context.api.post<NewTotp>('/users/me/totp', readProof(context))
      return buildScanPage(context, body.uri)
    } catch (error) {
      return buildStartPage(context, await findFactors(context), toProofErrors(error, context.language))
    }
  })

  pages.post(`${securityPath}/totp/confirm`, everybody, async context => {
    try {
      const { body } = await context.api.post<RecoveryCodes>('/users/me/totp/confirm', {
        code: getFormField(context, 'code')
      })
      if (body.recoveryCodes.length > 0) return buildRecoveryCodesPage(context, body.recoveryCodes)
      context.flash({ text: getMessages('second-factor', context.language).app.done })
      return redirect(securityPath, 303)
    } catch (error) {
      const refused = toProofErrors(error, context.language)
      const uri = getFormField(context, 'uri')
      if (refused.fields.code !== undefined && isTotpUri(uri)) return buildScanPage(context, uri, refused)
      return await showSecurity(context, refused)
    }
  })

  pages.get(`${securityPath}/totp/remove`, everybody, async context =>
    buildRemovalPage(context, await findFactors(context))
  )

  pages.post(`${securityPath}/totp/remove`, everybody, async context => {
    try {
      await context.api.post('/users/me/totp/remove', readProof(context))
      context.flash({ text: getMessages('second-factor', context.language).app.removed })
      return redirect(securityPath, 303)
    } catch (error) {
      return buildRemovalPage(context, await findFactors(context), toProofErrors(error, context.language))
    }
  })

  pages.get(`${securityPath}/recovery-codes`, everybody, async context =>
    buildRenewalPage(context, await findFactors(context))
  )

  pages.post(`${securityPath}/recovery-codes`, everybody, async context => {
    try {
      const { body } = await context.api.post<RecoveryCodes>('/users/me/recovery-codes', readProof(context))
      return buildRecoveryCodesPage(context, body.recoveryCodes)
    } catch (error) {
      return buildRenewalPage(context, await findFactors(context), toProofErrors(error, context.language))
    }
  })
}

/** The form carries the TOTP URI along, so that a mistyped code does not require a new secret. */
const isTotpUri = (text: string) => /^otpauth:\/\/totp\/[\x21-\x7e]{1,1000}$/.test(text)

async function showSecurity(context: AdminContext, refused: ProofErrors = noErrors): Promise<AdminPage> {
  const [factors, singleSignOn] = await Promise.all([findFactors(context), findSingleSignOn(context)])
  return buildSecurityPage(context, { factors, singleSignOn }, refused)
}

function buildSecurityPage(
  context: AdminContext,
  { factors, singleSignOn }: { factors: OwnFactors; singleSignOn: SingleSignOn },
  refused: ProofErrors
): AdminPage {
  const { language, now } = context
  const strings = getMessages('second-factor', language)
  const { totp, recoveryCodesLeft } = factors
  const dayOf = (instant: string) => formatDay(language, toLocalDay(context.site.timezone, new Date(instant)))
  return {
    title: strings.title,
    status: refused.general === undefined ? 200 : 409,
    body: (
      <div class="narrow">
        <ErrorSummary title={strings.step.failed} errors={{}} general={refused.general} />
        <p class="lead">{strings.lead}</p>
        {factors.required && !hasFactor(factors) ? (
          <p class="notice bad" role="alert">
            {strings.policy.mustEnrol}
          </p>
        ) : null}
        <p class={hasFactor(factors) ? 'notice good' : 'notice warn'}>
          {hasFactor(factors) ? strings.protectedNow : strings.unprotected}
        </p>
        <section class="card" aria-labelledby="app">
          <h2 id="app">{strings.app.title}</h2>
          <p>{strings.app.text}</p>
          {totp === null ? (
            <a class="button" href={`${securityPath}/totp`}>
              {strings.app.setUp}
            </a>
          ) : (
            <>
              <p class="muted">
                {strings.app.since({ day: dayOf(totp.createdAt) })}{' '}
                {totp.lastUsedAt === null
                  ? null
                  : strings.app.lastUsed({ when: formatRelativeTime(language, totp.lastUsedAt, now) })}
              </p>
              <a class="button quiet small" href={`${securityPath}/totp/remove`}>
                {strings.app.remove}
              </a>
            </>
          )}
        </section>
        <PasskeySection context={context} factors={factors} />
        <section class="card" aria-labelledby="recovery-codes">
          <h2 id="recovery-codes">{strings.codes.title}</h2>
          {hasFactor(factors) ? (
            <>
              <p>{strings.codes.text}</p>
              <p class="muted">{strings.codes.left({ count: recoveryCodesLeft })}</p>
              <a class="button quiet small" href={`${securityPath}/recovery-codes`}>
                {strings.codes.renew}
              </a>
            </>
          ) : (
            <p class="muted">{strings.codes.none}</p>
          )}
        </section>
        <IdentitySection context={context} about={singleSignOn} />
      </div>
    )
  }
}

function buildStartPage(context: AdminContext, factors: OwnFactors, refused: ProofErrors = noErrors): AdminPage {
  const { scanTitle, text, setUp } = getMessages('second-factor', context.language).app
  return buildProofPage(context, factors, refused, {
    title: scanTitle,
    text,
    action: `${securityPath}/totp`,
    yes: setUp
  })
}

function buildRemovalPage(context: AdminContext, factors: OwnFactors, refused: ProofErrors = noErrors): AdminPage {
  const { removeTitle, removeText, remove } = getMessages('second-factor', context.language).app
  const about = { title: removeTitle, text: removeText, action: `${securityPath}/totp/remove`, yes: remove }
  return buildProofPage(context, factors, refused, { ...about, look: 'danger' })
}

function buildRenewalPage(context: AdminContext, factors: OwnFactors, refused: ProofErrors = noErrors): AdminPage {
  const { renewTitle, renewText, renew } = getMessages('second-factor', context.language).codes
  const about = { title: renewTitle, text: renewText, action: `${securityPath}/recovery-codes`, yes: renew }
  return buildProofPage(context, factors, refused, about)
}

function buildScanPage(context: AdminContext, uri: string, refused: ProofErrors = noErrors): AdminPage {
  const strings = getMessages('second-factor', context.language)
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const hasFailed = refused.fields.code !== undefined
  return {
    title: strings.app.scanTitle,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary
          title={getMessages('admin', context.language).mend}
          errors={refused.fields}
          general={refused.general}
        />
        <div class="card">
          <p>{strings.app.scan}</p>
          <QrCode text={uri} label={strings.app.picture} />
          <p>{strings.app.manual}</p>
          <p>
            <code class="totp-secret">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          </p>
        </div>
        <Form context={context} action={`${securityPath}/totp/confirm`} class="card">
          <input type="hidden" name="uri" value={uri} />
          <Field
            name="code"
            label={strings.app.code}
            hint={strings.app.codeHint}
            error={refused.fields.code}
            autocomplete="one-time-code"
            inputMode="numeric"
            maxLength={10}
            required
          />
          <div class="actions">
            <button type="submit">{strings.app.confirm}</button>
            <a class="button quiet" href={securityPath}>
              {strings.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}
