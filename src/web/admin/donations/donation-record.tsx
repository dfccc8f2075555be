import { randomUUID } from 'node:crypto'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import { Refused } from '../../api.ts'
import { campaignText, standingOf } from '../../campaign-text.ts'
import { money } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { moneyWords } from '../../text/money.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import { Select } from '../calendar-parts.tsx'
import type { ConsolePage, Desk } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { spoken } from '../spoken.ts'
import { centsIn, exactAmount } from '../typed-amount.ts'
import { donationsMenu, getDonationPath } from './addresses.ts'
import { findDayError, getToday } from './donation-money.ts'
import { ReceiptFields, type Recorded } from './record-receipt.tsx'

interface Refusal {
  errors: Record<string, string>
  general?: string | undefined
}

export async function showRecordForm(desk: Desk): Promise<ConsolePage> {
  return recordPage(desk, await openCampaigns(desk), {
    campaign: desk.query.campaign ?? '',
    amount: '',
    name: '',
    how: 'cash',
    date: getToday(desk),
    note: '',
    email: '',
    receipt: '',
    street: '',
    postalCode: '',
    city: '',
    country: '',
    once: randomUUID()
  })
}

async function openCampaigns(desk: Desk): Promise<Campaign[]> {
  const { body } = await desk.api.get<Campaign[]>('/campaigns')
  return body.filter(campaign => standingOf(campaign, desk.now) === 'open')
}

export async function recordDonation(desk: Desk): Promise<ConsolePage | Redirect> {
  const recorded: Recorded = {
    campaign: field(desk, 'campaign'),
    amount: field(desk, 'amount'),
    name: field(desk, 'name'),
    how: field(desk, 'how') === 'transfer' ? 'transfer' : 'cash',
    date: field(desk, 'date'),
    note: field(desk, 'note').replaceAll('\r\n', '\n'),
    email: field(desk, 'email'),
    receipt: field(desk, 'receipt') === '' ? '' : 'yes',
    street: field(desk, 'street'),
    postalCode: field(desk, 'postalCode'),
    city: field(desk, 'city'),
    country: field(desk, 'country').toUpperCase(),
    once: /^[0-9a-f-]{36}$/.test(field(desk, 'once')) ? field(desk, 'once') : randomUUID()
  }
  const cents = centsIn(recorded.amount, desk.language)
  const errors = wrongIn(desk, recorded, cents)
  const refuse = async (refusal: Refusal) => recordPage(desk, await openCampaigns(desk), recorded, refusal)
  if (Object.keys(errors).length > 0 || typeof cents === 'string') return await refuse({ errors })
  const words = moneyWords[desk.language].record
  try {
    const { body } = await desk.api.post<Donation>(
      `/campaigns/${recorded.campaign}/donations`,
      {
        amount: exactAmount(cents),
        donorName: recorded.name,
        status: 'TRANSFERRED',
        receivedOn: recorded.date,
        paymentSource: recorded.how === 'cash' ? 'cash' : 'manual',
        language: desk.language,
        receiptRequested: recorded.receipt !== '',
        ...(recorded.email === '' ? {} : { email: recorded.email }),
        ...addressIn(recorded)
      },
      { 'idempotency-key': recorded.once }
    )
    if (recorded.note !== '') {
      const path = `/campaigns/${body.campaignId}/donations/${body.id}/notes`
      await desk.api.post(path, { text: recorded.note }, { 'idempotency-key': recorded.once })
    }
    desk.say({ text: words.done(money(desk.language, desk.site.currency, body.amount, true), recorded.name) })
    return redirect(getDonationPath(body), 303)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return await refuse({ errors: { campaign: error.message } })
    const { fields, general } = refusedForm(error)
    return await refuse({ errors: inFields(desk, fields), general })
  }
}

/** By the fields of the form, with their labels. */
function inFields(desk: Desk, fields: Record<string, string>): Record<string, string> {
  const { record: words, page, wrong } = moneyWords[desk.language]
  const names: Record<string, string> = { donorName: 'name', receivedOn: 'date' }
  const named: Record<string, string> = {}
  for (const [path, message] of Object.entries(fields)) {
    const name = names[path] ?? path.replace(/^address\//, '')
    const text = path === 'email' ? page.emailWrong : path === 'receivedOn' ? wrong.dateInFuture : message
    named[name] = text.replace(/^(?:donorName|address\.\w+)/, labelOf(desk, name))
  }
  return spoken(named, { amount: words.amount })
}

function labelOf(desk: Desk, name: string): string {
  const { record, page } = moneyWords[desk.language]
  const { street, postalCode, city, country } = page
  const labels: Record<string, string> = { name: record.name, street, postalCode, city, country }
  return labels[name] ?? name
}

function addressIn({ street, postalCode, city, country }: Recorded): { address?: object } {
  if (street === '') return {}
  return { address: { street, postalCode, city, ...(country === '' ? {} : { country }) } }
}

const noteMax = 2000

function wrongIn(desk: Desk, recorded: Recorded, cents: number | string): Record<string, string> {
  const { record: words, wrong, page } = moneyWords[desk.language]
  const found: Record<string, string | undefined> = {
    campaign: /^[1-9]\d{0,14}$/.test(recorded.campaign) ? undefined : words.campaignMissing,
    amount: typeof cents === 'string' ? cents : cents === 0 ? wrong.amountZero : undefined,
    name: recorded.name === '' ? words.nameMissing : undefined,
    date: findDayError(desk, recorded.date),
    note: [...recorded.note].length > noteMax ? page.noteLong : undefined
  }
  const { street, postalCode, city } = recorded
  const missing = Object.entries({ street, postalCode, city }).find(([, part]) => part === '')
  const isHalf = street + postalCode + city !== ''
  if (isHalf && missing !== undefined) found[missing[0]] = page.addressHalf
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function recordPage(
  desk: Desk,
  campaigns: Campaign[],
  recorded: Recorded,
  { errors, general }: Refusal = { errors: {} }
): ConsolePage {
  const words = moneyWords[desk.language].record
  const isRefused = general !== undefined || Object.keys(errors).length > 0
  return {
    title: words.title,
    menu: donationsMenu,
    islands: ['console'],
    status: isRefused ? 422 : 200,
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={errors} general={general} />
        {campaigns.length === 0 ? (
          <div class="empty">
            <p>{words.noCampaign}</p>
            <p>
              <a class="button" href="/admin/campaigns">
                {words.toCampaigns}
              </a>
            </p>
          </div>
        ) : (
          <RecordForm desk={desk} campaigns={campaigns} recorded={recorded} errors={errors} />
        )}
      </div>
    )
  }
}

function RecordForm({
  desk,
  campaigns,
  recorded,
  errors
}: {
  desk: Desk
  campaigns: Campaign[]
  recorded: Recorded
  errors: Record<string, string>
}) {
  const { language } = desk
  const words = moneyWords[language].record
  return (
    <>
      <p class="lead record-lead">{words.lead}</p>
      <Form desk={desk} action={`${donationsMenu}/new`} class="card">
        <input type="hidden" name="once" value={recorded.once} />
        <Select
          name="campaign"
          label={words.campaign}
          value={recorded.campaign}
          error={errors.campaign}
          options={[
            { value: '', label: words.choose },
            ...campaigns.map(campaign => {
              const { name, lang } = campaignText(campaign, language)
              return { value: String(campaign.id), label: name, ...(lang === undefined ? {} : { lang }) }
            })
          ]}
        />
        <div class="field-row">
          <Field
            name="amount"
            label={words.amount}
            hint={words.amountHint(desk.site.currency)}
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
            label={words.date}
            hint={words.dateHint}
            value={recorded.date}
            max={getToday(desk)}
            error={errors.date}
            required
          />
        </div>
        <Field
          name="name"
          label={words.name}
          hint={words.nameHint}
          value={recorded.name}
          error={errors.name}
          autocomplete="off"
          maxLength={140}
          required
        />
        <fieldset class="field">
          <legend>{words.how}</legend>
          <div class="check-row">
            {(['cash', 'transfer'] as const).map(how => (
              <label key={how} class="check">
                <input type="radio" name="how" value={how} checked={recorded.how === how} />
                <span>{words[how]}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <ReceiptFields desk={desk} recorded={recorded} errors={errors} />
        <Field name="note" label={words.note} error={errors.note}>
          {tied => (
            <textarea {...tied} rows={3} maxLength={noteMax}>
              {recorded.note}
            </textarea>
          )}
        </Field>
        <div class="actions">
          <button type="submit">{words.submit}</button>
          <a class="button quiet" href={donationsMenu}>
            {consoleWords[language].cancel}
          </a>
        </div>
      </Form>
    </>
  )
}
