import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, formatRelativeTime } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'

/** Large donations that are excluded from the totals until reviewed; renders nothing if there are none. */
export function ReviewCard({
  context,
  waiting,
  total,
  campaigns
}: {
  context: AdminContext
  waiting: ListedDonation[]
  total: number
  campaigns: Campaign[]
}) {
  const { language, now } = context
  const strings = getMessages('abuse-protection', language).review
  const { anonymous } = getMessages('dashboard', language)
  const nameOfCampaign = (id: number) => campaigns.find(campaign => campaign.id === id)?.translations[language]?.name
  if (total === 0) return null
  return (
    <section class="card part part-wide" aria-labelledby="review">
      <div class="part-head">
        <h2 id="review">{strings.card}</h2>
        {total > waiting.length ? (
          <a href={withQuery('/admin/donations', { review: 'waiting' })}>{strings.cardAll}</a>
        ) : null}
      </div>
      <p class="hint part-hint">{strings.cardLead({ count: total })}</p>
      <ul class="lines">
        {waiting.map(donation => {
          const name = donation.donorName ?? anonymous
          const amount = formatMoney(language, donation.currency, donation.amount, true)
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
                  <time dateTime={donation.createdAt}>{formatRelativeTime(language, donation.createdAt, now)}</time>
                </p>
              </div>
              <p class="line-amount">{amount}</p>
              {donation.campaignDeleted ? null : (
                <ActionButton
                  context={context}
                  action="/admin/donations/release"
                  fields={{ release: `${donation.campaignId} ${donation.id}`, page: 'dashboard' }}
                  label={
                    <>
                      <span aria-hidden="true">{strings.release}</span>
                      <span class="visually-hidden">
                        {strings.releaseOf({ amount, name, reference: donation.reference ?? '' })}
                      </span>
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
