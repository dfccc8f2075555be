import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { DonorSummary, Erased } from '#fundraising/donors/schema.ts'
import { Refused, withQuery } from '../../api.ts'
import { dayIn, number, plainDay } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { moneyWords } from '../../text/money.ts'
import { privacyWords } from '../../text/privacy.ts'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { Form } from '../form.tsx'
import { donationsMenu } from './addresses.ts'

const reasons = ['request', 'objection', 'mistake'] as const

function pageOf({ params }: Desk): string {
  return `${donationsMenu}/${encodeURIComponent(params.campaign ?? '')}/${encodeURIComponent(params.donation ?? '')}`
}

const donorPath = ({ params }: Desk) => `/donors/${encodeURIComponent(params.donation ?? '')}`

/** What a treasurer can do for the person behind a donation; once they are erased, that they were. */
export function DonorData({ desk, donation }: { desk: Desk; donation: DonationWithHistory }) {
  const words = privacyWords[desk.language]
  const { erasedAt = null } = donation
  if (erasedAt !== null) return null
  return (
    <section class="card" aria-labelledby="donor-data">
      <h2 id="donor-data">{words.title}</h2>
      <p class="hint part-hint">{words.hint}</p>
      <p class="hint part-hint" id="donor-data-hint">
        {words.downloadHint}
      </p>
      <div class="actions">
        <a class="button small quiet" href={`${pageOf(desk)}/donor.json`} aria-describedby="donor-data-hint">
          {words.download}
        </a>
        <a class="button small quiet" href={`${pageOf(desk)}/erase`}>
          {words.erase}
        </a>
      </div>
    </section>
  )
}

export function ErasedNote({ desk, erasedAt }: { desk: Desk; erasedAt: string }) {
  const { language, site } = desk
  const day = plainDay(language, dayIn(site.timezone, new Date(erasedAt)))
  return <p class="notice">{privacyWords[language].erased(day)}</p>
}

/** A donation is known by its campaign and itself: an address that mixes two of them leads nowhere. */
async function donationOf({ api, params }: Desk): Promise<DonationWithHistory> {
  const [campaign, donation] = [params.campaign ?? '', params.donation ?? ''].map(encodeURIComponent)
  return (await api.get<DonationWithHistory>(`/campaigns/${campaign}/donations/${donation}`)).body
}

export async function downloadDonor(desk: Desk): Promise<Download> {
  await donationOf(desk)
  const { status, text } = await desk.api.raw({ method: 'GET', path: donorPath(desk), headers: {} })
  if (status !== 200) throw new Refused(status, '', consoleWords[desk.language].refused, {})
  return { text, type: 'application/json; charset=utf-8', fileName: `donor-${desk.params.donation ?? ''}.json` }
}

export async function askToErase(desk: Desk): Promise<ConsolePage> {
  const [donation, { body: summary }] = await Promise.all([
    donationOf(desk),
    desk.api.get<DonorSummary>(withQuery(`${donorPath(desk)}/summary`, { scope: 'person' }))
  ])
  const { language } = desk
  const words = privacyWords[language]
  const isOnly = summary.donations <= 1
  return {
    title: words.eraseTitle,
    menu: donationsMenu,
    body: (
      <div class="narrow">
        <p class="lead">
          <strong>{donation.donorName ?? moneyWords[language].anonymous}</strong>
        </p>
        <p>{words.eraseLead}</p>
        {summary.names.length > 1 ? (
          <p class="notice">
            {words.names} {summary.names.join(', ')}
          </p>
        ) : null}
        <Kept desk={desk} summary={summary} />
        <Form desk={desk} action={`${pageOf(desk)}/erase`} class="card">
          <fieldset class="field">
            <legend>{words.scope}</legend>
            <Choice
              name="scope"
              value="person"
              label={words.person(number(language, summary.donations), isOnly)}
              checked
            />
            {isOnly ? null : <Choice name="scope" value="donation" label={words.donation} />}
          </fieldset>
          <fieldset class="field">
            <legend>{words.reason}</legend>
            {reasons.map(reason => (
              <Choice
                key={reason}
                name="reason"
                value={reason}
                label={words.reasons[reason]}
                checked={reason === 'request'}
              />
            ))}
          </fieldset>
          <div class="actions">
            <button type="submit" class="danger">
              {words.yes}
            </button>
            <a class="button quiet" href={pageOf(desk)}>
              {words.no}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

function Choice({
  name,
  value,
  label,
  checked = false
}: {
  name: string
  value: string
  label: string
  checked?: boolean
}) {
  return (
    <label class="check">
      <input type="radio" name={name} value={value} checked={checked} />
      <span>{label}</span>
    </label>
  )
}

/** What the law wants kept, said before and not after. */
function Kept({ desk, summary }: { desk: Desk; summary: DonorSummary }) {
  const { language } = desk
  const words = privacyWords[language]
  if (summary.kept.length === 0) return null
  const named = { receipts: words.keptReceipts, mandates: words.keptMandates }
  return (
    <section class="notice" aria-labelledby="kept">
      <h2 id="kept">{words.kept}</h2>
      <ul>
        {summary.kept.map(({ what, count, until, why }) => (
          <li key={what}>
            {words.until(named[what](number(language, count), count === 1), plainDay(language, until))}. {why}
          </li>
        ))}
      </ul>
    </section>
  )
}

export async function eraseDonor(desk: Desk): Promise<Redirect> {
  const reason = reasons.find(one => one === field(desk, 'reason')) ?? 'request'
  const scope = field(desk, 'scope') === 'donation' ? 'donation' : 'person'
  await donationOf(desk)
  const { body } = await desk.api.post<Erased>(`${donorPath(desk)}/erase`, { reason, scope })
  const { language } = desk
  desk.say({ text: privacyWords[language].done(number(language, body.donations), body.donations <= 1) })
  return redirect(pageOf(desk), 303)
}
