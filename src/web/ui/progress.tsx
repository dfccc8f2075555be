import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { money, number } from '../format.ts'
import { donateWords } from '../text/donate.ts'

/** How far a campaign has come: a bar, and the same in words. */
export function Progress({
  language,
  campaign,
  large = false
}: {
  language: Language
  campaign: Pick<Campaign, 'amountDonatedSoFar' | 'targetAmount' | 'currency' | 'progressPercent'>
  /** With the amount as the largest thing beside the title. */
  large?: boolean
}) {
  const words = donateWords[language]
  const collected = money(language, campaign.currency, campaign.amountDonatedSoFar)
  const target = money(language, campaign.currency, campaign.targetAmount)
  const percent = number(language, Math.floor(campaign.progressPercent))
  return (
    <div class={large ? 'progress large' : 'progress'}>
      <p class="progress-sum">
        <strong class="figure">{collected}</strong> <span class="figure">{words.ofTarget(target)}</span>
      </p>
      <progress
        value={Math.min(campaign.progressPercent, 100)}
        max="100"
        aria-label={words.progressLabel}
        aria-valuetext={words.progressText(percent, collected, target)}
      />
      <p class="progress-percent figure" aria-hidden="true">
        {words.percent(percent)}
      </p>
    </div>
  )
}
