import type { OwnFactors } from '#platform/factors/schema.ts'
import type { Language } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import { consoleWords } from '../../text/console.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { securityPath } from './path.ts'

export type Refusal = ReturnType<typeof refusedForm>
export const noRefusal: Refusal = { fields: {}, general: undefined }

export const hasFactor = ({ totp, passkeys }: OwnFactors) => totp !== null || passkeys.length > 0

/** What shows that it is really the owner of the account: what the API calls a proof. */
export function ProofFields({ desk, factors, errors }: { desk: Desk; factors: OwnFactors; errors: Refusal['fields'] }) {
  const words = secondFactorWords[desk.language].proof
  return (
    <>
      {/* For password managers, so that they know whose it is. */}
      <input type="text" name="username" value={desk.user.email} autocomplete="username" readOnly hidden />
      <Field
        name="currentPassword"
        type="password"
        label={words.password}
        hint={words.passwordHint}
        error={errors.currentPassword}
        autocomplete="current-password"
        maxLength={200}
        required={!hasFactor(factors)}
      />
      {hasFactor(factors) ? (
        <Field name="code" label={words.code} error={errors.code} autocomplete="one-time-code" maxLength={100} />
      ) : null}
    </>
  )
}

export function readProof(desk: Desk): { currentPassword: string; code: string } {
  const { currentPassword } = desk.form
  return { currentPassword: typeof currentPassword === 'string' ? currentPassword : '', code: field(desk, 'code') }
}

/** What the API refused, in words for people. */
export function refusedProof(error: unknown, language: Language): Refusal {
  const words = secondFactorWords[language].proof
  if (error instanceof Refused && error.status === 429) {
    return { fields: {}, general: words.wait(Number(error.headers['retry-after'] ?? 60)) }
  }
  const { fields, general } = refusedForm(error)
  const isMissing = error instanceof Refused && /"proof-missing"/.test(JSON.stringify(error.body))
  return {
    fields: {
      ...fields,
      ...(fields.currentPassword === undefined
        ? {}
        : { currentPassword: isMissing ? words.missing : words.wrongPassword }),
      ...(fields.code === undefined ? {} : { code: words.wrongCode })
    },
    general
  }
}

export async function findFactors(desk: Desk): Promise<OwnFactors> {
  return (await desk.api.get<OwnFactors>('/users/me/factors')).body
}

/** Asks for a proof before it goes on. */
export function proofPage(
  desk: Desk,
  factors: OwnFactors,
  refused: Refusal,
  about: { title: string; text: string; action: string; yes: string; look?: string }
): ConsolePage {
  const words = secondFactorWords[desk.language]
  const hasFailed = refused.general !== undefined || Object.keys(refused.fields).length > 0
  return {
    title: about.title,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={refused.fields} general={refused.general} />
        <p class="lead">{about.text}</p>
        <Form desk={desk} action={about.action} class="card">
          <ProofFields desk={desk} factors={factors} errors={refused.fields} />
          <div class="actions">
            <button type="submit" class={about.look}>
              {about.yes}
            </button>
            <a class="button quiet" href={securityPath}>
              {words.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}
