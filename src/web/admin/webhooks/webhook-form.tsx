import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Action, MadeWebhook, Webhook } from '#platform/webhooks/schema.ts'
import { type Redirect, redirect } from '../../page.ts'
import { activityWords } from '../../text/activity.ts'
import { consoleWords } from '../../text/console.ts'
import { webhookWords } from '../../text/webhooks.ts'
import { Check, ErrorSummary, Field, FieldError, tiedTo } from '../../ui/field.tsx'
import { field, fieldValues } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { verbOf } from '../site/activity-words.ts'
import { spoken } from '../spoken.ts'
import { apiPath, menu, pagePath } from './webhook-paths.ts'
import { onceOf, secretPage } from './webhook-secret.tsx'
import { capital } from './webhook-words.ts'

/** What the form says. */
interface Input {
  url: string
  description: string
  actions: string[]
  isOn: boolean
}

type KnownAction = Static<typeof Action>
type Refusal = ReturnType<typeof refusedForm>

export async function showNewForm(desk: Desk): Promise<ConsolePage> {
  return await formPage(desk, { url: '', description: '', actions: ['*'], isOn: true })
}

export async function createWebhook(desk: Desk): Promise<ConsolePage> {
  const { isOn, ...input } = inputIn(desk)
  try {
    const { body } = await desk.api.post<MadeWebhook>('/webhooks', input, onceOf(desk))
    return secretPage(desk, body)
  } catch (error) {
    return await formPage(desk, { ...input, isOn }, refusedForm(error))
  }
}

export async function showEditForm(desk: Desk): Promise<ConsolePage> {
  const { body } = await desk.api.get<Webhook>(apiPath(desk))
  return await formPage(desk, body)
}

export async function changeWebhook(desk: Desk): Promise<ConsolePage | Redirect> {
  const input = { ...inputIn(desk), isOn: field(desk, 'isOn') !== '' }
  try {
    await desk.api.patch(apiPath(desk), input)
  } catch (error) {
    return await formPage(desk, input, refusedForm(error))
  }
  desk.say({ text: consoleWords[desk.language].saved })
  return redirect(pagePath(desk), 303)
}

function inputIn(desk: Desk): Input {
  return {
    url: field(desk, 'url'),
    description: field(desk, 'description'),
    actions: field(desk, 'scope') === 'some' ? fieldValues(desk, 'actions') : ['*'],
    isOn: true
  }
}

async function formPage(
  desk: Desk,
  input: Input,
  refused: Refusal = { fields: {}, general: undefined }
): Promise<ConsolePage> {
  const { body: known } = await desk.api.get<KnownAction[]>('/actions')
  const words = webhookWords[desk.language]
  const general = consoleWords[desk.language]
  const isNew = desk.params.id === undefined
  const errors = errorsOf(desk, input, refused)
  const isRefused = Object.keys(errors).length > 0 || refused.general !== undefined
  return {
    title: isNew ? words.createTitle : words.editTitle,
    menu,
    status: isRefused ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <Form desk={desk} action={isNew ? menu : pagePath(desk, '/edit')} class="card">
          {isNew ? <input type="hidden" name="once" value={randomUUID()} /> : null}
          <Field
            name="url"
            type="url"
            label={words.address}
            hint={words.addressHint}
            value={input.url}
            error={errors.url}
            placeholder="https://"
            autocomplete="off"
            maxLength={2000}
            required
          />
          <Field
            name="description"
            label={words.description}
            hint={words.descriptionHint}
            value={input.description}
            error={errors.description}
            autocomplete="off"
            maxLength={500}
          />
          <Listening desk={desk} known={known} chosen={input.actions} error={errors.actions} />
          {isNew ? null : <Check name="isOn" label={words.isOn} hint={words.isOnHint} checked={input.isOn} />}
          <div class="actions">
            <button type="submit">{isNew ? general.create : general.save}</button>
            <a class="button quiet" href={isNew ? menu : pagePath(desk)}>
              {general.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

/** What the API says of single actions belongs to the group of boxes. */
function errorsOf({ language }: Desk, { actions }: Input, { fields }: Refusal): Record<string, string> {
  const words = webhookWords[language]
  const errors: Record<string, string> = {}
  for (const [name, message] of Object.entries(fields)) errors[name.split('/')[0] ?? name] ??= message
  return spoken(
    errors,
    { url: words.address, description: words.description, actions: words.listens },
    actions.length === 0 && errors.actions !== undefined ? { actions: words.chooseSome } : {}
  )
}

/** What most webhooks are about. */
const wantedFirst = ['donation', 'campaign', 'event', 'venue', 'organizer']

/** Everything, or what is ticked. The boxes come into sight with the second choice, by the style sheet alone. */
function Listening({
  desk,
  known,
  chosen,
  error
}: {
  desk: Desk
  known: KnownAction[]
  chosen: string[]
  error: string | undefined
}) {
  const words = webhookWords[desk.language]
  const { id } = tiedTo('actions', false, error)
  const isAll = chosen.includes('*')
  const { subjects } = activityWords[desk.language]
  const groups = [...new Set([...wantedFirst, ...known.map(({ subject }) => subject)])].filter(group =>
    known.some(({ subject }) => subject === group)
  )
  return (
    <fieldset class="field choices listening" id={id}>
      <legend>{words.listens}</legend>
      <label class="check">
        <input type="radio" name="scope" value="all" checked={isAll} />
        <span>
          {words.all} <span class="hint">{words.allHint}</span>
        </span>
      </label>
      <label class="check">
        <input type="radio" name="scope" value="some" checked={!isAll} />
        <span>{words.some}</span>
      </label>
      <FieldError of={id} error={error} />
      <div class="listening-groups">
        {groups.map(group => (
          <fieldset key={group}>
            <legend>{capital(subjects[group] ?? group)}</legend>
            {known
              .filter(({ subject }) => subject === group)
              .map(({ action, description }) => (
                <label key={action} class="check" title={action}>
                  <input type="checkbox" name="actions[]" value={action} checked={chosen.includes(action)} />
                  <span>{verbOf(desk.language, action) ?? description}</span>
                </label>
              ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
