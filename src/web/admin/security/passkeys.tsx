import type { CreatedPasskey, CreationOptions, Passkey } from '#platform/auth/second-factor/passkey-schema.ts'
import type { OwnFactors } from '#platform/auth/second-factor/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatDay, formatRelativeTime, toLocalDay } from '../../format/format.ts'
import { redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { PasskeyForm, readCredential } from '../auth/passkey-form.tsx'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { securityPath } from '../shared/security-paths.ts'
import {
  buildProofPage,
  findFactors,
  noErrors,
  type ProofErrors,
  ProofFields,
  readProof,
  toProofErrors
} from './proof.tsx'
import { buildRecoveryCodesPage } from './recovery-codes.tsx'

const everybody: AdminRole[] = ['editor', 'treasurer', 'viewer']
const path = `${securityPath}/passkeys`

export function registerPasskeyRoutes(pages: AdminRouter): void {
  pages.get(`${path}/new`, everybody, async context => buildNamePage(context, await findFactors(context)))

  pages.post(`${path}/new`, everybody, async context => {
    try {
      const { body } = await context.api.post<CreationOptions>('/users/me/passkeys/options', readProof(context))
      return buildCreatePage(context, body, getFormField(context, 'name'))
    } catch (error) {
      return buildNamePage(context, await findFactors(context), toProofErrors(error, context.language))
    }
  })

  pages.post(path, everybody, async context => {
    const strings = getMessages('second-factor', context.language).passkeys
    try {
      const name = getFormField(context, 'name') || strings.defaultName
      const { body } = await context.api.post<CreatedPasskey>('/users/me/passkeys', {
        name,
        credential: readCredential(context)
      })
      if (body.recoveryCodes.length > 0) return buildRecoveryCodesPage(context, body.recoveryCodes)
      context.flash({ text: strings.added({ name }) })
      return redirect(securityPath, 303)
    } catch (error) {
      const refused = toFormErrors(error)
      const general = refused.general ?? strings.failed
      return buildNamePage(context, await findFactors(context), { fields: {}, general })
    }
  })

  pages.get(`${path}/:id`, everybody, async context => buildRenamePage(context, await findPasskey(context)))

  pages.post(`${path}/:id`, everybody, async context => {
    const passkey = await findPasskey(context)
    try {
      await context.api.patch(`/users/me/passkeys/${passkey.id}`, { name: getFormField(context, 'name') })
      context.flash({ text: getMessages('admin', context.language).saved })
      return redirect(securityPath, 303)
    } catch (error) {
      return buildRenamePage(context, passkey, toFormErrors(error))
    }
  })

  pages.get(`${path}/:id/remove`, everybody, async context =>
    buildRemovalPage(context, await findPasskey(context), await findFactors(context))
  )

  pages.post(`${path}/:id/remove`, everybody, async context => {
    const passkey = await findPasskey(context)
    try {
      await context.api.post(`/users/me/passkeys/${passkey.id}/remove`, readProof(context))
      context.flash({ text: getMessages('second-factor', context.language).passkeys.removed({ name: passkey.name }) })
      return redirect(securityPath, 303)
    } catch (error) {
      return buildRemovalPage(context, passkey, await findFactors(context), toProofErrors(error, context.language))
    }
  })
}

async function findPasskey(context: AdminContext): Promise<Passkey> {
  const { body } = await context.api.get<Passkey[]>('/users/me/passkeys')
  const passkey = body.find(({ id }) => String(id) === context.params.id)
  if (passkey === undefined) throw new ApiError(404, 'passkey-not-found')
  return passkey
}

/** Section that lists all passkeys. */
export function PasskeySection({ context, factors }: { context: AdminContext; factors: OwnFactors }) {
  const { language, now } = context
  const strings = getMessages('second-factor', language).passkeys
  const dayOf = (instant: string) => formatDay(language, toLocalDay(context.site.timezone, new Date(instant)))
  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">{strings.title}</h2>
      <p>{strings.text}</p>
      {factors.passkeys.length === 0 ? null : (
        <ul class="passkeys">
          {factors.passkeys.map(passkey => (
            <li key={passkey.id}>
              <p>
                <strong>{passkey.name}</strong>{' '}
                {passkey.cloneWarningAt === null ? null : <span class="badge bad">{strings.cloned}</span>}
                <br />
                <span class="muted">
                  {strings.since({ day: dayOf(passkey.createdAt) })}{' '}
                  {passkey.lastUsedAt === null
                    ? strings.unused
                    : strings.lastUsed({ when: formatRelativeTime(language, passkey.lastUsedAt, now) })}
                </span>
              </p>
              {passkey.cloneWarningAt === null ? null : <p class="notice bad">{strings.clonedText}</p>}
              <div class="actions">
                <a class="button small quiet" href={`${path}/${passkey.id}`}>
                  {strings.rename}
                  <span class="visually-hidden"> {passkey.name}</span>
                </a>
                <a class="button small quiet" href={`${path}/${passkey.id}/remove`}>
                  {strings.remove}
                  <span class="visually-hidden"> {passkey.name}</span>
                </a>
              </div>
            </li>
          ))}
        </ul>
      )}
      {factors.passkeysOffered ? (
        <a class="button" href={`${path}/new`}>
          {strings.add}
        </a>
      ) : (
        <p class="notice warn">{strings.notOffered}</p>
      )}
    </section>
  )
}

function buildNamePage(context: AdminContext, factors: OwnFactors, refused: ProofErrors = noErrors): AdminPage {
  const strings = getMessages('second-factor', context.language)
  const hasFailed = refused.general !== undefined || Object.keys(refused.fields).length > 0
  return {
    title: strings.passkeys.add,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary
          title={getMessages('admin', context.language).mend}
          errors={refused.fields}
          general={refused.general}
        />
        <p class="lead">{strings.passkeys.text}</p>
        {factors.passkeysOffered ? (
          <Form context={context} action={`${path}/new`} class="card">
            <Field
              name="name"
              label={strings.passkeys.name}
              hint={strings.passkeys.nameHint}
              value={getFormField(context, 'name') || strings.passkeys.defaultName}
              maxLength={100}
              required
            />
            <ProofFields context={context} factors={factors} errors={refused.fields} />
            <div class="actions">
              <button type="submit">{strings.passkeys.next}</button>
              <a class="button quiet" href={securityPath}>
                {strings.cancel}
              </a>
            </div>
          </Form>
        ) : (
          <p class="notice warn">{strings.passkeys.notOffered}</p>
        )}
      </div>
    )
  }
}

function buildCreatePage(context: AdminContext, options: CreationOptions, name: string): AdminPage {
  const strings = getMessages('second-factor', context.language)
  return {
    title: strings.passkeys.add,
    scripts: ['console', 'passkey'],
    body: (
      <div class="narrow">
        <PasskeyForm
          language={context.language}
          action={path}
          purpose="create"
          options={options}
          button={strings.passkeys.create}
        >
          <input type="hidden" name="_token" value={context.formToken} />
          <input type="hidden" name="name" value={name} />
          <p>{strings.passkeys.createText}</p>
        </PasskeyForm>
        <p>
          <a href={securityPath}>{strings.back}</a>
        </p>
      </div>
    )
  }
}

function buildRenamePage(context: AdminContext, passkey: Passkey, refused: ProofErrors = noErrors): AdminPage {
  const strings = getMessages('second-factor', context.language)
  const errors = toLabelledErrors(refused.fields, { name: strings.passkeys.name })
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  return {
    title: strings.passkeys.renameTitle,
    status: hasFailed ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', context.language).mend} errors={errors} general={refused.general} />
        <Form context={context} action={`${path}/${passkey.id}`} class="card">
          <Field
            name="name"
            label={strings.passkeys.name}
            value={context.request.method === 'POST' ? getFormField(context, 'name') : passkey.name}
            error={errors.name}
            maxLength={100}
            required
          />
          <div class="actions">
            <button type="submit">{getMessages('admin', context.language).save}</button>
            <a class="button quiet" href={securityPath}>
              {strings.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

function buildRemovalPage(
  context: AdminContext,
  passkey: Passkey,
  factors: OwnFactors,
  refused: ProofErrors = noErrors
): AdminPage {
  const strings = getMessages('second-factor', context.language).passkeys
  return buildProofPage(context, factors, refused, {
    title: strings.removeTitle({ name: passkey.name }),
    text: strings.removeText,
    action: `${path}/${passkey.id}/remove`,
    yes: strings.remove,
    look: 'danger'
  })
}
