import type { ListedDonor } from '#fundraising/donors/listing/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, toLocalDay } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'

export const donorsMenu = '/admin/donors'

export function getDonorPath(id: string): string {
  return `${donorsMenu}/${encodeURIComponent(id)}`
}

export function getDonorApiPath({ params }: AdminContext): string {
  return `/donor-records/${encodeURIComponent(params.id ?? '')}`
}

/** The sums of all currencies. */
export function formatSums({ language }: AdminContext, { sums }: Pick<ListedDonor, 'sums'>): string {
  if (sums.length === 0) return getMessages('donors', language).nothing
  return sums.map(({ currency, received }) => formatMoney(language, currency, received, true)).join(' + ')
}

export function toSiteDay({ site }: AdminContext, instant: string): string {
  return toLocalDay(site.timezone, new Date(instant))
}

/** Name, address and email of a donor, to tell people of the same name apart. */
export function DonorLine({ donor, isLinked = true }: { donor: ListedDonor; isLinked?: boolean }) {
  const { address, email } = donor
  const below = [email, address === null ? null : `${address.postalCode} ${address.city}`].filter(Boolean).join(' · ')
  return (
    <>
      {isLinked ? (
        <a class="anywhere" dir="auto" href={getDonorPath(donor.id)}>
          {donor.name}
        </a>
      ) : (
        <span class="anywhere" dir="auto">
          {donor.name}
        </span>
      )}
      {below === '' ? null : (
        <span class="below anywhere" dir="auto">
          {below}
        </span>
      )}
    </>
  )
}

/** Search over donors: works without script, with its hint below. */
export function DonorSearch({ context, action, search }: { context: AdminContext; action: string; search: string }) {
  const strings = getMessages('donors', context.language)
  return (
    <>
      <form class="search" method="get" action={action}>
        <label class="visually-hidden" for="search-donors">
          {strings.search}
        </label>
        <input
          id="search-donors"
          type="search"
          name="search"
          value={search}
          placeholder={strings.search}
          maxLength={200}
          aria-describedby="search-donors-hint"
        />
        <button type="submit">{strings.find}</button>
      </form>
      <p class="hint" id="search-donors-hint">
        {strings.searchHint}
      </p>
    </>
  )
}
