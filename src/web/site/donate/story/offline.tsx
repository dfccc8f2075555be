import type { OfflineAmount } from '#fundraising/campaigns/offline-amounts/schema.ts'
import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney } from '../../../format/format.ts'
import { getText } from '../../../format/texts.ts'

/** How much of the progress was collected offline, with each amount on request. */
export function OfflineAmounts({
  language,
  campaign: { amountOffline, currency },
  offline
}: {
  language: Language
  campaign: Campaign
  offline: OfflineAmount[]
}) {
  if (amountOffline === 0) return null
  const money = (sum: number) => formatMoney(language, currency, sum)
  return (
    <details class="offline">
      <summary>{getMessages('story', language).offline({ amount: money(amountOffline) })}</summary>
      <ul class="plain-list">
        {offline.map(({ id, label, amount, receivedOn }) => {
          const { text, lang } = getText(label, language)
          return (
            <li key={id}>
              <span lang={lang} dir="auto">
                {text}
              </span>
              , {formatDay(language, receivedOn)}: <span class="figure">{money(amount)}</span>
            </li>
          )
        })}
      </ul>
    </details>
  )
}
