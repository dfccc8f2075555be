import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, formatNumber } from '../format/format.ts'
import { type CampaignSums, splitProgress } from '../format/progress.ts'

/** Progress of a campaign: received and promised money, as a bar with two parts and as text. */
export function Progress({
  language,
  campaign,
  large = false
}: {
  language: Language
  campaign: Pick<Campaign, keyof CampaignSums | 'currency'>
  /** Makes the amount the largest text after the title. */
  large?: boolean
}) {
  const strings = getMessages('donate', language)
  const { received, promised, percent, receivedEnd, promisedEnd } = splitProgress(campaign)
  const inMoney = (amount: number) => formatMoney(language, campaign.currency, amount)
  const said = {
    percent: formatNumber(language, percent),
    received: inMoney(received),
    promised: inMoney(promised),
    target: inMoney(campaign.targetAmount)
  }
  return (
    <div class={large ? 'progress large' : 'progress'}>
      <p class="progress-sum figure">
        <strong>{said.received}</strong> <span>{strings.received}</span>
        <span class="progress-promised" hidden={promised === 0}>
          , <span>{strings.promised({ sum: said.promised })}</span>
        </span>
      </p>
      <div
        class="bar"
        role="progressbar"
        aria-label={strings.progressLabel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(percent, 100)}
        aria-valuetext={promised === 0 ? strings.progressText(said) : strings.progressTextPromised(said)}
      >
        {/* Widths are SVG attributes, as the CSP allows no inline styles. */}
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect class="bar-promised" width={promisedEnd} height="1" />
          <rect class="bar-received" width={receivedEnd} height="1" />
        </svg>
      </div>
      <p class="progress-percent figure" aria-hidden="true">
        {strings.percentOf(said)}
      </p>
    </div>
  )
}
