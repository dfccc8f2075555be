import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { withQuery } from '../../api.ts'
import type { Image } from '../../calendar-api.ts'
import { number } from '../../format.ts'
import type { Page } from '../../page.ts'
import { eventWords } from '../../text/event.ts'
import { langOf } from '../../ui/event-lines.tsx'
import { Picture } from '../../ui/picture.tsx'
import { RichText, summaryOf } from '../../ui/rich-text.tsx'
import { Subscribe, subscribeIsland } from '../../ui/subscribe.tsx'
import { Title } from '../../ui/title.tsx'
import type { Visit } from '../../visit.ts'
import type { Addresses } from '../events/twins.ts'
import { type Listing, ListingView, type Narrowed, pageAddress } from './listing.tsx'

type Kind = 'venue' | 'organizer' | 'category' | 'tag'

/** Whatever events belong to: its name, what is known of it, its events, and a calendar of just those. */
export function placePage(
  visit: Visit,
  {
    kind,
    name,
    language,
    description = '',
    image,
    addresses,
    listing,
    feed,
    filter,
    jsonLd,
    facts,
    above,
    below
  }: {
    kind: Kind
    name: string
    /** Of name and description. */
    language: Language
    description?: string | undefined
    image?: Image | false | undefined
    addresses: Addresses
    listing: Listing
    /** What its feed is narrowed to. */
    feed: Narrowed
    /** The same in the words of the calendar's pages. */
    filter: Narrowed
    jsonLd?: object | undefined
    facts?: ComponentChildren
    above?: ComponentChildren
    below?: ComponentChildren
  }
): Page {
  const words = eventWords[visit.language]
  const { page, pages } = listing
  const lang = langOf(visit, language)
  const feedPath = withQuery(`/${visit.language}/events.ics`, feed)
  const onPage = (address: string) => pageAddress(address, page)
  const title = page === 1 ? name : `${name}, ${words.pageTitle(number(visit.language, page))}`
  visit.reply.header('x-tec-api-root', `${visit.origin}${withQuery('/wp-json/tribe/events/v1/events/', feed)}`)
  return {
    title,
    description: summaryOf(description) || words.describedBy[kind](name),
    twins: { en: onPage(addresses.twins.en), de: onPage(addresses.twins.de) },
    canonical: onPage(addresses.canonical),
    menu: 'calendar',
    image: image ? { url: image.url, alt: image.alt ?? '' } : undefined,
    jsonLd: jsonLd === undefined ? undefined : { '@context': 'https://schema.org', ...jsonLd },
    previous: page > 1 ? pageAddress(addresses.own, page - 1) : undefined,
    next: page < pages ? pageAddress(addresses.own, page + 1) : undefined,
    feed: feedPath,
    islands: [subscribeIsland],
    body: (
      <div class={`place-page ${kind} ${facts || image ? 'with-facts' : ''}`}>
        <header class="place-head">
          <p class="eyebrow">{words[kind]}</p>
          <Title text={name} lang={lang} />
          {above}
          {lang === undefined || description === '' ? null : <p class="other-language">{words.onlyOtherItem}</p>}
          {description === '' || page > 1 ? null : <RichText html={description} lang={lang} />}
          {below}
        </header>
        {facts || image ? (
          <aside class="place-facts card" aria-label={words.contact}>
            {image ? <Picture image={image} sizes="(min-width: 60rem) 22rem, calc(100vw - 2rem)" /> : null}
            {facts}
          </aside>
        ) : null}
        <div class="place-events">
          <ListingView visit={visit} listing={listing} own={addresses.own} filter={filter} />
          <Subscribe language={visit.language} origin={visit.origin} feed={feedPath} only={[name]} />
        </div>
      </div>
    )
  }
}
