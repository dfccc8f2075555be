import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Donation } from '#fundraising/donations/schema.ts'
import { getLocale, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { truncateStory } from '../../components/campaign-card.tsx'
import { Progress } from '../../components/progress.tsx'
import { summarizeHtml } from '../../components/rich-text.tsx'
import { Share } from '../../components/share.tsx'
import { Title } from '../../components/title.tsx'
import {
  countDaysUntil,
  formatDay,
  formatMoney,
  formatRelativeTime,
  listPluralForms,
  toLocalDay
} from '../../format/format.ts'
import { splitProgress } from '../../format/progress.ts'
import { getText } from '../../format/texts.ts'
import type { Page } from '../../page/page.ts'
import { getUpdatesFeedPath } from '../../server/campaign-paths.ts'
import {
  type CampaignState,
  getCampaignAlternates,
  getCampaignPath,
  getCampaignState,
  getCampaignText
} from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { OpenCampaigns } from '../campaign/achieved.tsx'
import { Contact } from '../campaign/contact.tsx'
import { RelatedEvents } from '../campaign/related-events.tsx'
import { ThanksTeaser } from '../campaign/thanks-wall.tsx'
import { LatestUpdates } from '../campaign/updates.tsx'
import { DonateForm, type FormState, type Offer } from './donate-form.tsx'
import { OfflineAmounts } from './story/offline.tsx'
import { Story } from './story/story.tsx'
import { SelfTransfer } from './transfer.tsx'

/** Number of latest donations to fetch; the lists show some of each kind. */
export const recentDonations = 40
const giftsShown = { received: 8, promised: 4 }

/** Campaign page: story, progress, donation form, and recent donations. */
export function buildCampaignPage(context: PageContext, offer: Offer, form: FormState): Page {
  const { campaign, story, donations, extras, images, proof } = offer
  const { language, now, origin } = context
  const strings = getMessages('donate', language)
  const { name, description, lang } = getCampaignText(campaign, language)
  const standing = getCampaignState(campaign, now)
  const address = origin + getCampaignPath(campaign, language)
  const wasRefused = form.general !== undefined || Object.keys(form.errors).length > 0
  const summary = truncateStory(description) || summarizeHtml(getText(story.text, language).text)
  return {
    title: name,
    description: summary === '' ? undefined : summary,
    alternates: getCampaignAlternates(campaign),
    menu: 'donate',
    styles: 'donate',
    atomFeed: extras.updates.length === 0 ? getPath('campaignsAtom', language) : getUpdatesFeedPath(campaign, language),
    isEmbeddable: true,
    kind: 'article',
    image: campaign.imageUrl === null ? undefined : { url: campaign.imageUrl, alt: campaign.imageAlt },
    scripts: standing === 'open' ? [...(proof.required ? ['proof-of-work'] : []), 'donate', 'copy', 'live'] : ['copy'],
    jsonLd: buildJsonLd(context, campaign, address),
    body: (
      <div class={wasRefused ? 'campaign form-first' : 'campaign'}>
        <div class="campaign-front">
          <header class="campaign-head">
            <p class="eyebrow">
              <a href={getPath('campaigns', language)}>{strings.campaign}</a>
            </p>
            <Title text={name} lang={lang} />
            <p class="lead campaign-holder">{strings.byHolder({ holder: campaign.account.name })}</p>
          </header>
          <CampaignProgress context={context} offer={offer} standing={standing} />
          <Story language={language} campaign={campaign} story={story} images={images} />
          {standing === 'open' ? (
            <p class="campaign-jump no-print">
              <a class="button large" href="#donate">
                {strings.donate}
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
                <h2 id="donate-title">{strings.form.title}</h2>
                <DonateForm context={context} offer={offer} form={form} />
                <SelfTransfer language={language} campaign={campaign} />
              </>
            ) : (
              <NotOpen context={context} campaign={campaign} standing={standing} notice={form.general} />
            )}
          </section>
          <Contact language={language} presentation={extras.presentation} />
        </div>
        <div class="campaign-more">
          <LatestUpdates
            context={context}
            campaign={campaign}
            updates={extras.updates}
            count={extras.updateCount}
            images={images}
          />
          <RelatedEvents context={context} events={extras.events} />
          <Recent context={context} campaign={campaign} donations={donations} canGive={standing === 'open'} />
          <ThanksTeaser context={context} campaign={campaign} names={extras.names} count={extras.nameCount} />
          <OpenCampaigns context={context} campaigns={extras.openCampaigns} images={images} />
          <Share language={language} kind="campaign" name={name} address={address} />
        </div>
      </div>
    )
  }
}

function CampaignProgress({
  context,
  offer: { campaign, offline },
  standing
}: {
  context: PageContext
  offer: Offer
  standing: CampaignState
}) {
  const { language, now } = context
  const strings = getMessages('donate', language)
  const isOver = standing === 'closed' || standing === 'ended'
  // A campaign that is over shows its result, unless it is zero.
  if (isOver && splitProgress(campaign).received === 0) return null
  return (
    <section
      class="card campaign-figures"
      aria-label={isOver ? getMessages('campaign-page', language).achieved : strings.figures}
      data-live={standing === 'open' ? JSON.stringify(buildLiveStrings(campaign, language)) : undefined}
    >
      {isOver ? <h2>{getMessages('campaign-page', language).achieved}</h2> : null}
      <Progress language={language} campaign={campaign} large />
      <OfflineAmounts language={language} campaign={campaign} offline={offline} />
      <ul class="campaign-facts">
        <li>{strings.donations({ count: campaign.donationCount })}</li>
        {standing !== 'open' || campaign.endsAt === null ? null : (
          <li>{strings.daysLeft({ days: countDaysUntil(campaign.endsAt, now) })}</li>
        )}
      </ul>
    </section>
  )
}

const placeholders = { percent: '{percent}', received: '{received}', promised: '{promised}', target: '{target}' }

/** Options for the `live` island: texts with placeholders in braces. */
function buildLiveStrings({ id, currency }: Campaign, language: Language): object {
  const strings = getMessages('donate', language)
  return {
    campaign: id,
    locale: getLocale(language),
    currency,
    shown: giftsShown,
    limit: recentDonations,
    counted: listPluralForms(language, count => strings.donations({ count })),
    promised: strings.promised({ sum: '{promised}' }),
    percentOf: strings.percentOf(placeholders),
    progressText: strings.progressText(placeholders),
    progressTextPromised: strings.progressTextPromised(placeholders)
  }
}

/** Shown instead of the form if the campaign accepts no donations. */
function NotOpen({
  context: { language, site },
  campaign,
  standing,
  notice
}: {
  context: PageContext
  campaign: Campaign
  standing: CampaignState
  notice: string | undefined
}) {
  const strings = getMessages('donate', language)
  const day = (instant: string | null) =>
    instant === null ? '' : formatDay(language, toLocalDay(site.timezone, new Date(instant)))
  const text =
    standing === 'soon'
      ? strings.soon({ day: day(campaign.startsAt) })
      : standing === 'ended'
        ? strings.endedOn({ day: day(campaign.endsAt) })
        : strings.closed
  return (
    <>
      <h2 id="donate-title">{standing === 'soon' ? strings.soonTitle : strings.closedTitle}</h2>
      {notice === undefined ? null : (
        <div class="notice warn" role="alert">
          <p>{notice}</p>
        </div>
      )}
      <p>{text}</p>
      <p>
        <a class="button quiet" href={getPath('campaigns', language)}>
          {strings.otherCampaigns}
        </a>
      </p>
    </>
  )
}

function Recent({
  context: { language, now },
  campaign,
  donations,
  canGive
}: {
  context: PageContext
  campaign: Campaign
  donations: Donation[]
  canGive: boolean
}) {
  const strings = getMessages('donate', language)
  if (donations.length === 0 && !canGive) return null
  const isReceived = ({ status }: Donation) => status === 'TRANSFERRED'
  const lists = [
    {
      ...{ kind: 'received', title: strings.recentReceived },
      gifts: donations.filter(isReceived).slice(0, giftsShown.received)
    },
    {
      ...{ kind: 'promised', title: strings.recentPromised },
      gifts: donations.filter(one => !isReceived(one)).slice(0, giftsShown.promised)
    }
  ]
  return (
    <section class="campaign-recent">
      <h2>{strings.recent}</h2>
      {donations.length === 0 ? <p class="muted">{strings.noneYet}</p> : null}
      {lists.map(({ kind, title, gifts }) => (
        // Promised donations come last and apart, so that a large promise does not rank above received money.
        <section key={kind} class={`campaign-gifts ${kind}`} hidden={gifts.length === 0}>
          <h3>{title}</h3>
          <ul class="plain-list">
            {gifts.map(({ id, donorName, amount, createdAt, message }) => (
              <li key={id} class="campaign-gift" data-id={id}>
                <p class="campaign-gift-head">
                  <strong class={donorName === null ? 'muted' : undefined}>{donorName ?? strings.anonymous}</strong>
                  <span class="figure campaign-gift-sum">{formatMoney(language, campaign.currency, amount)}</span>
                </p>
                {message === null ? null : <blockquote>{message}</blockquote>}
                <p class="small muted">
                  <time dateTime={createdAt}>{formatRelativeTime(language, createdAt, now)}</time>
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
              <strong class="muted">{strings.anonymous}</strong>
              <span class="figure campaign-gift-sum" />
            </p>
            <blockquote />
            <p class="small muted">{formatRelativeTime(language, now.toISOString(), now)}</p>
          </li>
        </template>
      ) : null}
    </section>
  )
}

function buildJsonLd({ language, site }: PageContext, campaign: Campaign, address: string): object {
  const { name, description } = getCampaignText(campaign, language)
  return {
    '@context': 'https://schema.org',
    '@type': 'DonateAction',
    name,
    description: truncateStory(description),
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
