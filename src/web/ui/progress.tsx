import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { money, number } from '../format.ts'
import { splitProgress } from '../progress.ts'
import { donateWords } from '../text/donate.ts'

/** How far a campaign has come: what was received and what was only promised, as a bar of two parts and in words. */
export function Progress({
  language,
  campaign,
  large = false
}: {
  language: Language
  campaign: Pick<Campaign, 'amountDonatedSoFar' | 'amountTransferred' | 'targetAmount' | 'currency'>
  /** With the amount as the largest thing beside the title. */
  large?: boolean
}) {
  const words = donateWords[language]
  const { promised, percent, receivedEnd, promisedEnd } = splitProgress(campaign)
  const inMoney = (amount: number) => money(language, campaign.currency, amount)
  const said = {
    percent: number(language, percent),
    received: inMoney(campaign.amountTransferred),
    promised: inMoney(promised),
    target: inMoney(campaign.targetAmount)
  }
  return (
    <div class={large ? 'progress large' : 'progress'}>
      <p class="progress-sum figure">
        <strong>{said.received}</strong> <span>{words.received}</span>
        <span class="progress-promised" hidden={promised === 0}>
          , <span>{words.promised(said.promised)}</span>
        </span>
      </p>
      <div
        class="bar"
        role="progressbar"
        aria-label={words.progressLabel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(percent, 100)}
        aria-valuetext={promised === 0 ? words.progressText(said) : words.progressTextPromised(said)}
      >
        {/* Widths are attributes of a picture: pages have no styles in them. */}
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect class="bar-promised" width={promisedEnd} height="1" />
          <rect class="bar-received" width={receivedEnd} height="1" />
        </svg>
      </div>
      <p class="progress-percent figure" aria-hidden="true">
        {words.percentOf(said)}
      </p>
    </div>
  )
}
