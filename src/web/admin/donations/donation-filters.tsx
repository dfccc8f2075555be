import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationStatus } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field, Select } from '../../components/field.tsx'
import { getCampaignText } from '../../server/campaign-text.ts'
import type { AdminContext } from '../shared/context.ts'
import { Filters } from '../shared/table.tsx'
import { type DonationFilter, donationStatuses } from './donation-filter.ts'

export function DonationFilters({
  context,
  filter: { query, errors },
  campaigns
}: {
  context: AdminContext
  filter: DonationFilter
  campaigns: Campaign[]
}) {
  const { list, statuses } = getMessages('donation', context.language)
  const all = { value: '', label: getMessages('admin', context.language).all }
  const chosen = String(query.campaignId ?? '')
  const status = String(query.status ?? '')
  const known = campaigns.map(campaign => {
    const { name, lang } = getCampaignText(campaign, context.language)
    return { value: String(campaign.id), label: name, ...(lang === undefined ? {} : { lang }) }
  })
  const isUnknown = chosen !== '' && known.every(({ value }) => value !== chosen)
  const several = {
    value: status,
    label: status
      .split(',')
      .map(one => statuses[one as DonationStatus])
      .join(', ')
  }
  const isSeveral = status.includes(',')
  const typed = (name: string) => ({ name, value: context.query[name] ?? '', error: errors[name] })
  const review = getMessages('abuse-protection', context.language).review
  const isMoreOpen = ['receipt', 'min', 'max', 'review'].some(name => (context.query[name] ?? '') !== '')
  return (
    <Filters context={context}>
      <Field {...typed('search')} type="search" label={list.search} maxLength={200} />
      <Select
        name="campaign"
        label={list.campaign}
        value={chosen}
        options={[
          all,
          ...known,
          ...(isUnknown ? [{ value: chosen, label: list.unknownCampaign({ id: chosen }) }] : [])
        ]}
      />
      <Select
        name="status"
        label={list.status}
        value={status}
        options={[
          all,
          ...donationStatuses.map(value => ({ value, label: statuses[value] })),
          ...(isSeveral ? [several] : [])
        ]}
      />
      <Field {...typed('from')} type="date" label={list.from} />
      <Field {...typed('to')} type="date" label={list.to} />
      <details class="more-filters" open={isMoreOpen}>
        <summary>{list.more}</summary>
        <div class="more-fields">
          <Select
            name="receipt"
            label={list.receipt}
            value={context.query.receipt ?? ''}
            options={[all, { value: 'yes', label: list.receiptYes }, { value: 'no', label: list.receiptNo }]}
          />
          <Field {...typed('min')} label={list.min} inputMode="decimal" autocomplete="off" maxLength={40} />
          <Field {...typed('max')} label={list.max} inputMode="decimal" autocomplete="off" maxLength={40} />
          <Select
            name="review"
            label={review.filter}
            value={query.messageReview === 'waiting' ? 'message' : String(query.review ?? '')}
            options={[
              all,
              { value: 'waiting', label: review.waiting },
              { value: 'released', label: review.released },
              { value: 'message', label: getMessages('abuse-protection', context.language).messages.filter }
            ]}
          />
        </div>
      </details>
    </Filters>
  )
}
