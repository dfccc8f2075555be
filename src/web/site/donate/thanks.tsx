import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationOfDonor, DonationStatus } from '#fundraising/donations/schema.ts'
import { Refused } from '../../api.ts'
import { campaignText, pathToCampaign } from '../../campaign-text.ts'
import { dayIn, money, plainDay, shortMoment } from '../../format.ts'
import { type Page, type Pages, type Redirect, redirect } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { type DonorWords, donorWords } from '../../text/donor.ts'
import { Progress } from '../../ui/progress.tsx'
import { Share } from '../../ui/share.tsx'
import { Title } from '../../ui/title.tsx'
import { field, type Visit } from '../../visit.ts'
import { DonorsDebit } from './direct-debit.tsx'
import type { Own } from './own-donation.ts'
import { type DetailsForm, emptyDetails, Receipts, readDetails, refusedDetails, typedDetails } from './receipts.tsx'
import { DonorsTransfer } from './transfer.tsx'

export function thanksPages(pages: Pages): void {
  pages.addPersonal('thanks', showThanks)
  pages.addForm('thanks', async visit =>
    field(visit, 'revoke') === '' ? await takeDetails(visit) : await takeMandateBack(visit)
  )
}

/** A donor's own page: what to do next, and later how it went. Whoever has its address may read it, so it goes nowhere else. */
async function showThanks(visit: Visit): Promise<Page> {
  const form = { ...emptyDetails, wasSaved: visit.query.saved !== undefined }
  return await thanksPage(visit, await donationOf(visit), form)
}

/** What a receipt needs and was not told when the donation was made. */
async function takeDetails(visit: Visit): Promise<Page | Redirect> {
  const { api, language } = visit
  const token = visit.params.token ?? ''
  const donation = await donationOf(visit)
  const typed = typedDetails(visit)
  const again = async (status: number, form: DetailsForm): Promise<Page> => ({
    ...(await thanksPage(visit, donation, form)),
    status
  })
  const reading = readDetails(typed, language)
  if ('errors' in reading) return await again(422, { typed, errors: reading.errors })
  try {
    await api.patch(`/donations/by-token/${encodeURIComponent(token)}`, { ...reading.change, language })
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 404) throw error
    return await again(error.status === 409 ? 409 : 422, refusedDetails(error, typed, language))
  }
  hide(visit)
  return redirect(`${pathTo('thanks', language, token)}?saved=yes#receipt`, 303)
}

/** From then on the donation is one that is transferred, which the page says by itself. */
async function takeMandateBack(visit: Visit): Promise<Redirect> {
  const { api, language } = visit
  const token = visit.params.token ?? ''
  try {
    await api.post(`/donations/by-token/${encodeURIComponent(token)}/mandate/revoke`)
  } catch (error) {
    // The debit went to the bank a moment ago, or there is none any more: either way the page says how it is.
    if (!(error instanceof Refused) || !['debit-is-at-the-bank', 'mandate-not-found'].includes(error.code)) throw error
  }
  hide(visit)
  return redirect(pathTo('thanks', language, token), 303)
}

async function donationOf({ api, params }: Visit): Promise<DonationOfDonor> {
  return (await api.get<DonationOfDonor>(`/donations/by-token/${encodeURIComponent(params.token ?? '')}`)).body
}

function hide({ reply }: Visit): void {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
}

async function thanksPage(visit: Visit, donation: DonationOfDonor, form: DetailsForm): Promise<Page> {
  const { language, site } = visit
  hide(visit)
  const own: Own = { language, site, token: visit.params.token ?? '', donation }
  const campaign = await campaignIfShown(visit, donation.campaignId)
  const words = donorWords[language]
  const { name, lang } = campaignText(donation.campaign, language)
  return {
    title: words.title,
    noindex: true,
    twins: { en: pathTo('thanks', 'en', own.token), de: pathTo('thanks', 'de', own.token) },
    menu: 'donate',
    islands: ['copy'],
    body: (
      <div class="thanks">
        <header class="thanks-head" id="thanks">
          <p class="print-only">
            <strong>{site.name}</strong>
            <br />
            {words.pledge}
          </p>
          <Title text={donation.donorName === null ? words.title : words.hello(donation.donorName)} />
          <p class="lead">
            {words.forCampaign}{' '}
            {campaign === undefined ? (
              <span lang={lang}>{name}</span>
            ) : (
              <a href={pathToCampaign(campaign, language)} lang={lang}>
                {name}
              </a>
            )}
          </p>
        </header>
        {donation.review === 'waiting' ? (
          <div class="notice thanks-held">
            <p>{words.held}</p>
          </div>
        ) : null}
        <NextStep own={own} />
        <Status own={own} />
        <Receipts own={own} form={form} />
        {campaign === undefined ? null : (
          <>
            <section class="thanks-campaign no-print" aria-labelledby="thanks-progress">
              <h2 id="thanks-progress">{words.progress}</h2>
              <Progress language={language} campaign={campaign} />
              <p>
                <a href={pathToCampaign(campaign, language)}>{words.toCampaign}</a>
              </p>
            </section>
            <Share language={language} name={name} address={visit.origin + pathToCampaign(campaign, language)} />
          </>
        )}
        <p class="print-only small">
          {words.pledgedOn(plainDay(language, dayIn(site.timezone, new Date(donation.createdAt))))}. {words.print}
        </p>
      </div>
    )
  }
}

/** A donor may look at a donation to a campaign that is hidden by now. */
async function campaignIfShown({ api }: Visit, id: number): Promise<Campaign | undefined> {
  try {
    return (await api.get<Campaign>(`/campaigns/${id}`)).body
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** The one thing to do now, or what there is to know where nothing is left to do. */
function NextStep({ own }: { own: Own }) {
  const { language, token, donation } = own
  if (donation.status !== 'IN_PROCESS') return <Outcome own={own} />
  if (donation.paymentMethod === 'direct_debit') return <DonorsDebit own={own} />
  if (donation.amountReceived === 0) return <DonorsTransfer language={language} token={token} donation={donation} />
  const missing = getMissing(donation)
  const sum = (amount: number) => money(language, donation.campaign.currency, amount, true)
  const words = donorWords[language]
  return (
    <>
      <div class="notice thanks-outcome">
        <p>{words.partText(sum(donation.amountReceived), sum(donation.amount), sum(missing))}</p>
        <p>{words.partHint}</p>
      </div>
      <DonorsTransfer
        language={language}
        token={token}
        donation={{ ...donation, amount: missing }}
        title={words.transferRest}
      />
    </>
  )
}

/** In cents, as sums of decimals drift. */
function getMissing({ amount, amountReceived }: DonationOfDonor): number {
  return (Math.round(amount * 100) - Math.round(amountReceived * 100)) / 100
}

function Outcome({ own: { language, donation } }: { own: Own }) {
  const words = donorWords[language]
  const amount = money(language, donation.campaign.currency, donation.amountReceived, true)
  const texts: Record<DonationStatus, string> = {
    IN_PROCESS: words.waiting,
    TRANSFERRED: words.receivedText(amount),
    CANCELLED: words.cancelledText,
    FAILED: donation.paymentMethod === 'direct_debit' ? words.failedDebitText : words.failedText,
    REFUNDED: words.refundedText
  }
  return (
    <div class={donation.status === 'TRANSFERRED' ? 'notice good thanks-outcome' : 'notice thanks-outcome'}>
      <p>{texts[donation.status]}</p>
    </div>
  )
}

/** From the promise to the receipt: what is behind us, and what is still to come. */
function Status({ own: { language, site, donation } }: { own: Own }) {
  const words = donorWords[language]
  const isWaiting = donation.status === 'IN_PROCESS'
  const [receipt] = donation.receipts
  const isReceiptAhead = receipt === undefined && donation.receiptRequested === true
  const { amountReceived, receivedOn = null } = donation
  const sum = money(language, donation.campaign.currency, amountReceived, true)
  return (
    <section class="thanks-status" aria-labelledby="thanks-status">
      <h2 id="thanks-status">{words.statusTitle}</h2>
      <ol class="steps">
        {dropUndone(donation.history).map(({ status, at }) => (
          <li key={`${status}${at}`} class="step done">
            <strong>{nameOf(status, words)}</strong>{' '}
            {status === 'TRANSFERRED' && receivedOn !== null ? (
              <time class="faded" dateTime={receivedOn}>
                {words.receivedOn(sum, plainDay(language, receivedOn))}
              </time>
            ) : (
              <time class="faded" dateTime={at}>
                {shortMoment(language, at, site.timezone)}
              </time>
            )}
          </li>
        ))}
        {isWaiting && receivedOn === null ? <Ahead name={words.received} words={words} /> : null}
        {isWaiting && receivedOn !== null ? (
          <li class="step done">
            <strong>{words.received}</strong>{' '}
            <time class="faded" dateTime={receivedOn}>
              {words.receivedOn(sum, plainDay(language, receivedOn))}
            </time>
          </li>
        ) : null}
        {receipt === undefined ? null : (
          <li class="step done">
            <strong>{words.receiptStep}</strong>{' '}
            <time class="faded" dateTime={receipt.issuedOn}>
              {plainDay(language, receipt.issuedOn)}
            </time>
          </li>
        )}
        {isReceiptAhead && (isWaiting || donation.status === 'TRANSFERRED') ? (
          <Ahead name={words.receiptStep} words={words} />
        ) : null}
      </ol>
      {isWaiting && receivedOn === null ? <p>{words.waiting}</p> : null}
      <p class="faded no-print">{words.keep}</p>
    </section>
  )
}

/** A status that comes once more was returned to by undoing what came after it: that was a mistake, and no step. */
function dropUndone(history: DonationOfDonor['history']): DonationOfDonor['history'] {
  const steps: DonationOfDonor['history'] = []
  for (const step of history) {
    const earlier = steps.findIndex(({ status }) => status === step.status)
    if (earlier < 0) steps.push(step)
    else steps.length = earlier + 1
  }
  return steps
}

function Ahead({ name, words }: { name: string; words: DonorWords }) {
  return (
    <li class="step">
      <strong class="faded">{name}</strong> <span class="faded">{words.notYet}</span>
    </li>
  )
}

function nameOf(status: DonationStatus, words: DonorWords): string {
  return {
    IN_PROCESS: words.promised,
    TRANSFERRED: words.received,
    CANCELLED: words.cancelled,
    FAILED: words.failed,
    REFUNDED: words.refunded
  }[status]
}
