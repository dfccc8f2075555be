import type { DonorRecord } from '#fundraising/donors/schema.ts'
import type { Redirect } from '../../page/page.ts'
import { getDonationPath } from '../donations/links/paths.ts'
import { getNewsLabel, NewsPart, unsubscribeDonor } from '../donations/news-consent.tsx'
import type { AdminContext } from '../shared/context.ts'
import { getDonorPath } from './donor-format.tsx'

/** The campaigns whose news the donor asked for: when, in which words, and when that ended. */
export function NewsConsents({ context, donor }: { context: AdminContext; donor: DonorRecord }) {
  const donationOf = new Map(donor.donations.map(donation => [donation.id, donation]))
  return (
    <section class="card" aria-labelledby="news">
      <h2 id="news">{getNewsLabel(context.language)}</h2>
      {donor.news.length === 0 ? (
        <p class="muted">
          <NewsPart context={context} action="" news={null} />
        </p>
      ) : null}
      <ul class="lines notes">
        {donor.news.map(({ campaignId, donationId, ...consent }) => (
          <li key={donationId}>
            {donationOf.get(donationId)?.campaignDeleted === true ? (
              <span class="anywhere" dir="auto">
                {donationOf.get(donationId)?.campaignName}
              </span>
            ) : (
              <a class="anywhere" dir="auto" href={getDonationPath({ campaignId, id: donationId })}>
                {donationOf.get(donationId)?.campaignName}
              </a>
            )}
            <div>
              <NewsPart
                context={context}
                action={`${getDonorPath(donor.id)}/news/${campaignId}/${donationId}/unsubscribe`}
                news={consent}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

export async function endNews(context: AdminContext): Promise<Redirect> {
  return await unsubscribeDonor(context, getDonorPath(context.params.id ?? ''))
}
