import type { NewTotp, OwnFactors, RecoveryCodes } from '#platform/factors/schema.ts'
import { ago, dayIn, plainDay } from '../../format.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { codesPage } from './codes.tsx'
import { findSingleSignOn, IdentitySection, identityPages, type SingleSignOn } from './identities.tsx'
import { PasskeySection, passkeyPages } from './passkeys.tsx'
import { securityPath } from './path.ts'
import { policyPages } from './policy.tsx'
import { findFactors, hasFactor, noRefusal, proofPage, type Refusal, readProof, refusedProof } from './proof.tsx'

const everybody: ConsoleRole[] = ['editor', 'treasurer', 'viewer']

/** One's own second factors. */
export function securityPages(pages: Console): void {
  passkeyPages(pages)
  policyPages(pages)
  identityPages(pages)

  pages.show(securityPath, everybody, async desk => await showSecurity(desk))

  pages.show(`${securityPath}/totp`, everybody, async desk => startPage(desk, await findFactors(desk)))

  pages.take(`${securityPath}/totp`, everybody, async desk => {
    try {
      const { body } = await desk.api.post<NewTotp>('/users/me/totp', readProof(desk))
      return scanPage(desk, body.uri)
    } catch (error) {
      return startPage(desk, await findFactors(desk), refusedProof(error, desk.language))
    }
  })

  pages.take(`${securityPath}/totp/confirm`, everybody, async desk => {
    try {
      const { body } = await desk.api.post<RecoveryCodes>('/users/me/totp/confirm', { code: field(desk, 'code') })
      if (body.recoveryCodes.length > 0) return codesPage(desk, body.recoveryCodes)
      desk.say({ text: secondFactorWords[desk.language].app.done })
      return redirect(securityPath, 303)
    } catch (error) {
      const refused = refusedProof(error, desk.language)
      const uri = field(desk, 'uri')
      if (refused.fields.code !== undefined && isTotpUri(uri)) return scanPage(desk, uri, refused)
      return await showSecurity(desk, refused)
    }
  })

  pages.show(`${securityPath}/totp/remove`, everybody, async desk => removalPage(desk, await findFactors(desk)))

  pages.take(`${securityPath}/totp/remove`, everybody, async desk => {
    try {
      await desk.api.post('/users/me/totp/remove', readProof(desk))
      desk.say({ text: secondFactorWords[desk.language].app.removed })
      return redirect(securityPath, 303)
    } catch (error) {
      return removalPage(desk, await findFactors(desk), refusedProof(error, desk.language))
    }
  })

  pages.show(`${securityPath}/recovery-codes`, everybody, async desk => renewalPage(desk, await findFactors(desk)))

  pages.take(`${securityPath}/recovery-codes`, everybody, async desk => {
    try {
      const { body } = await desk.api.post<RecoveryCodes>('/users/me/recovery-codes', readProof(desk))
      return codesPage(desk, body.recoveryCodes)
    } catch (error) {
      return renewalPage(desk, await findFactors(desk), refusedProof(error, desk.language))
    }
  })
}

/** The form carries the address of the app's secret along, so that a mistyped code does not cost a new secret. */
const isTotpUri = (text: string) => /^otpauth:\/\/totp\/[\x21-\x7e]{1,1000}$/.test(text)

async function showSecurity(desk: Desk, refused: Refusal = noRefusal): Promise<ConsolePage> {
  const [factors, singleSignOn] = await Promise.all([findFactors(desk), findSingleSignOn(desk)])
  return securityPage(desk, { factors, singleSignOn }, refused)
}

function securityPage(
  desk: Desk,
  { factors, singleSignOn }: { factors: OwnFactors; singleSignOn: SingleSignOn },
  refused: Refusal
): ConsolePage {
  const { language, now } = desk
  const words = secondFactorWords[language]
  const { totp, recoveryCodesLeft } = factors
  const dayOf = (instant: string) => plainDay(language, dayIn(desk.site.timezone, new Date(instant)))
  return {
    title: words.title,
    status: refused.general === undefined ? 200 : 409,
    body: (
      <div class="narrow">
        <ErrorSummary title={words.step.failed} errors={{}} general={refused.general} />
        <p class="lead">{words.lead}</p>
        {factors.required && !hasFactor(factors) ? (
          <p class="notice bad" role="alert">
            {words.policy.mustEnrol}
          </p>
        ) : null}
        <p class={hasFactor(factors) ? 'notice good' : 'notice warn'}>
          {hasFactor(factors) ? words.protectedNow : words.unprotected}
        </p>
        <section class="card" aria-labelledby="app">
          <h2 id="app">{words.app.title}</h2>
          <p>{words.app.text}</p>
          {totp === null ? (
            <a class="button" href={`${securityPath}/totp`}>
              {words.app.setUp}
            </a>
          ) : (
            <>
              <p class="faded">
                {words.app.since(dayOf(totp.createdAt))}{' '}
                {totp.lastUsedAt === null ? null : words.app.lastUsed(ago(language, totp.lastUsedAt, now))}
              </p>
              <a class="button quiet small" href={`${securityPath}/totp/remove`}>
                {words.app.remove}
              </a>
            </>
          )}
        </section>
        <PasskeySection desk={desk} factors={factors} />
        <section class="card" aria-labelledby="recovery-codes">
          <h2 id="recovery-codes">{words.codes.title}</h2>
          {hasFactor(factors) ? (
            <>
              <p>{words.codes.text}</p>
              <p class="faded">{words.codes.left(recoveryCodesLeft)}</p>
              <a class="button quiet small" href={`${securityPath}/recovery-codes`}>
                {words.codes.renew}
              </a>
            </>
          ) : (
            <p class="faded">{words.codes.none}</p>
          )}
        </section>
        <IdentitySection desk={desk} about={singleSignOn} />
      </div>
    )
  }
}

function startPage(desk: Desk, factors: OwnFactors, refused: Refusal = noRefusal): ConsolePage {
  const { scanTitle, text, setUp } = secondFactorWords[desk.language].app
  return proofPage(desk, factors, refused, { title: scanTitle, text, action: `${securityPath}/totp`, yes: setUp })
}

function removalPage(desk: Desk, factors: OwnFactors, refused: Refusal = noRefusal): ConsolePage {
  const { removeTitle, removeText, remove } = secondFactorWords[desk.language].app
  const about = { title: removeTitle, text: removeText, action: `${securityPath}/totp/remove`, yes: remove }
  return proofPage(desk, factors, refused, { ...about, look: 'danger' })
}

function renewalPage(desk: Desk, factors: OwnFactors, refused: Refusal = noRefusal): ConsolePage {
  const { renewTitle, renewText, renew } = secondFactorWords[desk.language].codes
  const about = { title: renewTitle, text: renewText, action: `${securityPath}/recovery-codes`, yes: renew }
  return proofPage(desk, factors, refused, about)
}

function scanPage(desk: Desk, uri: string, refused: Refusal = noRefusal): ConsolePage {
  const words = secondFactorWords[desk.language]
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const hasFailed = refused.fields.code !== undefined
  return {
    title: words.app.scanTitle,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={refused.fields} general={refused.general} />
        <div class="card">
          <p>{words.app.scan}</p>
          <QrCode text={uri} label={words.app.picture} />
          <p>{words.app.manual}</p>
          <p>
            <code class="totp-secret">{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
          </p>
        </div>
        <Form desk={desk} action={`${securityPath}/totp/confirm`} class="card">
          <input type="hidden" name="uri" value={uri} />
          <Field
            name="code"
            label={words.app.code}
            hint={words.app.codeHint}
            error={refused.fields.code}
            autocomplete="one-time-code"
            inputMode="numeric"
            maxLength={10}
            required
          />
          <div class="actions">
            <button type="submit">{words.app.confirm}</button>
            <a class="button quiet" href={securityPath}>
              {words.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}
