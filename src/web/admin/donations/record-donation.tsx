import { randomUUID } from 'node:crypto'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import type { DonorRecord } from '#fundraising/donors/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { endSentence } from '#platform/sentence.ts'
import { ErrorSummary } from '../../components/field.tsx'
import { formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getCampaignState, getCampaignText } from '../../server/campaign-text.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { listFields } from '../shared/forms/field-definition.ts'
import { FormFields, type FormFieldsProps } from '../shared/forms/form-fields.tsx'
import { newInput, parseInput, toBody, toNamedErrors } from '../shared/forms/form-input.ts'
import { findDayError, getToday } from './donation-money.ts'
import { type DonationRecord, findMissingPart, type RecordStrings, recordFields } from './donor-fields.ts'
import { donationsMenu, getDonationPath } from './links/paths.ts'

interface RecordErrors {
  errors: Record<string, string>
  general?: string | undefined
}

export async function showRecordForm(context: AdminContext): Promise<AdminPage> {
  const [campaigns, donor] = await Promise.all([listOpenCampaigns(context), readDonor(context)])
  return buildPage(context, campaigns, {
    ...newInput(recordFields),
    ...donor,
    campaign: context.query.campaign ?? '',
    date: getToday(context),
    idempotencyKey: randomUUID()
  })
}

/** The donor whose page led here, so that nothing has to be typed again. */
async function readDonor(context: AdminContext): Promise<Partial<DonationRecord>> {
  const { donor = '' } = context.query
  if (!/^[0-9a-f-]{36}$/.test(donor)) return {}
  const { name, email, address } = (await context.api.get<DonorRecord>(`/donor-records/${donor}`)).body
  return { name, email: email ?? '', ...address }
}

async function listOpenCampaigns(context: AdminContext): Promise<Campaign[]> {
  const { body } = await context.api.get<Campaign[]>('/campaigns')
  return body.filter(campaign => getCampaignState(campaign, context.now) === 'open')
}

export async function recordDonation(context: AdminContext): Promise<AdminPage | Redirect> {
  const sent = parseInput(context, recordFields)
  const idempotencyKey = getFormField(context, 'idempotencyKey')
  const recorded: DonationRecord = {
    ...sent,
    how: sent.how === 'transfer' ? 'transfer' : 'cash',
    idempotencyKey: /^[0-9a-f-]{36}$/.test(idempotencyKey) ? idempotencyKey : randomUUID()
  }
  const converted = toBody(context, recordFields, recorded)
  const errors = findErrors(context, recorded, converted)
  const refuse = async (refusal: RecordErrors) =>
    buildPage(context, await listOpenCampaigns(context), recorded, refusal)
  if (Object.keys(errors).length > 0) return await refuse({ errors })
  const strings = getMessages('donation', context.language).record
  try {
    const { body } = await context.api.post<Donation>(
      `/campaigns/${recorded.campaign}/donations`,
      {
        ...converted.body,
        address: recorded.street === '' ? undefined : converted.body.address,
        status: 'TRANSFERRED',
        paymentSource: recorded.how === 'transfer' ? 'manual' : 'cash',
        language: context.language
      },
      { 'idempotency-key': recorded.idempotencyKey }
    )
    if (recorded.note !== '') {
      const path = `/campaigns/${body.campaignId}/donations/${body.id}/notes`
      await context.api.post(path, { text: recorded.note }, { 'idempotency-key': recorded.idempotencyKey })
    }
    context.flash({
      text: endSentence(
        strings.done({
          amount: formatMoney(context.language, context.site.currency, body.amount, true),
          name: recorded.name
        })
      )
    })
    return redirect(getDonationPath(body), 303)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return await refuse({ errors: { campaign: error.message } })
    const { fields, general } = toFormErrors(error)
    const { page, wrong } = getMessages('donation', context.language)
    const instead = { email: page.emailWrong, receivedOn: wrong.dateInFuture }
    return await refuse({
      errors: toNamedErrors(recordFields, getRecordStrings(context.language), fields, instead),
      general
    })
  }
}

function getRecordStrings(language: Language): RecordStrings {
  const { record, page } = getMessages('donation', language)
  return { ...page, ...record, receipt: page.receipt }
}

const noteMax = 2000

function findErrors(
  context: AdminContext,
  recorded: DonationRecord,
  { body, errors }: ReturnType<typeof toBody>
): Record<string, string> {
  const { record: strings, wrong, page } = getMessages('donation', context.language)
  const amounts: Record<string, string> = { '': wrong.amountMissing, '0.00': wrong.amountZero }
  const found: Record<string, string | undefined> = {
    campaign: /^[1-9]\d{0,14}$/.test(recorded.campaign) ? undefined : strings.campaignMissing,
    amount: errors.amount ?? amounts[String(body.amount)],
    name: recorded.name === '' ? strings.nameMissing : undefined,
    date: findDayError(context, recorded.date),
    note: [...recorded.note].length > noteMax ? page.noteLong : undefined
  }
  const { hasAddress, missing } = findMissingPart(recorded)
  if (hasAddress && missing !== undefined) found[missing] = page.addressHalf
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function buildPage(
  context: AdminContext,
  campaigns: Campaign[],
  recorded: DonationRecord,
  { errors, general }: RecordErrors = { errors: {} }
): AdminPage {
  const strings = getMessages('donation', context.language).record
  const isRefused = general !== undefined || Object.keys(errors).length > 0
  return {
    title: strings.title,
    menu: donationsMenu,
    scripts: ['console'],
    status: isRefused ? 422 : 200,
    body: (
      <div class="narrow">
        <ErrorSummary title={getMessages('admin', context.language).mend} errors={errors} general={general} />
        {campaigns.length === 0 ? (
          <div class="empty">
            <p>{strings.noCampaign}</p>
            <p>
              <a class="button" href="/admin/campaigns">
                {strings.toCampaigns}
              </a>
            </p>
          </div>
        ) : (
          <RecordForm context={context} campaigns={campaigns} recorded={recorded} errors={errors} />
        )}
      </div>
    )
  }
}

function RecordForm({
  context,
  campaigns,
  recorded,
  errors
}: {
  context: AdminContext
  campaigns: Campaign[]
  recorded: DonationRecord
  errors: Record<string, string>
}) {
  const { language } = context
  const strings = getRecordStrings(language)
  const form = { context, strings, input: recorded, errors }
  const options = campaigns.map(campaign => {
    const { name, lang } = getCampaignText(campaign, language)
    return { value: String(campaign.id), label: name, ...(lang === undefined ? {} : { lang }) }
  })
  return (
    <>
      <p class="lead record-lead">{strings.lead}</p>
      <Form context={context} action={`${donationsMenu}/new`} class="card">
        <input type="hidden" name="idempotencyKey" value={recorded.idempotencyKey} />
        <FormFields
          {...form}
          fields={recordFields.campaign}
          overrides={{ campaign: { options: [{ value: '', label: strings.choose }, ...options] } }}
        />
        <FormFields
          {...form}
          fields={recordFields.money}
          overrides={{
            amount: { hint: strings.amountHint({ currency: context.site.currency }) },
            date: { max: getToday(context) }
          }}
        />
        <FormFields {...form} fields={recordFields.donor} />
        <fieldset class="field">
          <legend>{strings.how}</legend>
          <div class="check-row">
            {(['cash', 'transfer'] as const).map(how => (
              <label key={how} class="check">
                <input type="radio" name="how" value={how} checked={recorded.how === how} />
                <span>{strings[how]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <ReceiptFields {...form} />
        <FormFields {...form} fields={recordFields.note} />
        <div class="actions">
          <button type="submit">{strings.submit}</button>
          <a class="button quiet" href={donationsMenu}>
            {getMessages('admin', language).cancel}
          </a>
        </div>
      </Form>
    </>
  )
}

/** Fields that a receipt needs besides the name; collapsed, as cash from a donation box has none of them. */
function ReceiptFields(form: Omit<FormFieldsProps<typeof recordFields.receipt>, 'fields'>) {
  const names = listFields({ receipt: recordFields.receipt }).map(({ name }) => name as keyof typeof form.input)
  const isOpen = names.some(name => form.input[name] !== '' || form.errors[name] !== undefined)
  return (
    <details class="record-receipt" open={isOpen}>
      <summary>{getMessages('donation', form.context.language).record.receipt}</summary>
      <FormFields {...form} fields={recordFields.receipt} rowClass="field-row address-row" autocomplete="off" />
    </details>
  )
}
