import { randomUUID } from 'node:crypto'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getCampaignState, getCampaignText } from '../../server/campaign-text.ts'
import { getFormField } from '../../server/context.ts'
import { adminStrings } from '../../strings/admin.ts'
import { donationStrings } from '../../strings/donations.ts'
import { Select } from '../shared/calendar/fields.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { formatApiAmount, parseCents } from '../shared/parse-amount.ts'
import { findDayError, getToday } from './donation-money.ts'
import { donationsMenu, getDonationPath } from './links/paths.ts'
import { type DonationRecord, ReceiptFields } from './receipt-fields.tsx'

interface RecordErrors {
  errors: Record<string, string>
  general?: string | undefined
}

export async function showRecordForm(context: AdminContext): Promise<AdminPage> {
  return buildPage(context, await listOpenCampaigns(context), {
    campaign: context.query.campaign ?? '',
    amount: '',
    name: '',
    how: 'cash',
    date: getToday(context),
    note: '',
    email: '',
    receipt: '',
    street: '',
    postalCode: '',
    city: '',
    country: '',
    idempotencyKey: randomUUID()
  })
}

async function listOpenCampaigns(context: AdminContext): Promise<Campaign[]> {
  const { body } = await context.api.get<Campaign[]>('/campaigns')
  return body.filter(campaign => getCampaignState(campaign, context.now) === 'open')
}

export async function recordDonation(context: AdminContext): Promise<AdminPage | Redirect> {
  const recorded: DonationRecord = {
    campaign: getFormField(context, 'campaign'),
    amount: getFormField(context, 'amount'),
    name: getFormField(context, 'name'),
    how: getFormField(context, 'how') === 'transfer' ? 'transfer' : 'cash',
    date: getFormField(context, 'date'),
    note: getFormField(context, 'note').replaceAll('\r\n', '\n'),
    email: getFormField(context, 'email'),
    receipt: getFormField(context, 'receipt') === '' ? '' : 'yes',
    street: getFormField(context, 'street'),
    postalCode: getFormField(context, 'postalCode'),
    city: getFormField(context, 'city'),
    country: getFormField(context, 'country').toUpperCase(),
    idempotencyKey: /^[0-9a-f-]{36}$/.test(getFormField(context, 'idempotencyKey'))
      ? getFormField(context, 'idempotencyKey')
      : randomUUID()
  }
  const cents = parseCents(recorded.amount, context.language)
  const errors = findErrors(context, recorded, cents)
  const refuse = async (refusal: RecordErrors) =>
    buildPage(context, await listOpenCampaigns(context), recorded, refusal)
  if (Object.keys(errors).length > 0 || typeof cents === 'string') return await refuse({ errors })
  const strings = donationStrings[context.language].record
  try {
    const { body } = await context.api.post<Donation>(
      `/campaigns/${recorded.campaign}/donations`,
      {
        amount: formatApiAmount(cents),
        donorName: recorded.name,
        status: 'TRANSFERRED',
        receivedOn: recorded.date,
        paymentSource: recorded.how === 'cash' ? 'cash' : 'manual',
        language: context.language,
        receiptRequested: recorded.receipt !== '',
        ...(recorded.email === '' ? {} : { email: recorded.email }),
        ...toAddress(recorded)
      },
      { 'idempotency-key': recorded.idempotencyKey }
    )
    if (recorded.note !== '') {
      const path = `/campaigns/${body.campaignId}/donations/${body.id}/notes`
      await context.api.post(path, { text: recorded.note }, { 'idempotency-key': recorded.idempotencyKey })
    }
    context.flash({
      text: strings.done(formatMoney(context.language, context.site.currency, body.amount, true), recorded.name)
    })
    return redirect(getDonationPath(body), 303)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return await refuse({ errors: { campaign: error.message } })
    const { fields, general } = toFormErrors(error)
    return await refuse({ errors: toFormFields(context, fields), general })
  }
}

/** Maps API fields to form fields, with their labels. */
function toFormFields(context: AdminContext, fields: Record<string, string>): Record<string, string> {
  const { record: strings, page, wrong } = donationStrings[context.language]
  const names: Record<string, string> = { donorName: 'name', receivedOn: 'date' }
  const named: Record<string, string> = {}
  for (const [path, message] of Object.entries(fields)) {
    const name = names[path] ?? path.replace(/^address\//, '')
    const text = path === 'email' ? page.emailWrong : path === 'receivedOn' ? wrong.dateInFuture : message
    named[name] = text.replace(/^(?:donorName|address\.\w+)/, getLabel(context, name))
  }
  return toLabelledErrors(named, { amount: strings.amount })
}

function getLabel(context: AdminContext, name: string): string {
  const { record, page } = donationStrings[context.language]
  const { street, postalCode, city, country } = page
  const labels: Record<string, string> = { name: record.name, street, postalCode, city, country }
  return labels[name] ?? name
}

function toAddress({ street, postalCode, city, country }: DonationRecord): { address?: object } {
  if (street === '') return {}
  return { address: { street, postalCode, city, ...(country === '' ? {} : { country }) } }
}

const noteMax = 2000

function findErrors(context: AdminContext, recorded: DonationRecord, cents: number | string): Record<string, string> {
  const { record: strings, wrong, page } = donationStrings[context.language]
  const found: Record<string, string | undefined> = {
    campaign: /^[1-9]\d{0,14}$/.test(recorded.campaign) ? undefined : strings.campaignMissing,
    amount: typeof cents === 'string' ? cents : cents === 0 ? wrong.amountZero : undefined,
    name: recorded.name === '' ? strings.nameMissing : undefined,
    date: findDayError(context, recorded.date),
    note: [...recorded.note].length > noteMax ? page.noteLong : undefined
  }
  const { street, postalCode, city } = recorded
  const missing = Object.entries({ street, postalCode, city }).find(([, part]) => part === '')
  const isHalf = street + postalCode + city !== ''
  if (isHalf && missing !== undefined) found[missing[0]] = page.addressHalf
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function buildPage(
  context: AdminContext,
  campaigns: Campaign[],
  recorded: DonationRecord,
  { errors, general }: RecordErrors = { errors: {} }
): AdminPage {
  const strings = donationStrings[context.language].record
  const isRefused = general !== undefined || Object.keys(errors).length > 0
  return {
    title: strings.title,
    menu: donationsMenu,
    scripts: ['console'],
    status: isRefused ? 422 : 200,
    body: (
      <div class="narrow">
        <ErrorSummary title={adminStrings[context.language].mend} errors={errors} general={general} />
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
  const strings = donationStrings[language].record
  return (
    <>
      <p class="lead record-lead">{strings.lead}</p>
      <Form context={context} action={`${donationsMenu}/new`} class="card">
        <input type="hidden" name="idempotencyKey" value={recorded.idempotencyKey} />
        <Select
          name="campaign"
          label={strings.campaign}
          value={recorded.campaign}
          error={errors.campaign}
          options={[
            { value: '', label: strings.choose },
            ...campaigns.map(campaign => {
              const { name, lang } = getCampaignText(campaign, language)
              return { value: String(campaign.id), label: name, ...(lang === undefined ? {} : { lang }) }
            })
          ]}
        />
        <div class="field-row">
          <Field
            name="amount"
            label={strings.amount}
            hint={strings.amountHint(context.site.currency)}
            value={recorded.amount}
            error={errors.amount}
            inputMode="decimal"
            autocomplete="off"
            maxLength={40}
            required
          />
          <Field
            name="date"
            type="date"
            label={strings.date}
            hint={strings.dateHint}
            value={recorded.date}
            max={getToday(context)}
            error={errors.date}
            required
          />
        </div>
        <Field
          name="name"
          label={strings.name}
          hint={strings.nameHint}
          value={recorded.name}
          error={errors.name}
          autocomplete="off"
          maxLength={140}
          required
        />
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
        <ReceiptFields context={context} recorded={recorded} errors={errors} />
        <Field name="note" label={strings.note} error={errors.note}>
          {tied => (
            <textarea {...tied} rows={3} maxLength={noteMax}>
              {recorded.note}
            </textarea>
          )}
        </Field>
        <div class="actions">
          <button type="submit">{strings.submit}</button>
          <a class="button quiet" href={donationsMenu}>
            {adminStrings[language].cancel}
          </a>
        </div>
      </Form>
    </>
  )
}
