import type { OwnFactors } from '#platform/auth/second-factor/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { securityPath } from '../shared/security-paths.ts'

export type ProofErrors = ReturnType<typeof toFormErrors>
export const noErrors: ProofErrors = { fields: {}, general: undefined }

export const hasFactor = ({ totp, passkeys }: OwnFactors) => totp !== null || passkeys.length > 0

/** Fields for re-authentication, which the API calls a proof. */
export function ProofFields({
  context,
  factors,
  errors
}: {
  context: AdminContext
  factors: OwnFactors
  errors: ProofErrors['fields']
}) {
  const strings = getMessages('second-factor', context.language).proof
  return (
    <>
      {/* Lets password managers match the password to the account. */}
      <input type="text" name="username" value={context.user.email} autocomplete="username" readOnly hidden />
      <Field
        name="currentPassword"
        type="password"
        label={strings.password}
        hint={strings.passwordHint}
        error={errors.currentPassword}
        autocomplete="current-password"
        maxLength={200}
        required={!hasFactor(factors)}
      />
      {hasFactor(factors) ? (
        <Field name="code" label={strings.code} error={errors.code} autocomplete="one-time-code" maxLength={100} />
      ) : null}
    </>
  )
}

export function readProof(context: AdminContext): { currentPassword: string; code: string } {
  const { currentPassword } = context.form
  return {
    currentPassword: typeof currentPassword === 'string' ? currentPassword : '',
    code: getFormField(context, 'code')
  }
}

/** Turns API errors into user-facing messages. */
export function toProofErrors(error: unknown, language: Language): ProofErrors {
  const strings = getMessages('second-factor', language).proof
  if (error instanceof ApiError && error.status === 429) {
    return {
      fields: {},
      general: strings.wait({ minutes: Math.ceil(Number(error.headers['retry-after'] ?? 60) / 60) })
    }
  }
  const { fields, general } = toFormErrors(error)
  const isMissing = error instanceof ApiError && /"proof-missing"/.test(JSON.stringify(error.body))
  return {
    fields: {
      ...fields,
      ...(fields.currentPassword === undefined
        ? {}
        : { currentPassword: isMissing ? strings.missing : strings.wrongPassword }),
      ...(fields.code === undefined ? {} : { code: strings.wrongCode })
    },
    general
  }
}

export async function findFactors(context: AdminContext): Promise<OwnFactors> {
  return (await context.api.get<OwnFactors>('/users/me/factors')).body
}

/** Asks for re-authentication before the action. */
export function buildProofPage(
  context: AdminContext,
  factors: OwnFactors,
  refused: ProofErrors,
  about: { title: string; text: string; action: string; yes: string; look?: string }
): AdminPage {
  const strings = getMessages('second-factor', context.language)
  const hasFailed = refused.general !== undefined || Object.keys(refused.fields).length > 0
  return {
    title: about.title,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary
          title={getMessages('admin', context.language).mend}
          errors={refused.fields}
          general={refused.general}
        />
        <p class="lead">{about.text}</p>
        <Form context={context} action={about.action} class="card">
          <ProofFields context={context} factors={factors} errors={refused.fields} />
          <div class="actions">
            <button type="submit" class={about.look}>
              {about.yes}
            </button>
            <a class="button quiet" href={securityPath}>
              {strings.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}
