import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { findText, getMessages } from '#platform/messages/messages.ts'
import type { Action, CreatedWebhook, Webhook } from '#platform/webhooks/schema.ts'
import { Checkbox, ErrorSummary, Field, FieldError, getFieldAttributes } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { findVerb } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { capitalize } from './webhook-format.ts'
import { getWebhookApiPath, getWebhookPagePath, menu } from './webhook-paths.ts'
import { buildSecretPage, getIdempotencyHeader } from './webhook-secret.tsx'

interface WebhookInput {
  url: string
  description: string
  actions: string[]
  isOn: boolean
}

type KnownAction = Static<typeof Action>
type FormErrors = ReturnType<typeof toFormErrors>

export async function showNewForm(context: AdminContext): Promise<AdminPage> {
  return await buildPage(context, { url: '', description: '', actions: ['*'], isOn: true })
}

export async function createWebhook(context: AdminContext): Promise<AdminPage> {
  const { isOn, ...input } = parseInput(context)
  try {
    const { body } = await context.api.post<CreatedWebhook>('/webhooks', input, getIdempotencyHeader(context))
    return buildSecretPage(context, body)
  } catch (error) {
    return await buildPage(context, { ...input, isOn }, toFormErrors(error))
  }
}

export async function showEditForm(context: AdminContext): Promise<AdminPage> {
  const { body } = await context.api.get<Webhook>(getWebhookApiPath(context))
  return await buildPage(context, body)
}

export async function changeWebhook(context: AdminContext): Promise<AdminPage | Redirect> {
  const input = { ...parseInput(context), isOn: getFormField(context, 'isOn') !== '' }
  try {
    await context.api.patch(getWebhookApiPath(context), input)
  } catch (error) {
    return await buildPage(context, input, toFormErrors(error))
  }
  context.flash({ text: getMessages('admin', context.language).saved })
  return redirect(getWebhookPagePath(context), 303)
}

function parseInput(context: AdminContext): WebhookInput {
  return {
    url: getFormField(context, 'url'),
    description: getFormField(context, 'description'),
    actions: getFormField(context, 'scope') === 'some' ? getFormFieldValues(context, 'actions') : ['*'],
    isOn: true
  }
}

async function buildPage(
  context: AdminContext,
  input: WebhookInput,
  refused: FormErrors = { fields: {}, general: undefined }
): Promise<AdminPage> {
  const { body: known } = await context.api.get<KnownAction[]>('/actions')
  const strings = getMessages('webhook', context.language)
  const general = getMessages('admin', context.language)
  const isNew = context.params.id === undefined
  const errors = toErrors(context, input, refused)
  const isRefused = Object.keys(errors).length > 0 || refused.general !== undefined
  return {
    title: isNew ? strings.createTitle : strings.editTitle,
    menu,
    status: isRefused ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={general.mend} errors={errors} general={refused.general} />
        <Form context={context} action={isNew ? menu : getWebhookPagePath(context, '/edit')} class="card">
          {isNew ? <input type="hidden" name="idempotencyKey" value={randomUUID()} /> : null}
          <Field
            name="url"
            type="url"
            label={strings.address}
            hint={strings.addressHint}
            value={input.url}
            error={errors.url}
            placeholder="https://"
            autocomplete="off"
            maxLength={2000}
            required
          />
          <Field
            name="description"
            label={strings.description}
            hint={strings.descriptionHint}
            value={input.description}
            error={errors.description}
            autocomplete="off"
            maxLength={500}
          />
          <ActionFields context={context} known={known} chosen={input.actions} error={errors.actions} />
          {isNew ? null : <Checkbox name="isOn" label={strings.isOn} hint={strings.isOnHint} checked={input.isOn} />}
          <div class="actions">
            <button type="submit">{isNew ? general.create : general.save}</button>
            <a class="button quiet" href={isNew ? menu : getWebhookPagePath(context)}>
              {general.cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

/** API errors about single actions belong to the group of checkboxes. */
function toErrors(
  { language }: AdminContext,
  { actions }: WebhookInput,
  { fields }: FormErrors
): Record<string, string> {
  const strings = getMessages('webhook', language)
  const errors: Record<string, string> = {}
  for (const [name, message] of Object.entries(fields)) errors[name.split('/')[0] ?? name] ??= message
  return toLabelledErrors(
    errors,
    { url: strings.address, description: strings.description, actions: strings.listens },
    actions.length === 0 && errors.actions !== undefined ? { actions: strings.chooseSome } : {}
  )
}

/** Subjects that most webhooks subscribe to. */
const commonSubjects = ['donation', 'campaign', 'event', 'venue', 'organizer']

/** All actions, or the ticked ones. CSS alone shows the checkboxes with the second option. */
function ActionFields({
  context,
  known,
  chosen,
  error
}: {
  context: AdminContext
  known: KnownAction[]
  chosen: string[]
  error: string | undefined
}) {
  const strings = getMessages('webhook', context.language)
  const { id } = getFieldAttributes('actions', false, error)
  const isAll = chosen.includes('*')
  const { subjects } = getMessages('activity', context.language)
  const groups = [...new Set([...commonSubjects, ...known.map(({ subject }) => subject)])].filter(group =>
    known.some(({ subject }) => subject === group)
  )
  return (
    <fieldset class="field choices listening" id={id}>
      <legend>{strings.listens}</legend>
      <label class="check">
        <input type="radio" name="scope" value="all" checked={isAll} />
        <span>
          {strings.all} <span class="hint">{strings.allHint}</span>
        </span>
      </label>
      <label class="check">
        <input type="radio" name="scope" value="some" checked={!isAll} />
        <span>{strings.some}</span>
      </label>
      <FieldError of={id} error={error} />
      <div class="listening-groups">
        {groups.map(group => (
          <fieldset key={group}>
            <legend>{capitalize(findText(subjects, group) ?? group)}</legend>
            {known
              .filter(({ subject }) => subject === group)
              .map(({ action, description }) => (
                <label key={action} class="check" title={action}>
                  <input type="checkbox" name="actions[]" value={action} checked={chosen.includes(action)} />
                  <span>{findVerb(context.language, action) ?? description}</span>
                </label>
              ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
