import type { SubscriptionJson } from '#calendar/contract/subscription-shapes.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { type Redirect, redirect } from '../../page/page.ts'
import type { Term } from '../../server/calendar-api.ts'
import { sortAsTree } from '../events/event-choices.ts'
import { listAll } from '../shared/calendar/lists.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { FormFields } from '../shared/forms/form-fields.tsx'
import { newInput, parseInput, toBody, toInput, toNamedErrors } from '../shared/forms/form-input.ts'
import { type SubscriptionInput, subscriptionFields } from './subscription-fields.ts'
import { formatInterval } from './subscription-parts.tsx'
import { getSubscriptionApiPath, getSubscriptionPagePath, menu, subscriptionsPath } from './subscription-paths.ts'

type FormErrors = ReturnType<typeof toFormErrors>

/** Minutes that the form offers. */
const offeredIntervals = [15, 30, 60, 180, 360, 720, 1440, 10_080]

export async function showNewForm(context: AdminContext): Promise<AdminPage> {
  return await buildPage(context, { ...newInput(subscriptionFields), url: context.query.url ?? '' })
}

export async function createSubscription(context: AdminContext): Promise<AdminPage | Redirect> {
  const input = parseInput(context, subscriptionFields)
  try {
    const { body } = await context.api.post<SubscriptionJson>(subscriptionsPath, toRequest(context, input))
    context.flash({ text: getMessages('subscription', context.language).subscribed })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    return await buildPage(context, input, toFormErrors(error))
  }
}

export async function showEditForm(context: AdminContext): Promise<AdminPage> {
  const { body } = await context.api.get<SubscriptionJson>(getSubscriptionApiPath(context))
  return await buildPage(context, toInput(context, subscriptionFields, body))
}

export async function changeSubscription(context: AdminContext): Promise<AdminPage | Redirect> {
  const input = parseInput(context, subscriptionFields)
  try {
    await context.api.patch(getSubscriptionApiPath(context), toRequest(context, input))
  } catch (error) {
    return await buildPage(context, input, toFormErrors(error))
  }
  context.flash({ text: getMessages('admin', context.language).saved })
  return redirect(getSubscriptionPagePath(context), 303)
}

function toRequest(context: AdminContext, input: SubscriptionInput): object {
  const { own_name: name, ...body } = toBody(context, subscriptionFields, input).body
  return { ...body, name }
}

async function buildPage(
  context: AdminContext,
  input: SubscriptionInput,
  { fields, general }: FormErrors = { fields: {}, general: undefined }
): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('subscription', language)
  const isNew = context.params.id === undefined
  const categories = await listAll<Term>(context.api, 'categories', { language, hide_empty: false })
  const { name, ...rest } = fields
  const errors = toNamedErrors(subscriptionFields, strings, {
    ...rest,
    ...(name === undefined ? {} : { own_name: name })
  })
  const form = { context, strings, input, errors }
  const isRefused = general !== undefined || Object.keys(errors).length > 0
  return {
    title: isNew ? strings.createTitle : strings.editTitle,
    menu,
    status: isRefused ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', language).mend} errors={errors} general={general} />
        <Form context={context} action={isNew ? `${menu}/new` : getSubscriptionPagePath(context, '/edit')} class="card">
          <FormFields {...form} fields={subscriptionFields.calendar} />
          <FormFields
            {...form}
            fields={subscriptionFields.settings}
            overrides={listOptions(context, input, categories)}
          />
          <div class="actions">
            <button type="submit">{isNew ? strings.subscribe : getMessages('admin', language).save}</button>
            <a class="button quiet" href={isNew ? menu : getSubscriptionPagePath(context)}>
              {getMessages('admin', language).cancel}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

function listOptions(context: AdminContext, { every }: SubscriptionInput, categories: Term[]) {
  const strings = getMessages('subscription', context.language)
  const toOptions = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }))
  const saved = Number(every)
  const isOther = Number.isInteger(saved) && saved > 0 && !offeredIntervals.includes(saved)
  const intervals = [...offeredIntervals, ...(isOther ? [saved] : [])].sort((one, other) => one - other)
  return {
    every: {
      options: [
        { value: '', label: strings.everyDefault },
        ...intervals.map(minutes => ({ value: String(minutes), label: formatInterval(context, minutes) }))
      ]
    },
    category: {
      options: [
        { value: '', label: strings.noCategory },
        ...sortAsTree(categories).map(({ term, depth }) => ({
          value: String(term.id),
          label: '\u2003'.repeat(depth) + term.name
        }))
      ]
    },
    status: { options: toOptions(strings.statuses) },
    gone: { options: toOptions(strings.goneActions) }
  }
}
