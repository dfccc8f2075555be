import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney } from '../../../format/format.ts'
import { getText } from '../../../format/texts.ts'

/** Amounts on the way to the target, reached or not. */
export function Milestones({
  language,
  currency,
  milestones,
  received
}: {
  language: Language
  currency: string
  milestones: CampaignStory['milestones']
  /** Received so far, with offline amounts. */
  received: number
}) {
  const strings = getMessages('story', language)
  if (milestones.length === 0) return null
  const money = (sum: number) => formatMoney(language, currency, sum)
  return (
    <section class="milestones" aria-labelledby="milestones">
      <h2 id="milestones">{strings.milestones}</h2>
      <ol class="plain-list">
        {milestones.map(({ title, amount, isReached, reachedOn }, index) => {
          const { text, lang } = getText(title, language)
          return (
            <li key={index} class={isReached ? 'milestone reached' : 'milestone'}>
              <strong class="figure">{money(amount)}</strong>{' '}
              <span lang={lang} dir="auto">
                {text}
              </span>
              <p class="small muted">
                {!isReached
                  ? strings.missing({ amount: money(Math.round((amount - received) * 100) / 100) })
                  : reachedOn === null
                    ? strings.reached
                    : strings.reachedOn({ day: formatDay(language, reachedOn) })}
              </p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
