import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { LedgerEntry } from '#fundraising/ledger/schema.ts'
import { withQuery } from '../../api.ts'
import { ago, money } from '../../format.ts'
import { dashboardWords } from '../../text/dashboard.ts'
import { guardWords } from '../../text/guard.ts'
import type { Desk } from '../console.ts'
import { Act } from '../form.tsx'

/** Large donations that count nowhere until somebody has looked at them; nothing where there are none. */
export function ReviewCard({
  desk,
  waiting,
  total,
  campaigns
}: {
  desk: Desk
  waiting: LedgerEntry[]
  total: number
  campaigns: Campaign[]
}) {
  const { language, now } = desk
  const words = guardWords[language].review
  const { anonymous } = dashboardWords[language]
  const nameOfCampaign = (id: number) => campaigns.find(campaign => campaign.id === id)?.translations[language]?.name
  if (total === 0) return null
  return (
    <section class="card part part-wide" aria-labelledby="review">
      <div class="part-head">
        <h2 id="review">{words.card}</h2>
        {total > waiting.length ? (
          <a href={withQuery('/admin/donations', { review: 'waiting' })}>{words.cardAll}</a>
        ) : null}
      </div>
      <p class="hint part-hint">{words.cardLead(total)}</p>
      <ul class="lines">
        {waiting.map(donation => {
          const name = donation.donorName ?? anonymous
          const amount = money(language, donation.currency, donation.amount, true)
          return (
            <li key={donation.id} class="line">
              <div class="line-main">
                <p class="line-title">
                  <a href={`/admin/donations/${donation.campaignId}/${donation.id}`}>{name}</a>
                </p>
                <p class="line-hint">
                  <span class="line-of">{nameOfCampaign(donation.campaignId) ?? donation.campaignName}</span>
                  <span class="nowrap">{donation.reference}</span>
                  {' · '}
                  <time dateTime={donation.createdAt}>{ago(language, donation.createdAt, now)}</time>
                </p>
              </div>
              <p class="line-amount">{amount}</p>
              {donation.campaignDeleted ? null : (
                <Act
                  desk={desk}
                  action="/admin/donations/release"
                  fields={{ release: `${donation.campaignId} ${donation.id}`, page: 'dashboard' }}
                  label={
                    <>
                      <span aria-hidden="true">{words.release}</span>
                      <span class="visually-hidden">{words.releaseOf(amount, name, donation.reference ?? '')}</span>
                    </>
                  }
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
