import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, formatNumber } from '../../../format/format.ts'
import { toShare } from '../../../format/progress.ts'
import { getText } from '../../../format/texts.ts'

type StoryItem = CampaignStory['items'][number]

/** What the money is for, with what is covered of each item. */
export function Items({
  language,
  currency,
  items
}: {
  language: Language
  currency: string
  items: CampaignStory['items']
}) {
  const strings = getMessages('story', language)
  if (items.length === 0) return null
  return (
    <section class="needs" aria-labelledby="needs">
      <h2 id="needs">{strings.items}</h2>
      <p class="muted">{strings.itemsLead}</p>
      <ul class="plain-list">
        {items.map((item, index) => (
          <Item key={index} language={language} currency={currency} item={item} />
        ))}
      </ul>
    </section>
  )
}

function Item({ language, currency, item }: { language: Language; currency: string; item: StoryItem }) {
  const strings = getMessages('story', language)
  const { amount, quantity, amountCovered } = item
  const [title, text] = [getText(item.title, language), getText(item.text, language)]
  const money = (sum: number) => formatMoney(language, currency, sum)
  const total = Math.round(amount * quantity * 100)
  const covered = Math.round(amountCovered * 100)
  const pieces = Math.floor(covered / Math.round(amount * 100))
  const state =
    covered >= total
      ? strings.done
      : quantity === 1
        ? strings.covered({ covered: money(amountCovered), total: money(amount) })
        : strings.coveredPieces({ count: formatNumber(language, pieces), quantity: formatNumber(language, quantity) })
  return (
    <li class={covered >= total ? 'need done' : 'need'}>
      <p class="need-head">
        <strong lang={title.lang} dir="auto">
          {title.text}
        </strong>
        <span class="figure">{quantity === 1 ? money(amount) : strings.each({ amount: money(amount) })}</span>
      </p>
      {text.text === '' ? null : (
        <p lang={text.lang} dir="auto">
          {text.text}
        </p>
      )}
      {/* The line below says the same. */}
      <div class="bar">
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect class="bar-received" width={toShare(covered, total)} height="1" />
        </svg>
      </div>
      <p class="small muted figure">{state}</p>
    </li>
  )
}
