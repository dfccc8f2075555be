import { type OfflineAmount, offlineLabelMax } from '#fundraising/campaigns/offline-amounts/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import { formatLanguageName, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../../components/field.tsx'
import { formatDay, formatMoney, toLocalDay } from '../../../format/format.ts'
import { getText } from '../../../format/texts.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { getCampaignText } from '../../../server/campaign-text.ts'
import { getFormField } from '../../../server/context.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../../shared/context.ts'
import { type FormErrors, hasErrors } from '../../shared/editor.tsx'
import { ActionButton, Form, toFormErrors } from '../../shared/form.tsx'
import { findAmountError, toApiAmount, toTexts } from './story-input.ts'

const menu = '/admin/campaigns'
const treasurers: AdminRole[] = ['treasurer']

export function registerOfflineAmountRoutes(console: AdminRouter): void {
  console.get(`${menu}/:id/offline-amounts`, treasurers, showOfflineAmounts)
  console.post(`${menu}/:id/offline-amounts`, treasurers, addOfflineAmount)
  console.post(`${menu}/:id/offline-amounts/delete`, treasurers, deleteOfflineAmount)
}

interface OfflineInput {
  label_en: string
  label_de: string
  amount: string
  day: string
}

const getApiPath = ({ params }: AdminContext) => `/campaigns/${encodeURIComponent(params.id ?? '')}`

async function showOfflineAmounts(context: AdminContext): Promise<AdminPage> {
  const today = toLocalDay(context.site.timezone, context.now)
  return await buildPage(context, { label_en: '', label_de: '', amount: '', day: today }, { errors: {} })
}

async function addOfflineAmount(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('story-admin', context.language).offline
  const text = (name: string) => getFormField(context, name)
  const input = { label_en: text('label_en'), label_de: text('label_de'), amount: text('amount'), day: text('day') }
  const [first = 'en'] = languages.filter(language => context.site.languages.includes(language))
  const found = {
    [`label_${first}`]: input.label_en === '' && input.label_de === '' ? strings.missing : undefined,
    amount: findAmountError(context, input.amount),
    day: input.day === '' ? strings.dayMissing : undefined
  }
  const errors = Object.fromEntries(
    Object.entries(found).flatMap(([name, error]) => (error === undefined ? [] : [[name, error]]))
  )
  if (Object.keys(errors).length > 0) return await buildPage(context, input, { errors })
  try {
    await context.api.post<OfflineAmount>(`${getApiPath(context)}/offline-amounts`, {
      amount: toApiAmount(context, input.amount),
      receivedOn: input.day,
      label: toTexts(input.label_en, input.label_de)
    })
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    const names: Record<string, string> = { receivedOn: 'day', 'label/de': 'label_de', 'label/en': 'label_en' }
    const named = Object.entries(fields).map(([path, message]) => [names[path] ?? path, message])
    return await buildPage(context, input, { errors: Object.fromEntries(named), general })
  }
  context.flash({ text: strings.added })
  return redirect(`${menu}/${context.params.id}/offline-amounts`, 303)
}

async function deleteOfflineAmount(context: AdminContext): Promise<Redirect> {
  const id = encodeURIComponent(getFormField(context, 'offlineAmount'))
  await context.api.delete(`${getApiPath(context)}/offline-amounts/${id}`)
  context.flash({ text: getMessages('story-admin', context.language).offline.deleted })
  return redirect(`${menu}/${context.params.id}/offline-amounts`, 303)
}

async function buildPage(context: AdminContext, input: OfflineInput, wrong: FormErrors): Promise<AdminPage> {
  const { language, api } = context
  const strings = getMessages('story-admin', language)
  const [{ body: campaign }, { body: amounts }] = await Promise.all([
    api.get<Campaign>(getApiPath(context)),
    api.get<OfflineAmount[]>(`${getApiPath(context)}/offline-amounts`)
  ])
  const path = `${menu}/${campaign.id}/offline-amounts`
  return {
    title: strings.offline.titleOf({ name: getCampaignText(campaign, language).name }),
    menu,
    status: hasErrors(wrong) ? 422 : 200,
    scripts: [],
    actions: (
      <a class="button quiet" href={`${menu}/${campaign.id}`}>
        {strings.back}
      </a>
    ),
    body: (
      <>
        <p>{strings.offline.lead}</p>
        <p>{strings.offline.twice}</p>
        <Form context={context} action={path} class="card upload-form">
          <ErrorSummary title={getMessages('admin', language).mend} errors={wrong.errors} general={wrong.general} />
          <AmountFields context={context} campaign={campaign} input={input} errors={wrong.errors} />
          <button type="submit">{strings.offline.add}</button>
        </Form>
        <AmountTable context={context} campaign={campaign} amounts={amounts} path={path} />
      </>
    )
  }
}

function AmountFields({
  context,
  campaign,
  input,
  errors
}: {
  context: AdminContext
  campaign: Campaign
  input: OfflineInput
  errors: Record<string, string>
}) {
  const strings = getMessages('story-admin', context.language)
  const shown = languages.filter(language => context.site.languages.includes(language))
  return (
    <>
      <div class="field-row">
        {shown.map(language => (
          <Field
            key={language}
            name={`label_${language}`}
            label={
              shown.length === 1
                ? strings.offline.label
                : strings.labelIn({
                    label: strings.offline.label,
                    language: formatLanguageName(language, context.language)
                  })
            }
            hint={strings.offline.labelHint}
            error={errors[`label_${language}`]}
            value={input[`label_${language}`]}
            lang={language}
            maxLength={offlineLabelMax}
          />
        ))}
      </div>
      <div class="field-row">
        <Field
          name="amount"
          label={strings.offline.amount({ currency: campaign.currency })}
          error={errors.amount}
          value={input.amount}
          inputMode="decimal"
          autocomplete="off"
          maxLength={40}
        />
        <Field
          name="day"
          type="date"
          label={strings.offline.day}
          error={errors.day}
          value={input.day}
          max={toLocalDay(context.site.timezone, context.now)}
        />
      </div>
    </>
  )
}

function AmountTable({
  context,
  campaign,
  amounts,
  path
}: {
  context: AdminContext
  campaign: Campaign
  amounts: OfflineAmount[]
  path: string
}) {
  const { language } = context
  const strings = getMessages('story-admin', language).offline
  const money = (sum: number) => formatMoney(language, campaign.currency, sum, true)
  if (amounts.length === 0) return <p class="empty">{strings.empty}</p>
  return (
    <>
      <p>
        <strong>{strings.sum({ sum: money(campaign.amountOffline) })}</strong>
      </p>
      <div class="table-wrap">
        <table class="table">
          <caption class="visually-hidden">{strings.title}</caption>
          <thead>
            <tr>
              <th scope="col">{strings.label}</th>
              <th scope="col">{strings.day}</th>
              <th scope="col">{strings.amount({ currency: campaign.currency })}</th>
              <th scope="col">
                <span class="visually-hidden">{strings.delete}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {amounts.map(({ id, label, receivedOn, amount }) => {
              const { text, lang } = getText(label, language)
              return (
                <tr key={id}>
                  <th scope="row" lang={lang} dir="auto">
                    {text}
                  </th>
                  <td>{formatDay(language, receivedOn)}</td>
                  <td class="figure">{money(amount)}</td>
                  <td>
                    <ActionButton
                      context={context}
                      action={`${path}/delete`}
                      label={
                        <>
                          {strings.delete}
                          <span class="visually-hidden">: {text}</span>
                        </>
                      }
                      fields={{ offlineAmount: id }}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
