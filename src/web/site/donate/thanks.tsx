import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationOfDonor, DonationStatus } from '#fundraising/donations/schema.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { Progress } from '../../components/progress.tsx'
import { Share } from '../../components/share.tsx'
import { Title } from '../../components/title.tsx'
import { formatDateTime, formatDay, formatMoney, toLocalDay } from '../../format/format.ts'
import { type Page, type PageRouter, type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import { getFormField, type PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'
import { DebitDetails } from './direct-debit.tsx'
import type { DonorContext } from './donor-context.ts'
import { type DetailsForm, emptyDetails, parseDetails, Receipts, toDetailsForm, validateDetails } from './receipts.tsx'
import { DonorTransfer } from './transfer.tsx'

export function registerThanksRoutes(pages: PageRouter): void {
  pages.addUncached('thanks', showThanks)
  pages.addForm('thanks', async context =>
    getFormField(context, 'revoke') === '' ? await saveDetails(context) : await revokeMandate(context)
  )
}

/** A donor's own page: next steps, and later the result. Its URL is the only credential, so no referrer may leak it. */
async function showThanks(context: PageContext): Promise<Page> {
  const form = { ...emptyDetails, wasSaved: context.query.saved !== undefined }
  return await buildThanksPage(context, await readDonation(context), form)
}

/** Saves data for a receipt that was missing when the donation was made. */
async function saveDetails(context: PageContext): Promise<Page | Redirect> {
  const { api, language } = context
  const token = context.params.token ?? ''
  const donation = await readDonation(context)
  const typed = parseDetails(context)
  const again = async (status: number, form: DetailsForm): Promise<Page> => ({
    ...(await buildThanksPage(context, donation, form)),
    status
  })
  const reading = validateDetails(typed, language)
  if ('errors' in reading) return await again(422, { typed, errors: reading.errors })
  try {
    await api.patch(`/donations/by-token/${encodeURIComponent(token)}`, { ...reading.change, language })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 404) throw error
    return await again(error.status === 409 ? 409 : 422, toDetailsForm(error, typed, language))
  }
  preventCaching(context)
  return redirect(`${getPath('thanks', language, token)}?saved=yes#receipt`, 303)
}

/** The donation then becomes a transfer, and the page shows that. */
async function revokeMandate(context: PageContext): Promise<Redirect> {
  const { api, language } = context
  const token = context.params.token ?? ''
  try {
    await api.post(`/donations/by-token/${encodeURIComponent(token)}/mandate/revoke`)
  } catch (error) {
    // The debit was just sent to the bank, or no longer exists: the page shows the current state either way.
    if (!(error instanceof ApiError) || !['debit-is-at-the-bank', 'mandate-not-found'].includes(error.code)) throw error
  }
  preventCaching(context)
  return redirect(getPath('thanks', language, token), 303)
}

async function readDonation({ api, params }: PageContext): Promise<DonationOfDonor> {
  return (await api.get<DonationOfDonor>(`/donations/by-token/${encodeURIComponent(params.token ?? '')}`)).body
}

function preventCaching({ reply }: PageContext): void {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
}

async function buildThanksPage(context: PageContext, donation: DonationOfDonor, form: DetailsForm): Promise<Page> {
  const { language, site } = context
  preventCaching(context)
  const own: DonorContext = { language, site, token: context.params.token ?? '', donation }
  const campaign = await findVisibleCampaign(context, donation.campaignId)
  const strings = getMessages('donor-page', language)
  const { name, lang } = getCampaignText(donation.campaign, language)
  return {
    title: strings.title,
    noindex: true,
    alternates: getPaths('thanks', own.token),
    menu: 'donate',
    styles: 'donate',
    scripts: ['copy'],
    body: (
      <div class="thanks">
        <header class="thanks-head" id="thanks">
          <p class="print-only">
            <strong>{site.name}</strong>
            <br />
            {strings.pledge}
          </p>
          <Title text={donation.donorName === null ? strings.title : strings.hello({ name: donation.donorName })} />
          <p class="lead">
            {strings.forCampaign}{' '}
            {campaign === undefined ? (
              <span lang={lang}>{name}</span>
            ) : (
              <a href={getCampaignPath(campaign, language)} lang={lang}>
                {name}
              </a>
            )}
          </p>
        </header>
        {donation.review === 'waiting' ? (
          <div class="notice thanks-held">
            <p>{strings.held}</p>
          </div>
        ) : null}
        <NextStep own={own} />
        <Status own={own} />
        <Receipts own={own} form={form} />
        {campaign === undefined ? null : (
          <>
            <section class="thanks-campaign no-print" aria-labelledby="thanks-progress">
              <h2 id="thanks-progress">{strings.progress}</h2>
              <Progress language={language} campaign={campaign} />
              <p>
                <a href={getCampaignPath(campaign, language)}>{strings.toCampaign}</a>
              </p>
            </section>
            <Share
              language={language}
              kind="campaign"
              name={name}
              address={context.origin + getCampaignPath(campaign, language)}
            />
          </>
        )}
        <p class="print-only small">
          {strings.pledgedOn({ day: formatDay(language, toLocalDay(site.timezone, new Date(donation.createdAt))) })}.{' '}
          {strings.print}
        </p>
      </div>
    )
  }
}

/** A donor may view a donation to a campaign that is now hidden. */
async function findVisibleCampaign({ api }: PageContext, id: number): Promise<Campaign | undefined> {
  try {
    return (await api.get<Campaign>(`/campaigns/${id}`)).body
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** The next action, or information if there is nothing left to do. */
function NextStep({ own }: { own: DonorContext }) {
  const { language, token, donation } = own
  if (donation.status !== 'IN_PROCESS') return <Outcome own={own} />
  if (donation.paymentMethod === 'direct_debit') return <DebitDetails own={own} />
  if (donation.amountReceived === 0) return <DonorTransfer language={language} token={token} donation={donation} />
  const missing = getMissing(donation)
  const sum = (amount: number) => formatMoney(language, donation.campaign.currency, amount, true)
  const strings = getMessages('donor-page', language)
  return (
    <>
      <div class="notice thanks-outcome">
        <p>
          {strings.partText({
            received: sum(donation.amountReceived),
            promised: sum(donation.amount),
            missing: sum(missing)
          })}
        </p>
        <p>{strings.partHint}</p>
      </div>
      <DonorTransfer
        language={language}
        token={token}
        donation={{ ...donation, amount: missing }}
        title={strings.transferRest}
      />
    </>
  )
}

/** In cents, to avoid rounding errors. */
function getMissing({ amount, amountReceived }: DonationOfDonor): number {
  return (Math.round(amount * 100) - Math.round(amountReceived * 100)) / 100
}

function Outcome({ own: { language, donation } }: { own: DonorContext }) {
  const strings = getMessages('donor-page', language)
  const amount = formatMoney(language, donation.campaign.currency, donation.amountReceived, true)
  const texts: Record<DonationStatus, string> = {
    IN_PROCESS: strings.waiting,
    TRANSFERRED: strings.receivedText({ amount }),
    CANCELLED: strings.cancelledText,
    FAILED: donation.paymentMethod === 'direct_debit' ? strings.failedDebitText : strings.failedText,
    REFUNDED: strings.refundedText
  }
  return (
    <div class={donation.status === 'TRANSFERRED' ? 'notice good thanks-outcome' : 'notice thanks-outcome'}>
      <p>{texts[donation.status]}</p>
    </div>
  )
}

/** Steps from promise to receipt: done and still to come. */
function Status({ own: { language, site, donation } }: { own: DonorContext }) {
  const strings = getMessages('donor-page', language)
  const isWaiting = donation.status === 'IN_PROCESS'
  const [receipt] = donation.receipts
  const isReceiptAhead = receipt === undefined && donation.receiptRequested === true
  const { amountReceived, receivedOn = null } = donation
  const sum = formatMoney(language, donation.campaign.currency, amountReceived, true)
  return (
    <section class="thanks-status" aria-labelledby="thanks-status">
      <h2 id="thanks-status">{strings.statusTitle}</h2>
      <ol class="steps">
        {dropUndone(donation.history).map(({ status, at }) => (
          <li key={`${status}${at}`} class="step done">
            <strong>{getStatusName(status, strings)}</strong>{' '}
            {status === 'TRANSFERRED' && receivedOn !== null ? (
              <time class="muted" dateTime={receivedOn}>
                {strings.receivedOn({ amount: sum, day: formatDay(language, receivedOn) })}
              </time>
            ) : (
              <time class="muted" dateTime={at}>
                {formatDateTime(language, at, site.timezone)}
              </time>
            )}
          </li>
        ))}
        {isWaiting && receivedOn === null ? <Ahead name={strings.received} strings={strings} /> : null}
        {isWaiting && receivedOn !== null ? (
          <li class="step done">
            <strong>{strings.received}</strong>{' '}
            <time class="muted" dateTime={receivedOn}>
              {strings.receivedOn({ amount: sum, day: formatDay(language, receivedOn) })}
            </time>
          </li>
        ) : null}
        {receipt === undefined ? null : (
          <li class="step done">
            <strong>{strings.receiptStep}</strong>{' '}
            <time class="muted" dateTime={receipt.issuedOn}>
              {formatDay(language, receipt.issuedOn)}
            </time>
          </li>
        )}
        {isReceiptAhead && (isWaiting || donation.status === 'TRANSFERRED') ? (
          <Ahead name={strings.receiptStep} strings={strings} />
        ) : null}
      </ol>
      {isWaiting && receivedOn === null ? <p>{strings.waiting}</p> : null}
      <p class="muted no-print">{strings.keep}</p>
    </section>
  )
}

/** A repeated status means that the changes in between were undone: they were mistakes, not steps. */
function dropUndone(history: DonationOfDonor['history']): DonationOfDonor['history'] {
  const steps: DonationOfDonor['history'] = []
  for (const step of history) {
    const earlier = steps.findIndex(({ status }) => status === step.status)
    if (earlier < 0) steps.push(step)
    else steps.length = earlier + 1
  }
  return steps
}

function Ahead({ name, strings }: { name: string; strings: Messages<'donor-page'> }) {
  return (
    <li class="step">
      <strong class="muted">{name}</strong> <span class="muted">{strings.notYet}</span>
    </li>
  )
}

function getStatusName(status: DonationStatus, strings: Messages<'donor-page'>): string {
  return {
    IN_PROCESS: strings.promised,
    TRANSFERRED: strings.received,
    CANCELLED: strings.cancelled,
    FAILED: strings.failed,
    REFUNDED: strings.refunded
  }[status]
}
