import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { LedgerEntry } from '#fundraising/ledger/schema.ts'
import { withQuery } from '../../api.ts'
import { calendarPath, type EventList, type Organizer, type Venue } from '../../calendar-api.ts'
import { counted, money, number, plainDay } from '../../format.ts'
import { campaignPart, pathTo } from '../../paths.ts'
import { consoleWords } from '../../text/console.ts'
import { dashboardWords } from '../../text/dashboard.ts'
import type { Console, ConsolePage, Desk } from '../console.ts'
import { getDonationPath } from '../donations/addresses.ts'

/** Of each kind; its own list shows the others. */
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

/** Looks everywhere at once. */
export function searchPages(pages: Console): void {
  pages.show('/admin/search', ['editor', 'treasurer', 'viewer'], async desk => {
    const words = (desk.query.q ?? '').trim().slice(0, wordsMax)
    return searchPage(desk, words, words === '' ? [] : await search(desk, words))
  })
}

async function search(desk: Desk, words: string): Promise<Group[]> {
  const groups = await Promise.all(
    [
      desk.may('editor', 'viewer')
        ? [searchEvents(desk, words), searchVenues(desk, words), searchOrganizers(desk, words)]
        : [],
      [searchCampaigns(desk, words)],
      desk.may('treasurer') ? [searchDonations(desk, words)] : []
    ].flat()
  )
  return groups.filter(({ hits }) => hits.length > 0)
}

async function searchEvents(desk: Desk, search: string): Promise<Group> {
  const { api, language } = desk
  const { body } = await api.get<EventList>(`${calendarPath}/events`, {
    search,
    per_page: shownOfEach,
    start_date: '1970-01-01',
    end_date: '2199-12-31',
    order: 'desc',
    ...(desk.may('editor') ? { status: 'publish,draft,future,private,pending' } : {})
  })
  return {
    name: consoleWords[language].nav.events,
    total: body.total,
    all: withQuery('/admin/events', { search }),
    hits: body.events.map(({ id, title, slug, start_date, language: lang }) => ({
      title,
      lang,
      href: desk.may('editor') ? `/admin/events/${id}` : pathTo('event', lang, slug),
      hint: plainDay(language, start_date)
    }))
  }
}

async function searchVenues(desk: Desk, search: string): Promise<Group> {
  const { api, language } = desk
  const query = { search, per_page: shownOfEach }
  const { body } = await api.get<{ venues: Venue[]; total: number }>(`${calendarPath}/venues`, query)
  return {
    name: consoleWords[language].nav.venues,
    total: body.total,
    all: withQuery('/admin/venues', { search }),
    hits: body.venues.map(({ id, venue, slug, address, city, language: lang }) => ({
      title: venue,
      lang,
      href: desk.may('editor') ? `/admin/venues/${id}` : pathTo('venue', lang, slug),
      hint: [address, city].filter(Boolean).join(', ')
    }))
  }
}

async function searchOrganizers(desk: Desk, search: string): Promise<Group> {
  const { api, language } = desk
  const query = { search, per_page: shownOfEach }
  const { body } = await api.get<{ organizers: Organizer[]; total: number }>(`${calendarPath}/organizers`, query)
  return {
    name: consoleWords[language].nav.organizers,
    total: body.total,
    all: withQuery('/admin/organizers', { search }),
    hits: body.organizers.map(({ id, organizer, slug, email, website, language: lang }) => ({
      title: organizer,
      lang,
      href: desk.may('editor') ? `/admin/organizers/${id}` : pathTo('organizer', lang, slug),
      hint: email || website || ''
    }))
  }
}

/** Campaigns are few, and the API lists them without a search. */
async function searchCampaigns(desk: Desk, search: string): Promise<Group> {
  const { api, language } = desk
  const { body } = await api.get<Campaign[]>('/campaigns', { limit: 200 })
  const wanted = search.toLowerCase()
  const found = body.filter(({ name, translations }) =>
    [name, translations.en?.name, translations.de?.name].some(one => one?.toLowerCase().includes(wanted))
  )
  return {
    name: consoleWords[language].nav.campaigns,
    total: found.length,
    all: withQuery('/admin/campaigns', { search }),
    hits: found.slice(0, shownOfEach).map(campaign => {
      const { id, amountDonatedSoFar: soFar, targetAmount: target, currency } = campaign
      const translated = campaign.translations[language]?.name
      return {
        title: translated ?? campaign.name,
        lang: translated === undefined ? campaign.language : language,
        href: desk.may('editor', 'treasurer')
          ? `/admin/campaigns/${id}`
          : pathTo('campaign', language, campaignPart(id, campaign.name)),
        hint: `${money(language, currency, Math.round(soFar))} / ${money(language, currency, target)}`
      }
    })
  }
}

async function searchDonations({ api, language }: Desk, search: string): Promise<Group> {
  const { body, header } = await api.get<LedgerEntry[]>('/donations', { search, limit: shownOfEach })
  const words = dashboardWords[language]
  return {
    name: consoleWords[language].nav.donations,
    total: Number(header('x-total-count')),
    all: withQuery('/admin/donations', { search }),
    hits: body.map(donation => {
      const { reference, donorName, currency, campaignName, createdAt } = donation
      const sums = words.donationSums(
        money(language, currency, donation.amount, true),
        money(language, currency, donation.amountReceived, true)
      )
      return {
        title: `${donorName ?? words.anonymous}: ${sums}`,
        href: donation.campaignDeleted
          ? withQuery('/admin/donations', { search: reference })
          : getDonationPath(donation),
        hint: [reference, campaignName, plainDay(language, createdAt)].join(' · ')
      }
    })
  }
}

function searchPage(desk: Desk, searched: string, groups: Group[]): ConsolePage {
  const { language } = desk
  const words = dashboardWords[language].search
  const total = groups.reduce((sum, group) => sum + group.total, 0)
  const start = desk.may('treasurer') ? words.start : words.startWithout
  return {
    title: searched === '' ? words.title : words.of(searched),
    body: (
      <>
        <form class="search" method="get" action="/admin/search">
          <label class="visually-hidden" for="search-all">
            {words.label}
          </label>
          <input id="search-all" type="search" name="q" value={searched} maxLength={wordsMax} />
          <button type="submit">{words.action}</button>
        </form>
        <p class="faded" role="status">
          {searched === '' ? start : total === 0 ? words.nothing : counted(language, total, ...words.found)}
        </p>
        <div class="hits">
          {groups.map(({ name, total: ofGroup, all, hits }) => (
            <section key={name} class="card part" aria-label={name}>
              <div class="part-head">
                <h2>
                  {name} <span class="count">{number(language, ofGroup)}</span>
                </h2>
                {ofGroup > hits.length ? <a href={all}>{words.more(number(language, ofGroup))}</a> : null}
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
