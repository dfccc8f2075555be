import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { buildElementSnippet, buildIframeSnippet } from '../../embed/snippets.ts'
import { withQuery } from '../../server/api-client.ts'
import { getCampaignPath, getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { type Filters, getFeedPath, toApiQuery, withFilters } from '../calendar/calendar-filter.ts'
import { withFeedFilters } from '../calendar/feed-filter.ts'
import { type FeedChoice, toEmbedQuery } from './feed-choice.ts'

/** The selection that the results are built from. */
export interface FeedSelection {
  context: PageContext
  filters: Filters
  choice: FeedChoice
}

/** Calendar subscription. */
export function CalendarAddress({ context: { language, origin }, filters, choice }: FeedSelection) {
  const strings = getMessages('feed', language)
  const path = getFeedPath(choice.textLanguage, filters)
  const address = origin + path
  return (
    <>
      <AddressRow language={language} id="feed-address" label={strings.address.label} address={address} />
      <p class="actions">
        <a class="button" href={address.replace(/^https?:/, 'webcal:')} rel="nofollow">
          {strings.address.open}
        </a>
        <a class="button quiet" href={path} rel="nofollow">
          {strings.address.download}
        </a>
      </p>
      <p class="hint">{getMessages('calendar', language).subscribe.hint}</p>
      <h3>{strings.programs.title}</h3>
      <dl>
        {strings.programs.list.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Feeds of events, filtered, and of campaigns. */
export function NewsAddresses({ context: { language, origin }, filters, choice }: FeedSelection) {
  const strings = getMessages('feed', language).news
  const { textLanguage } = choice
  const formats = [
    ['Atom', 'eventsAtom', 'campaignsAtom'],
    ['RSS', 'eventsRss', 'campaignsRss']
  ] as const
  return (
    <>
      {formats.map(([format, place]) => (
        <AddressRow
          key={place}
          language={language}
          id={`address-${place}`}
          label={strings.label({ format, what: strings.ofEvents })}
          shown={format}
          address={origin + withFeedFilters(getPath(place, textLanguage), filters)}
        />
      ))}
      <p class="hint">{strings.hint}</p>
      <h3>{strings.ofCampaigns}</h3>
      {formats.map(([format, , place]) => (
        <AddressRow
          key={place}
          language={language}
          id={`address-${place}`}
          label={strings.label({ format, what: strings.ofCampaigns })}
          shown={format}
          address={origin + getPath(place, textLanguage)}
        />
      ))}
    </>
  )
}

/** Embed of an event list. */
export function EventsEmbed({ context, filters, choice }: FeedSelection) {
  const { origin, site } = context
  const { textLanguage, embedOptions, theme } = choice
  const title = getMessages('embed', textLanguage).events({ organisation: site.name })
  const more = toEmbedQuery(embedOptions, theme)
  const { search, categories, tags, venue, organizer } = toApiQuery(filters) as Record<string, string | undefined>
  return (
    <Snippets
      context={context}
      title={title}
      frame={withFeedFilters(getPath('embedEvents', textLanguage), filters, more)}
      height={embedOptions.view === 'compact' ? 420 : 640}
      element={buildElementSnippet(origin, {
        name: 'kalends-events',
        attributes: {
          language: textLanguage,
          categories,
          tags,
          venue,
          organizer,
          search,
          featured: filters.featured,
          view: more.view ?? undefined,
          max: more.max ?? undefined,
          theme: more.theme ?? undefined
        },
        instead: {
          href: origin + withFilters(getPath('list', textLanguage), filters),
          label: getMessages('feed', textLanguage).embed.allEvents({ organisation: site.name })
        }
      })}
    />
  )
}

/** Embed of a campaign. */
export function CampaignEmbed({ context, choice }: FeedSelection) {
  const { origin, language, site } = context
  const { textLanguage, theme, campaign } = choice
  if (campaign === undefined) {
    return (
      <div class="empty">
        <p>{getMessages('feed', language).look.noCampaign}</p>
      </div>
    )
  }
  const { name } = getCampaignText(campaign, textLanguage)
  const shownTheme = theme === 'auto' ? undefined : theme
  return (
    <Snippets
      context={context}
      title={getMessages('embed', textLanguage).event({ title: name, organisation: site.name })}
      frame={withQuery(getPath('embedCampaign', textLanguage, String(campaign.id)), { theme: shownTheme })}
      height={420}
      element={buildElementSnippet(origin, {
        name: 'kalends-campaign',
        attributes: { campaign: campaign.id, language: textLanguage, theme: shownTheme },
        instead: { href: origin + getCampaignPath(campaign, textLanguage), label: name }
      })}
    />
  )
}

function Snippets({
  context: { language, origin },
  title,
  frame,
  height,
  element
}: {
  context: PageContext
  title: string
  /** Path of the embedded page. */
  frame: string
  height: number
  element: string
}) {
  const strings = getMessages('feed', language).embed
  return (
    <>
      <h3>{strings.preview}</h3>
      <iframe class="feeds-preview" src={frame} title={strings.previewOf({ what: title })} loading="lazy" />
      <h3>{strings.element}</h3>
      <p>{strings.elementText}</p>
      <Snippet language={language} id="code-element" label={strings.elementLabel} code={element} />
      <h3>{strings.frame}</h3>
      <p>{strings.frameText}</p>
      <Snippet
        language={language}
        id="code-frame"
        label={strings.frameLabel}
        code={buildIframeSnippet({ src: origin + frame, title, width: '100%', height })}
      />
      <p class="hint">{strings.notes}</p>
    </>
  )
}

function Snippet({ language, id, label, code }: { language: Language; id: string; label: string; code: string }) {
  return (
    <div class="feeds-code">
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <textarea id={id} readOnly rows={countRows(code)} spellcheck={false} dir="ltr">
        {code}
      </textarea>
      <CopyButton language={language} of={`#${id}`} label={getCopyLabel(language, label)} />
    </div>
  )
}

/** Accessible label that says what is copied, as several buttons have the same visible text. */
function getCopyLabel(language: Language, label: string): string {
  return `${getMessages('layout', language).copy}: ${label}`
}

/** Number of lines when wrapped at the usual column width. */
function countRows(code: string): number {
  return code.split('\n').reduce((rows, line) => rows + Math.ceil(line.length / 56), 1)
}

function AddressRow({
  language,
  id,
  label,
  shown,
  address
}: {
  language: Language
  id: string
  label: string
  /** Short visible label, as the context is visible. */
  shown?: string
  address: string
}) {
  return (
    <div class="feeds-row">
      <label class={shown === undefined ? 'visually-hidden' : undefined} for={id}>
        {shown ?? label}
      </label>
      <input id={id} type="text" readOnly value={address} spellcheck={false} aria-label={label} />
      <CopyButton
        language={language}
        of={`#${id}`}
        label={shown === undefined ? undefined : getCopyLabel(language, label)}
      />
    </div>
  )
}
