import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationOfDonor, DonationStatus } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import { Refused } from '../../api.ts'
import { campaignText, pathToCampaign } from '../../campaign-text.ts'
import { dayIn, money, plainDay, shortMoment } from '../../format.ts'
import type { Page, Pages } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { type DonateWords, donateWords } from '../../text/donate.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Share } from '../../ui/share.tsx'
import { Title } from '../../ui/title.tsx'
import type { Visit } from '../../visit.ts'

export function thanksPages(pages: Pages): void {
  pages.addPersonal('thanks', showThanks)
}

/** A donor's own page: what to do next, and later how it went. Whoever has its address may read it, so it goes nowhere else. */
async function showThanks(visit: Visit): Promise<Page> {
  const { api, language, params, reply, site } = visit
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  const token = params.token ?? ''
  const { body: donation } = await api.get<DonationOfDonor>(`/donations/by-token/${encodeURIComponent(token)}`)
  const campaign = await campaignIfShown(visit, donation.campaignId)
  const words = donateWords[language].thanks
  const { name, lang } = campaignText(donation.campaign, language)
  return {
    title: words.title,
    noindex: true,
    twins: { en: pathTo('thanks', 'en', token), de: pathTo('thanks', 'de', token) },
    menu: 'donate',
    islands: ['copy'],
    body: (
      <div class="thanks">
        <header class="thanks-head">
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
        {donation.status === 'IN_PROCESS' ? (
          <Transfer language={language} donation={donation} />
        ) : (
          <Outcome language={language} donation={donation} />
        )}
        <Status visit={visit} donation={donation} />
        {campaign === undefined ? null : (
          <section class="thanks-campaign no-print" aria-labelledby="thanks-progress">
            <h2 id="thanks-progress">{words.progress}</h2>
            <Progress language={language} campaign={campaign} />
            <p>
              <a href={pathToCampaign(campaign, language)}>{words.toCampaign}</a>
            </p>
          </section>
        )}
        {campaign === undefined ? null : (
          <Share language={language} name={name} address={visit.origin + pathToCampaign(campaign, language)} />
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

/** The one next step: everything that a transfer needs, each piece ready to be copied. */
function Transfer({ language, donation }: { language: Language; donation: DonationOfDonor }) {
  const words = donateWords[language].thanks
  const { account, currency } = donation.campaign
  const amount = money(language, currency, donation.amount, true)
  // The figure alone is what a bank's form takes.
  const [, before = '', figure = amount, after = ''] = /^(\D*)(\d.*\d|\d)(\D*)$/.exec(amount) ?? []
  return (
    <section class="card thanks-transfer" aria-labelledby="thanks-transfer">
      <h2 id="thanks-transfer">{words.transferTitle(amount)}</h2>
      <p>{words.transferLead}</p>
      <dl class="transfer">
        <div class="transfer-row transfer-reference">
          <dt>{words.reference}</dt>
          <dd>
            <span id="transfer-reference">{donation.reference}</span>
            <CopyButton language={language} of="#transfer-reference" label={words.copyReference} />
          </dd>
        </div>
        <div class="transfer-row">
          <dt>{words.amount}</dt>
          <dd>
            <span class="figure">
              {before}
              <span id="transfer-amount">{figure}</span>
              {after}
            </span>
            <CopyButton language={language} of="#transfer-amount" label={words.copyAmount} />
          </dd>
        </div>
        <div class="transfer-row">
          <dt>{words.payee}</dt>
          <dd>
            <span id="transfer-payee">{account.name}</span>
            <CopyButton language={language} of="#transfer-payee" label={words.copyPayee} />
          </dd>
        </div>
        <div class="transfer-row">
          <dt>{words.iban}</dt>
          <dd>
            {/* Groups are parted by style alone, so that what is copied has no blanks. */}
            <span id="transfer-iban" class="iban figure">
              {(account.iban.match(/.{1,4}/g) ?? []).map((four, index) => (
                <span key={index}>{four}</span>
              ))}
            </span>
            <CopyButton language={language} of="#transfer-iban" label={words.copyIban} />
          </dd>
        </div>
        {account.nameOfBank === '' ? null : (
          <div class="transfer-row">
            <dt>{words.bank}</dt>
            <dd>
              <span>{account.nameOfBank}</span>
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** Where there is nothing left to do. */
function Outcome({ language, donation }: { language: Language; donation: DonationOfDonor }) {
  const words = donateWords[language].thanks
  const amount = money(language, donation.campaign.currency, donation.amount, true)
  const texts: Record<DonationStatus, string> = {
    IN_PROCESS: words.waiting,
    TRANSFERRED: words.receivedText(amount),
    CANCELLED: words.cancelledText,
    FAILED: words.failedText,
    REFUNDED: words.refundedText
  }
  return (
    <div class={donation.status === 'TRANSFERRED' ? 'notice good thanks-outcome' : 'notice thanks-outcome'}>
      <p>{texts[donation.status]}</p>
    </div>
  )
}

function Status({ visit: { language, site }, donation }: { visit: Visit; donation: DonationOfDonor }) {
  const words = donateWords[language].thanks
  const isWaiting = donation.status === 'IN_PROCESS'
  return (
    <section class="thanks-status" aria-labelledby="thanks-status">
      <h2 id="thanks-status">{words.statusTitle}</h2>
      <ol class="steps">
        {donation.history.map(({ status, at }) => (
          <li key={`${status}${at}`} class="step done">
            <strong>{nameOf(status, words)}</strong>{' '}
            <time class="faded" dateTime={at}>
              {shortMoment(language, at, site.timezone)}
            </time>
          </li>
        ))}
        {isWaiting ? (
          <li class="step">
            <strong class="faded">{words.received}</strong> <span class="faded">{words.notYet}</span>
          </li>
        ) : null}
      </ol>
      {isWaiting ? <p>{words.waiting}</p> : null}
      {donation.receiptRequested === true && isWaiting ? <p>{words.receipt}</p> : null}
      {donation.receiptRequested === true && donation.status === 'TRANSFERRED' ? <p>{words.receiptReceived}</p> : null}
      <p class="faded no-print">{words.keep}</p>
    </section>
  )
}

function nameOf(status: DonationStatus, words: DonateWords['thanks']): string {
  return {
    IN_PROCESS: words.inProcess,
    TRANSFERRED: words.received,
    CANCELLED: words.cancelled,
    FAILED: words.failed,
    REFUNDED: words.refunded
  }[status]
}
