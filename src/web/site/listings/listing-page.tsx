import type { ComponentChildren } from 'preact'
import { formatLanguageName, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { endSentence } from '#platform/sentence.ts'
import { getLangAttribute } from '../../components/event-lines.tsx'
import { Picture } from '../../components/picture.tsx'
import { RichText, summarizeHtml } from '../../components/rich-text.tsx'
import { Subscribe, subscribeScript } from '../../components/subscribe.tsx'
import { Title } from '../../components/title.tsx'
import { formatNumber } from '../../format/format.ts'
import type { Page } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import type { Image } from '../../server/calendar-api.ts'
import type { PageContext } from '../../server/context.ts'
import { buildForLanguages } from '../../server/paths.ts'
import type { PageAddresses } from '../events/alternates.ts'
import { getPagePath, type Listing, type ListingFilter, ListingView } from './listing.tsx'

type Kind = 'venue' | 'organizer' | 'category' | 'tag'

/** Page of a venue, organizer or term: name, details, events, and a calendar feed of them. */
export function buildListingPage(
  context: PageContext,
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
    /** Language of name and description. */
    language: Language
    description?: string | undefined
    image?: Image | false | undefined
    addresses: PageAddresses
    listing: Listing
    /** Filter of the feed. */
    feed: ListingFilter
    /** The same filter with the parameter names of the calendar pages. */
    filter: ListingFilter
    jsonLd?: object | undefined
    facts?: ComponentChildren
    above?: ComponentChildren
    below?: ComponentChildren
  }
): Page {
  const strings = getMessages('event', context.language)
  const { page, pages } = listing
  const lang = getLangAttribute(context, language)
  const feedPath = withQuery(`/${context.language}/events.ics`, feed)
  const onPage = (address: string) => getPagePath(address, page)
  const title = page === 1 ? name : `${name}, ${strings.pageTitle({ page: formatNumber(context.language, page) })}`
  context.reply.header('x-tec-api-root', `${context.origin}${withQuery('/wp-json/tribe/events/v1/events/', feed)}`)
  return {
    title,
    description: summarizeHtml(description) || endSentence(strings.describedBy[kind]({ name })),
    alternates: buildForLanguages(one => onPage(addresses.alternates[one])),
    canonical: onPage(addresses.canonical),
    menu: 'calendar',
    image: image ? { url: image.url, alt: image.alt ?? '' } : undefined,
    jsonLd: jsonLd === undefined ? undefined : { '@context': 'https://schema.org', ...jsonLd },
    previous: page > 1 ? getPagePath(addresses.own, page - 1) : undefined,
    next: page < pages ? getPagePath(addresses.own, page + 1) : undefined,
    icalFeed: feedPath,
    scripts: [subscribeScript],
    body: (
      <div class={`place-page ${kind} ${facts || image ? 'with-facts' : ''}`}>
        <header class="place-head">
          <p class="eyebrow">{strings[kind]}</p>
          <Title text={name} lang={lang} />
          {above}
          {lang === undefined || description === '' ? null : (
            <p class="other-language">{strings.onlyInItem({ languageName: formatLanguageName(lang, language) })}</p>
          )}
          {description === '' || page > 1 ? null : <RichText html={description} lang={lang} />}
          {below}
        </header>
        {facts || image ? (
          <aside class="place-facts card" aria-label={strings.contact}>
            {image ? <Picture image={image} sizes="(min-width: 60rem) 22rem, calc(100vw - 2rem)" /> : null}
            {facts}
          </aside>
        ) : null}
        <div class="place-events">
          <ListingView context={context} listing={listing} own={addresses.own} filter={filter} />
          <Subscribe language={context.language} origin={context.origin} feed={feedPath} only={[name]} isCopied />
        </div>
      </div>
    )
  }
}
