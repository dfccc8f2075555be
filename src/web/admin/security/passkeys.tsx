import type { OwnFactors } from '#platform/factors/schema.ts'
import type { CreationOptions, MadePasskey, Passkey } from '#platform/passkeys/schema.ts'
import { Refused } from '../../api.ts'
import { ago, dayIn, plainDay } from '../../format.ts'
import { redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { secondFactorWords } from '../../text/second-factor.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, ConsoleRole, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { codesPage } from './codes.tsx'
import { PasskeyForm, readCredential } from './passkey-form.tsx'
import { securityPath } from './path.ts'
import { findFactors, noRefusal, ProofFields, proofPage, type Refusal, readProof, refusedProof } from './proof.tsx'

const everybody: ConsoleRole[] = ['editor', 'treasurer', 'viewer']
const path = `${securityPath}/passkeys`

export function passkeyPages(pages: Console): void {
  pages.show(`${path}/new`, everybody, async desk => namePage(desk, await findFactors(desk)))

  pages.take(`${path}/new`, everybody, async desk => {
    try {
      const { body } = await desk.api.post<CreationOptions>('/users/me/passkeys/options', readProof(desk))
      return createPage(desk, body, field(desk, 'name'))
    } catch (error) {
      return namePage(desk, await findFactors(desk), refusedProof(error, desk.language))
    }
  })

  pages.take(path, everybody, async desk => {
    const words = secondFactorWords[desk.language].passkeys
    try {
      const name = field(desk, 'name') || words.defaultName
      const { body } = await desk.api.post<MadePasskey>('/users/me/passkeys', {
        name,
        credential: readCredential(desk)
      })
      if (body.recoveryCodes.length > 0) return codesPage(desk, body.recoveryCodes)
      desk.say({ text: words.added(name) })
      return redirect(securityPath, 303)
    } catch (error) {
      const refused = refusedForm(error)
      const general = refused.general ?? words.failed
      return namePage(desk, await findFactors(desk), { fields: {}, general })
    }
  })

  pages.show(`${path}/:id`, everybody, async desk => renamePage(desk, await find(desk)))

  pages.take(`${path}/:id`, everybody, async desk => {
    const passkey = await find(desk)
    try {
      await desk.api.patch(`/users/me/passkeys/${passkey.id}`, { name: field(desk, 'name') })
      desk.say({ text: consoleWords[desk.language].saved })
      return redirect(securityPath, 303)
    } catch (error) {
      return renamePage(desk, passkey, refusedForm(error))
    }
  })

  pages.show(`${path}/:id/remove`, everybody, async desk =>
    removalPage(desk, await find(desk), await findFactors(desk))
  )

  pages.take(`${path}/:id/remove`, everybody, async desk => {
    const passkey = await find(desk)
    try {
      await desk.api.post(`/users/me/passkeys/${passkey.id}/remove`, readProof(desk))
      desk.say({ text: secondFactorWords[desk.language].passkeys.removed(passkey.name) })
      return redirect(securityPath, 303)
    } catch (error) {
      return removalPage(desk, passkey, await findFactors(desk), refusedProof(error, desk.language))
    }
  })
}

async function find(desk: Desk): Promise<Passkey> {
  const { body } = await desk.api.get<Passkey[]>('/users/me/passkeys')
  const passkey = body.find(({ id }) => String(id) === desk.params.id)
  if (passkey === undefined) throw new Refused(404, 'passkey-not-found', '', {})
  return passkey
}

/** The part of the page about all of them. */
export function PasskeySection({ desk, factors }: { desk: Desk; factors: OwnFactors }) {
  const { language, now } = desk
  const words = secondFactorWords[language].passkeys
  const dayOf = (instant: string) => plainDay(language, dayIn(desk.site.timezone, new Date(instant)))
  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">{words.title}</h2>
      <p>{words.text}</p>
      {factors.passkeys.length === 0 ? null : (
        <ul class="passkeys">
          {factors.passkeys.map(passkey => (
            <li key={passkey.id}>
              <p>
                <strong>{passkey.name}</strong>{' '}
                {passkey.cloneWarningAt === null ? null : <span class="badge bad">{words.cloned}</span>}
                <br />
                <span class="faded">
                  {words.since(dayOf(passkey.createdAt))}{' '}
                  {passkey.lastUsedAt === null ? words.unused : words.lastUsed(ago(language, passkey.lastUsedAt, now))}
                </span>
              </p>
              {passkey.cloneWarningAt === null ? null : <p class="notice bad">{words.clonedText}</p>}
              <div class="actions">
                <a class="button small quiet" href={`${path}/${passkey.id}`}>
                  {words.rename}
                  <span class="visually-hidden"> {passkey.name}</span>
                </a>
                <a class="button small quiet" href={`${path}/${passkey.id}/remove`}>
                  {words.remove}
                  <span class="visually-hidden"> {passkey.name}</span>
                </a>
              </div>
            </li>
          ))}
        </ul>
      )}
      {factors.passkeysOffered ? (
        <a class="button" href={`${path}/new`}>
          {words.add}
        </a>
      ) : (
        <p class="notice warn">{words.notOffered}</p>
      )}
    </section>
  )
}

function namePage(desk: Desk, factors: OwnFactors, refused: Refusal = noRefusal): ConsolePage {
  const words = secondFactorWords[desk.language]
  const hasFailed = refused.general !== undefined || Object.keys(refused.fields).length > 0
  return {
    title: words.passkeys.add,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={refused.fields} general={refused.general} />
        <p class="lead">{words.passkeys.text}</p>
        {factors.passkeysOffered ? (
          <Form desk={desk} action={`${path}/new`} class="card">
            <Field
              name="name"
              label={words.passkeys.name}
              hint={words.passkeys.nameHint}
              value={field(desk, 'name') || words.passkeys.defaultName}
              maxLength={100}
              required
            />
            <ProofFields desk={desk} factors={factors} errors={refused.fields} />
            <div class="actions">
              <button type="submit">{words.passkeys.next}</button>
              <a class="button quiet" href={securityPath}>
                {words.cancel}
              </a>
            </div>
          </Form>
        ) : (
          <p class="notice warn">{words.passkeys.notOffered}</p>
        )}
      </div>
    )
  }
}

function createPage(desk: Desk, options: CreationOptions, name: string): ConsolePage {
  const words = secondFactorWords[desk.language]
  return {
    title: words.passkeys.add,
    islands: ['console', 'passkey'],
    body: (
      <div class="narrow">
        <PasskeyForm
          language={desk.language}
          action={path}
          purpose="create"
          options={options}
          button={words.passkeys.create}
        >
          <input type="hidden" name="_token" value={desk.formToken} />
          <input type="hidden" name="name" value={name} />
          <p>{words.passkeys.createText}</p>
        </PasskeyForm>
        <p>
          <a href={securityPath}>{words.back}</a>
        </p>
      </div>
    )
  }
}

function renamePage(desk: Desk, passkey: Passkey, refused: Refusal = noRefusal): ConsolePage {
  const words = secondFactorWords[desk.language]
  const errors = spoken(refused.fields, { name: words.passkeys.name })
  const hasFailed = refused.general !== undefined || Object.keys(errors).length > 0
  return {
    title: words.passkeys.renameTitle,
    status: hasFailed ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={errors} general={refused.general} />
        <Form desk={desk} action={`${path}/${passkey.id}`} class="card">
          <Field
            name="name"
            label={words.passkeys.name}
            value={desk.request.method === 'POST' ? field(desk, 'name') : passkey.name}
            error={errors.name}
            maxLength={100}
            required
          />
          <div class="actions">
            <button type="submit">{consoleWords[desk.language].save}</button>
            <a class="button quiet" href={securityPath}>
              {words.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

function removalPage(desk: Desk, passkey: Passkey, factors: OwnFactors, refused: Refusal = noRefusal): ConsolePage {
  const words = secondFactorWords[desk.language].passkeys
  return proofPage(desk, factors, refused, {
    title: words.removeTitle(passkey.name),
    text: words.removeText,
    action: `${path}/${passkey.id}/remove`,
    yes: words.remove,
    look: 'danger'
  })
}
