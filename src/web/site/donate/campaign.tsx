import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import type { Language } from '#platform/language.ts'
import { campaignText, campaignTwins, pathToCampaign, type Standing, standingOf } from '../../campaign-text.ts'
import { ago, counted, dayIn, daysUntil, locales, money, plainDay } from '../../format.ts'
import type { Page } from '../../page.ts'
import { pathTo } from '../../paths.ts'
import { donateWords } from '../../text/donate.ts'
import { opening } from '../../ui/campaign-card.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Share } from '../../ui/share.tsx'
import { Title } from '../../ui/title.tsx'
import { TypedText } from '../../ui/typed-text.tsx'
import type { Visit } from '../../visit.ts'
import { DonateForm, type FormState, type Offer } from './donate-form.tsx'
import { SelfTransfer } from './transfer.tsx'

/** Of the newest so many, the lists show some of each kind. */
export const recentDonations = 40
const giftsShown = { received: 8, promised: 4 }

/** A campaign: its story, how far it has come, the form, and who has given. */
export function campaignPage(visit: Visit, offer: Offer, form: FormState): Page {
  const { campaign, donations, proof } = offer
  const { language, now, origin } = visit
  const words = donateWords[language]
  const { name, description, lang, storyLang } = campaignText(campaign, language)
  const standing = standingOf(campaign, now)
  const address = origin + pathToCampaign(campaign, language)
  const wasRefused = form.general !== undefined || Object.keys(form.errors).length > 0
  const summary = opening(description)
  return {
    title: name,
    description: summary === '' ? undefined : summary,
    twins: campaignTwins(campaign),
    menu: 'donate',
    news: pathTo('campaignsAtom', language),
    isEmbeddable: true,
    kind: 'article',
    image: campaign.imageUrl === null ? undefined : { url: campaign.imageUrl, alt: campaign.imageAlt },
    islands: standing === 'open' ? [...(proof.required ? ['proof-of-work'] : []), 'donate', 'copy', 'live'] : ['copy'],
    jsonLd: jsonLd(visit, campaign, address),
    body: (
      <div class={wasRefused ? 'campaign form-first' : 'campaign'}>
        <div class="campaign-front">
          <header class="campaign-head">
            <p class="eyebrow">
              <a href={pathTo('campaigns', language)}>{words.campaign}</a>
            </p>
            <Title text={name} lang={lang} />
            <p class="lead campaign-holder">{words.byHolder(campaign.account.name)}</p>
          </header>
          <Figures visit={visit} campaign={campaign} standing={standing} />
          <div class="campaign-story">
            {campaign.imageUrl === null ? null : (
              <img class="campaign-image" src={campaign.imageUrl} alt={campaign.imageAlt} />
            )}
            {description === '' ? null : (
              <div class="story prose" lang={storyLang}>
                <TypedText text={description} />
              </div>
            )}
          </div>
          {standing === 'open' ? (
            <p class="campaign-jump no-print">
              <a class="button large" href="#donate">
                {words.donate}
              </a>
            </p>
          ) : null}
        </div>
        <div class="campaign-side">
          <section
            class={standing === 'open' ? 'card campaign-form' : 'card campaign-form short'}
            id="donate"
            tabIndex={-1}
            aria-labelledby="donate-title"
          >
            {standing === 'open' ? (
              <>
                <h2 id="donate-title">{words.form.title}</h2>
                <DonateForm visit={visit} offer={offer} form={form} />
                <SelfTransfer language={language} campaign={campaign} />
              </>
            ) : (
              <NotOpen visit={visit} campaign={campaign} standing={standing} notice={form.general} />
            )}
          </section>
        </div>
        <div class="campaign-more">
          <Recent visit={visit} campaign={campaign} donations={donations} canGive={standing === 'open'} />
          <Share language={language} name={name} address={address} />
        </div>
      </div>
    )
  }
}

function Figures({ visit, campaign, standing }: { visit: Visit; campaign: Campaign; standing: Standing }) {
  const { language, now } = visit
  const words = donateWords[language]
  return (
    <section
      class="card campaign-figures"
      aria-label={words.figures}
      data-live={standing === 'open' ? JSON.stringify(liveWords(campaign, language)) : undefined}
    >
      <Progress language={language} campaign={campaign} large />
      <ul class="campaign-facts">
        <li>{counted(language, campaign.donationCount, words.donation, words.donations)}</li>
        {standing !== 'open' || campaign.endsAt === null ? null : (
          <li>{words.daysLeft(daysUntil(campaign.endsAt, now))}</li>
        )}
      </ul>
    </section>
  )
}

const holes = { percent: '{percent}', received: '{received}', promised: '{promised}', target: '{target}' }

/** What the script needs that keeps the figures up to date: words with braces where figures come. */
function liveWords({ id, currency }: Campaign, language: Language): object {
  const words = donateWords[language]
  return {
    campaign: id,
    locale: locales[language],
    currency,
    shown: giftsShown,
    asked: recentDonations,
    counted: [words.donation, words.donations],
    promised: words.promised('{promised}'),
    percentOf: words.percentOf(holes),
    progressText: words.progressText(holes),
    progressTextPromised: words.progressTextPromised(holes)
  }
}

/** In place of the form, where none would be of use. */
function NotOpen({
  visit: { language, site },
  campaign,
  standing,
  notice
}: {
  visit: Visit
  campaign: Campaign
  standing: Standing
  notice: string | undefined
}) {
  const words = donateWords[language]
  const day = (instant: string | null) =>
    instant === null ? '' : plainDay(language, dayIn(site.timezone, new Date(instant)))
  const text =
    standing === 'soon'
      ? words.soon(day(campaign.startsAt))
      : standing === 'ended'
        ? words.endedOn(day(campaign.endsAt))
        : words.closed
  return (
    <>
      <h2 id="donate-title">{standing === 'soon' ? words.soonTitle : words.closedTitle}</h2>
      {notice === undefined ? null : (
        <div class="notice warn" role="alert">
          <p>{notice}</p>
        </div>
      )}
      <p>{text}</p>
      <p>
        <a class="button quiet" href={pathTo('campaigns', language)}>
          {words.otherCampaigns}
        </a>
      </p>
    </>
  )
}

function Recent({
  visit: { language, now },
  campaign,
  donations,
  canGive
}: {
  visit: Visit
  campaign: Campaign
  donations: Donation[]
  canGive: boolean
}) {
  const words = donateWords[language]
  if (donations.length === 0 && !canGive) return null
  const isReceived = ({ status }: Donation) => status === 'TRANSFERRED'
  const lists = [
    {
      ...{ kind: 'received', title: words.recentReceived },
      gifts: donations.filter(isReceived).slice(0, giftsShown.received)
    },
    {
      ...{ kind: 'promised', title: words.recentPromised },
      gifts: donations.filter(one => !isReceived(one)).slice(0, giftsShown.promised)
    }
  ]
  return (
    <section class="campaign-recent">
      <h2>{words.recent}</h2>
      {donations.length === 0 ? <p class="faded">{words.noneYet}</p> : null}
      {lists.map(({ kind, title, gifts }) => (
        // Promises stand apart and last: whoever promises much is not above those who gave.
        <section key={kind} class={`campaign-gifts ${kind}`} hidden={gifts.length === 0}>
          <h3>{title}</h3>
          <ul class="plain-list">
            {gifts.map(({ id, donorName, amount, createdAt, message }) => (
              <li key={id} class="campaign-gift" data-id={id}>
                <p class="campaign-gift-head">
                  <strong class={donorName === null ? 'faded' : undefined}>{donorName ?? words.anonymous}</strong>
                  <span class="figure campaign-gift-sum">{money(language, campaign.currency, amount)}</span>
                </p>
                {message === null ? null : <blockquote>{message}</blockquote>}
                <p class="small faded">
                  <time dateTime={createdAt}>{ago(language, createdAt, now)}</time>
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {canGive ? (
        <template id="gift">
          <li class="campaign-gift">
            <p class="campaign-gift-head">
              <strong class="faded">{words.anonymous}</strong>
              <span class="figure campaign-gift-sum" />
            </p>
            <blockquote />
            <p class="small faded">{ago(language, now.toISOString(), now)}</p>
          </li>
        </template>
      ) : null}
    </section>
  )
}

function jsonLd({ language, site }: Visit, campaign: Campaign, address: string): object {
  const { name, description } = campaignText(campaign, language)
  return {
    '@context': 'https://schema.org',
    '@type': 'DonateAction',
    name,
    description: opening(description),
    url: address,
    target: `${address}#donate`,
    recipient: { '@type': 'NGO', name: site.name },
    priceSpecification: {
      '@type': 'PriceSpecification',
      minPrice: campaign.donationMinimum,
      priceCurrency: campaign.currency
    }
  }
}
