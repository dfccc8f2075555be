import { randomUUID } from 'node:crypto'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import { Refused } from '../../api.ts'
import { campaignText, standingOf } from '../../campaign-text.ts'
import { dayIn, money, plainDay } from '../../format.ts'
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
import { isDay } from '../typed-moment.ts'
import { donationsMenu } from './donation-list.tsx'

/** What is typed about money that is already there. */
interface Recorded {
  campaign: string
  amount: string
  name: string
  how: 'cash' | 'transfer'
  date: string
  note: string
  /** Makes a second click on the button find the donation of the first. */
  once: string
}

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
    date: dayIn(desk.site.timezone, desk.now),
    note: '',
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
      { amount: exactAmount(cents), donorName: recorded.name, status: 'TRANSFERRED', language: desk.language },
      { 'idempotency-key': recorded.once }
    )
    const path = `/campaigns/${body.campaignId}/donations/${body.id}`
    const note = { text: noteOf(desk, recorded) }
    await desk.api.post(`${path}/notes`, note, { 'idempotency-key': recorded.once })
    desk.say({ text: words.done(money(desk.language, desk.site.currency, body.amount, true), recorded.name) })
    return redirect(`${donationsMenu}/${body.campaignId}/${body.id}`, 303)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return await refuse({ errors: { campaign: error.message } })
    const { fields, general } = refusedForm(error)
    const { donorName, ...others } = fields
    const named = donorName === undefined ? others : { ...others, name: donorName.replace(/^donorName/, words.name) }
    return await refuse({ errors: spoken(named, { amount: words.amount }), general })
  }
}

const noteMax = 1500

function wrongIn(desk: Desk, recorded: Recorded, cents: number | string): Record<string, string> {
  const { record: words, wrong, page } = moneyWords[desk.language]
  const found: Record<string, string | undefined> = {
    campaign: /^[1-9]\d{0,14}$/.test(recorded.campaign) ? undefined : words.campaignMissing,
    amount: typeof cents === 'string' ? cents : cents === 0 ? wrong.amountZero : undefined,
    name: recorded.name === '' ? words.nameMissing : undefined,
    date: !isDay(recorded.date)
      ? wrong.date
      : recorded.date > dayIn(desk.site.timezone, desk.now)
        ? wrong.dateInFuture
        : undefined,
    note: [...recorded.note].length > noteMax ? page.noteLong : undefined
  }
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The books know when it was recorded; when and how the money came is in the note. */
function noteOf({ language }: Desk, { how, date, note }: Recorded): string {
  const words = moneyWords[language].record
  return [words.noteOf(words[how], plainDay(language, date)), note].filter(text => text !== '').join('\n')
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
            max={dayIn(desk.site.timezone, desk.now)}
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
