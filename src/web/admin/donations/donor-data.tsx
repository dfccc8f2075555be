import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { DonorSummary, Erased } from '#fundraising/gdpr/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, toLocalDay } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { donationsMenu } from './links/paths.ts'

const reasons = ['request', 'objection', 'mistake'] as const

function getPagePath({ params }: AdminContext): string {
  return `${donationsMenu}/${encodeURIComponent(params.campaign ?? '')}/${encodeURIComponent(params.donation ?? '')}`
}

const getDonorApiPath = ({ params }: AdminContext) => `/donors/${encodeURIComponent(params.donation ?? '')}`

/** GDPR actions for the donor of a donation; after erasure, a note that it was done. */
export function DonorData({ context, donation }: { context: AdminContext; donation: DonationWithHistory }) {
  const strings = getMessages('donor-data', context.language)
  const { erasedAt = null } = donation
  if (erasedAt !== null) return null
  return (
    <section class="card" aria-labelledby="donor-data">
      <h2 id="donor-data">{strings.title}</h2>
      <p class="hint part-hint">{strings.hint}</p>
      <p class="hint part-hint" id="donor-data-hint">
        {strings.downloadHint}
      </p>
      <div class="actions">
        <a class="button small quiet" href={`${getPagePath(context)}/donor.json`} aria-describedby="donor-data-hint">
          {strings.download}
        </a>
        <a class="button small quiet" href={`${getPagePath(context)}/erase`}>
          {strings.erase}
        </a>
      </div>
    </section>
  )
}

export function ErasedNote({ context, erasedAt }: { context: AdminContext; erasedAt: string }) {
  const { language, site } = context
  const day = formatDay(language, toLocalDay(site.timezone, new Date(erasedAt)))
  return <p class="notice">{getMessages('donor-data', language).erased({ day })}</p>
}

/** Reads the donation through its campaign, so that a URL that combines two different ones is a 404. */
async function readDonation({ api, params }: AdminContext): Promise<DonationWithHistory> {
  const [campaign, donation] = [params.campaign ?? '', params.donation ?? ''].map(encodeURIComponent)
  return (await api.get<DonationWithHistory>(`/campaigns/${campaign}/donations/${donation}`)).body
}

export async function downloadDonor(context: AdminContext): Promise<Download> {
  await readDonation(context)
  const { text } = await context.api.download(getDonorApiPath(context))
  return { text, type: 'application/json; charset=utf-8', fileName: `donor-${context.params.donation ?? ''}.json` }
}

export async function askToErase(context: AdminContext): Promise<AdminPage> {
  const [donation, { body: summary }] = await Promise.all([
    readDonation(context),
    context.api.get<DonorSummary>(withQuery(`${getDonorApiPath(context)}/summary`, { scope: 'person' }))
  ])
  const { language } = context
  const strings = getMessages('donor-data', language)
  const isOnly = summary.donations <= 1
  return {
    title: strings.eraseTitle,
    menu: donationsMenu,
    body: (
      <div class="narrow">
        <p class="lead">
          <strong>{donation.donorName ?? getMessages('donation', language).anonymous}</strong>
        </p>
        <p>{strings.eraseLead}</p>
        {summary.names.length > 1 ? (
          <p class="notice warn">
            {strings.names} {summary.names.join(', ')}
          </p>
        ) : null}
        <Kept context={context} summary={summary} />
        <Form context={context} action={`${getPagePath(context)}/erase`} class="card">
          <fieldset class="field">
            <legend>{strings.scope}</legend>
            <Choice name="scope" value="person" label={strings.person({ count: summary.donations })} checked />
            {isOnly ? null : <Choice name="scope" value="donation" label={strings.donation} />}
          </fieldset>
          <fieldset class="field">
            <legend>{strings.reason}</legend>
            {reasons.map(reason => (
              <Choice
                key={reason}
                name="reason"
                value={reason}
                label={strings.reasons[reason]}
                checked={reason === 'request'}
              />
            ))}
          </fieldset>
          <div class="actions">
            <button type="submit" class="danger">
              {strings.yes}
            </button>
            <a class="button quiet" href={getPagePath(context)}>
              {strings.no}
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

/** Says before the erasure which data has to be retained by law. */
function Kept({ context, summary }: { context: AdminContext; summary: DonorSummary }) {
  const { language } = context
  const strings = getMessages('donor-data', language)
  if (summary.kept.length === 0) return null
  const named = { receipts: strings.keptReceipts, mandates: strings.keptMandates }
  return (
    <section class="notice" aria-labelledby="kept">
      <h2 id="kept">{strings.kept}</h2>
      <ul>
        {summary.kept.map(({ what, count, until, why }) => (
          <li key={what}>
            {strings.until({
              what: named[what]({ count }),
              day: formatDay(language, until)
            })}
            . {why}
          </li>
        ))}
      </ul>
    </section>
  )
}

export async function eraseDonor(context: AdminContext): Promise<Redirect> {
  const reason = reasons.find(one => one === getFormField(context, 'reason')) ?? 'request'
  const scope = getFormField(context, 'scope') === 'donation' ? 'donation' : 'person'
  await readDonation(context)
  const { body } = await context.api.post<Erased>(`${getDonorApiPath(context)}/erase`, { reason, scope })
  const { language } = context
  context.flash({
    text: getMessages('donor-data', language).done({ count: body.donations })
  })
  return redirect(getPagePath(context), 303)
}
