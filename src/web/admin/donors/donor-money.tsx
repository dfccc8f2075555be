import type { DonorRecord } from '#fundraising/donors/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import { getDonationPath } from '../donations/links/paths.ts'
import { DonationBadge } from '../donations/links/status-badge.tsx'
import type { AdminContext } from '../shared/context.ts'
import { Table } from '../shared/table.tsx'
import { toSiteDay } from './donor-format.tsx'

interface Part {
  context: AdminContext
  donor: DonorRecord
}

export function Donations({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  return (
    <div>
      <h2>
        {strings.donations} <span class="count">{formatNumber(language, donor.donationCount)}</span>
      </h2>
      <Table
        context={context}
        caption={strings.donations}
        rows={donor.donations}
        empty={null}
        columns={[
          {
            label: strings.reference,
            isHead: true,
            cell: donation => (
              <>
                {donation.campaignDeleted ? (
                  <span class="reference">{donation.reference}</span>
                ) : (
                  <a class="reference" href={getDonationPath(donation)}>
                    {donation.reference}
                  </a>
                )}
                <span class="below">{formatDay(language, toSiteDay(context, donation.createdAt))}</span>
                <span class="below anywhere" dir="auto">
                  {donation.campaignName}
                </span>
              </>
            )
          },
          {
            label: strings.pledged,
            isNumber: true,
            cell: ({ currency, amount }) => formatMoney(language, currency, amount, true)
          },
          {
            label: strings.received,
            isNumber: true,
            cell: ({ currency, amountReceived }) => formatMoney(language, currency, amountReceived, true)
          },
          {
            label: strings.status,
            cell: ({ status }) => (
              <DonationBadge status={status} label={getMessages('donation', language).statuses[status]} />
            )
          }
        ]}
      />
    </div>
  )
}

export function Payments({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  if (donor.payments.length === 0) return null
  const referenceOf = new Map(donor.donations.map(({ id, reference = '' }) => [id, reference]))
  return (
    <div>
      <h2>{strings.payments}</h2>
      <Table
        context={context}
        caption={strings.payments}
        rows={donor.payments}
        empty={null}
        columns={[
          { label: strings.day, isHead: true, cell: ({ receivedOn }) => formatDay(language, receivedOn) },
          {
            label: strings.amount,
            isNumber: true,
            cell: ({ currency, amount }) => formatMoney(language, currency, amount, true)
          },
          { label: strings.source, cell: ({ source }) => strings.sources[source] },
          {
            label: strings.reference,
            cell: ({ campaignId, donationId }) => (
              <a class="reference" href={getDonationPath({ campaignId, id: donationId })}>
                {referenceOf.get(donationId) ?? ''}
              </a>
            )
          }
        ]}
      />
    </div>
  )
}

export function Years({ context, donor }: Part) {
  const { language } = context
  const strings = getMessages('donors', language)
  return (
    <section class="card" aria-labelledby="years">
      <h2 id="years">{strings.byYear}</h2>
      {donor.years.length === 0 ? (
        <p class="muted">{strings.nothing}</p>
      ) : (
        <dl class="facts facts-grid">
          {donor.years.map(({ year, currency, received }) => (
            <div key={`${year} ${currency}`}>
              <dt>{year}</dt>
              <dd>{formatMoney(language, currency, received, true)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
