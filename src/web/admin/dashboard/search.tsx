import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import type { ListedDonor } from '#fundraising/donors/listing/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import { calendarPath, type EventList, type Organizer, type Venue } from '../../server/calendar-api.ts'
import { buildCampaignSlug, getPath } from '../../server/paths.ts'
import { getDonationPath } from '../donations/links/paths.ts'
import { formatSums, getDonorPath } from '../donors/donor-format.tsx'
import type { AdminContext, AdminPage, AdminRouter } from '../shared/context.ts'

/** Results per kind; the kind's own list shows the rest. */
const shownOfEach = 8
const wordsMax = 200

interface Group {
  name: string
  total: number
  all: string
  hits: Hit[]
}

interface Hit {
  title: string
  href: string
  hint: string
  lang?: string
}

/** Searches all kinds in parallel. */
export function registerSearchRoutes(pages: AdminRouter): void {
  pages.get('/admin/search', ['editor', 'treasurer', 'viewer'], async context => {
    const strings = (context.query.q ?? '').trim().slice(0, wordsMax)
    return buildPage(context, strings, strings === '' ? [] : await search(context, strings))
  })
}

async function search(context: AdminContext, strings: string): Promise<Group[]> {
  const groups = await Promise.all(
    [
      context.hasRole('editor', 'viewer')
        ? [searchEvents(context, strings), searchVenues(context, strings), searchOrganizers(context, strings)]
        : [],
      [searchCampaigns(context, strings)],
      context.hasRole('treasurer') ? [searchDonors(context, strings), searchDonations(context, strings)] : []
    ].flat()
  )
  return groups.filter(({ hits }) => hits.length > 0)
}

async function searchEvents(context: AdminContext, search: string): Promise<Group> {
  const { api, language } = context
  const { body } = await api.get<EventList>(`${calendarPath}/events`, {
    search,
    per_page: shownOfEach,
    start_date: '1900-01-01',
    end_date: '2199-12-31',
    order: 'desc',
    ...(context.hasRole('editor') ? { status: 'publish,draft,future,private,pending' } : {})
  })
  return {
    name: getMessages('admin', language).nav.events,
    total: body.total,
    all: withQuery('/admin/events', { search }),
    hits: body.events.map(({ id, title, slug, start_date, language: lang }) => ({
      title,
      lang,
      href: context.hasRole('editor') ? `/admin/events/${id}` : getPath('event', lang, slug),
      hint: formatDay(language, start_date)
    }))
  }
}

async function searchVenues(context: AdminContext, search: string): Promise<Group> {
  const { api, language } = context
  const query = { search, per_page: shownOfEach }
  const { body } = await api.get<{ venues: Venue[]; total: number }>(`${calendarPath}/venues`, query)
  return {
    name: getMessages('admin', language).nav.venues,
    total: body.total,
    all: withQuery('/admin/venues', { search }),
    hits: body.venues.map(({ id, venue, slug, address, city, language: lang }) => ({
      title: venue,
      lang,
      href: context.hasRole('editor') ? `/admin/venues/${id}` : getPath('venue', lang, slug),
      hint: [address, city].filter(Boolean).join(', ')
    }))
  }
}

async function searchOrganizers(context: AdminContext, search: string): Promise<Group> {
  const { api, language } = context
  const query = { search, per_page: shownOfEach }
  const { body } = await api.get<{ organizers: Organizer[]; total: number }>(`${calendarPath}/organizers`, query)
  return {
    name: getMessages('admin', language).nav.organizers,
    total: body.total,
    all: withQuery('/admin/organizers', { search }),
    hits: body.organizers.map(({ id, organizer, slug, email, website, language: lang }) => ({
      title: organizer,
      lang,
      href: context.hasRole('editor') ? `/admin/organizers/${id}` : getPath('organizer', lang, slug),
      hint: email || website || ''
    }))
  }
}

/** Searched here: campaigns are few, and the API's list has no search. */
async function searchCampaigns(context: AdminContext, search: string): Promise<Group> {
  const { api, language } = context
  const { body } = await api.get<Campaign[]>('/campaigns', { limit: 200 })
  const wanted = search.toLowerCase()
  const found = body.filter(({ name, translations }) =>
    [name, translations.en?.name, translations.de?.name].some(one => one?.toLowerCase().includes(wanted))
  )
  return {
    name: getMessages('admin', language).nav.campaigns,
    total: found.length,
    all: withQuery('/admin/campaigns', { search }),
    hits: found.slice(0, shownOfEach).map(campaign => {
      const { id, amountDonatedSoFar: soFar, targetAmount: target, currency } = campaign
      const translated = campaign.translations[language]?.name
      return {
        title: translated ?? campaign.name,
        lang: translated === undefined ? campaign.language : language,
        href: context.hasRole('editor', 'treasurer')
          ? `/admin/campaigns/${id}`
          : getPath('campaign', language, buildCampaignSlug(id, campaign.name)),
        hint: `${formatMoney(language, currency, Math.round(soFar))} / ${formatMoney(language, currency, target)}`
      }
    })
  }
}

async function searchDonors(context: AdminContext, search: string): Promise<Group> {
  const { api, language } = context
  const { body, header } = await api.get<ListedDonor[]>('/donor-records', { search, limit: shownOfEach })
  return {
    name: getMessages('admin', language).nav.donors,
    total: Number(header('x-total-count')),
    all: withQuery('/admin/donors', { search }),
    hits: body.map(donor => ({
      title: donor.name,
      href: getDonorPath(donor.id),
      hint: [donor.email, formatSums(context, donor)].filter(Boolean).join(' · ')
    }))
  }
}

async function searchDonations({ api, language }: AdminContext, search: string): Promise<Group> {
  const { body, header } = await api.get<ListedDonation[]>('/donations', { search, limit: shownOfEach })
  const strings = getMessages('dashboard', language)
  return {
    name: getMessages('admin', language).nav.donations,
    total: Number(header('x-total-count')),
    all: withQuery('/admin/donations', { search }),
    hits: body.map(donation => {
      const { reference, donorName, currency, campaignName, createdAt } = donation
      const sums = strings.donationSums({
        promised: formatMoney(language, currency, donation.amount, true),
        received: formatMoney(language, currency, donation.amountReceived, true)
      })
      return {
        title: `${donorName ?? strings.anonymous}: ${sums}`,
        href: donation.campaignDeleted
          ? withQuery('/admin/donations', { search: reference })
          : getDonationPath(donation),
        hint: [reference, campaignName, formatDay(language, createdAt)].join(' · ')
      }
    })
  }
}

function buildPage(context: AdminContext, searched: string, groups: Group[]): AdminPage {
  const { language } = context
  const strings = getMessages('dashboard', language).search
  const total = groups.reduce((sum, group) => sum + group.total, 0)
  const start = context.hasRole('treasurer') ? strings.start : strings.startWithout
  return {
    title: searched === '' ? strings.title : strings.of({ strings: searched }),
    body: (
      <>
        <form class="search" method="get" action="/admin/search">
          <label class="visually-hidden" for="search-all">
            {strings.label}
          </label>
          <input id="search-all" type="search" name="q" value={searched} maxLength={wordsMax} />
          <button type="submit">{strings.action}</button>
        </form>
        <p class="muted" role="status">
          {searched === '' ? start : total === 0 ? strings.nothing : strings.found({ count: total })}
        </p>
        <div class="hits">
          {groups.map(({ name, total: ofGroup, all, hits }) => (
            <section key={name} class="card part" aria-label={name}>
              <div class="part-head">
                <h2>
                  {name} <span class="count">{formatNumber(language, ofGroup)}</span>
                </h2>
                {ofGroup > hits.length ? (
                  <a href={all}>{strings.more({ count: formatNumber(language, ofGroup) })}</a>
                ) : null}
              </div>
              <ul class="lines">
                {hits.map(({ title, href, hint, lang }) => (
                  <li key={href + title} class="line">
                    <div class="line-main">
                      <p class="line-title" lang={lang}>
                        <a href={href}>{title}</a>
                      </p>
                      {hint === '' ? null : <p class="line-hint">{hint}</p>}
                    </div>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </>
    )
  }
}
