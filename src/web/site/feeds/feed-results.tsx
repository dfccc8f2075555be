import type { Language } from '#platform/language.ts'
import { withQuery } from '../../api.ts'
import { campaignText, pathToCampaign } from '../../campaign-text.ts'
import { elementCode, frameCode } from '../../embed/codes.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import { embedWords } from '../../text/embed.ts'
import { feedWords } from '../../text/feeds.ts'
import { frameWords } from '../../text/frame.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Visit } from '../../visit.ts'
import { asked, type Filters, feedOf, withFilters } from '../calendar/calendar-filter.ts'
import { type FeedChoice, lookQuery } from './feed-choice.ts'
import { narrowed } from './feed-filter.ts'

/** What was chosen, ready to be taken away. */
export interface Chosen {
  visit: Visit
  filters: Filters
  choice: FeedChoice
}

/** A calendar to subscribe to. */
export function CalendarAddress({ visit: { language, origin }, filters, choice }: Chosen) {
  const words = feedWords[language]
  const path = feedOf(choice.spoken, filters)
  const address = origin + path
  return (
    <>
      <AddressRow language={language} id="feed-address" label={words.address.label} address={address} />
      <p class="actions">
        <a class="button" href={address.replace(/^https?:/, 'webcal:')} rel="nofollow">
          {words.address.open}
        </a>
        <a class="button quiet" href={path} rel="nofollow">
          {words.address.download}
        </a>
      </p>
      <p class="hint">{calendarWords[language].subscribe.hint}</p>
      <h3>{words.programs.title}</h3>
      <dl>
        {words.programs.list.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** News of events, narrowed, and of campaigns. */
export function NewsAddresses({ visit: { language, origin }, filters, choice }: Chosen) {
  const words = feedWords[language].news
  const { spoken } = choice
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
          label={words.label(format, words.ofEvents)}
          shown={format}
          address={origin + narrowed(pathTo(place, spoken), filters)}
        />
      ))}
      <p class="hint">{words.hint}</p>
      <h3>{words.ofCampaigns}</h3>
      {formats.map(([format, , place]) => (
        <AddressRow
          key={place}
          language={language}
          id={`address-${place}`}
          label={words.label(format, words.ofCampaigns)}
          shown={format}
          address={origin + pathTo(place, spoken)}
        />
      ))}
    </>
  )
}

/** A list of events for somebody's own site. */
export function EventsEmbed({ visit, filters, choice }: Chosen) {
  const { origin, site } = visit
  const { spoken, look, theme } = choice
  const title = embedWords[spoken].events(site.name)
  const more = lookQuery(look, theme)
  const { search, categories, tags, venue, organizer } = asked(filters) as Record<string, string | undefined>
  return (
    <Codes
      visit={visit}
      title={title}
      frame={narrowed(pathTo('embedEvents', spoken), filters, more)}
      height={look.view === 'compact' ? 420 : 640}
      element={elementCode(origin, {
        name: 'kalends-events',
        attributes: {
          language: spoken,
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
          href: origin + withFilters(pathTo('list', spoken), filters),
          label: feedWords[spoken].embed.allEvents(site.name)
        }
      })}
    />
  )
}

/** A campaign for somebody's own site. */
export function CampaignEmbed({ visit, choice }: Chosen) {
  const { origin, language, site } = visit
  const { spoken, theme, campaign } = choice
  if (campaign === undefined) {
    return (
      <div class="empty">
        <p>{feedWords[language].look.noCampaign}</p>
      </div>
    )
  }
  const { name } = campaignText(campaign, spoken)
  const shownTheme = theme === 'auto' ? undefined : theme
  return (
    <Codes
      visit={visit}
      title={embedWords[spoken].event(name, site.name)}
      frame={withQuery(pathTo('embedCampaign', spoken, String(campaign.id)), { theme: shownTheme })}
      height={420}
      element={elementCode(origin, {
        name: 'kalends-campaign',
        attributes: { campaign: campaign.id, language: spoken, theme: shownTheme },
        instead: { href: origin + pathToCampaign(campaign, spoken), label: name }
      })}
    />
  )
}

function Codes({
  visit: { language, origin },
  title,
  frame,
  height,
  element
}: {
  visit: Visit
  title: string
  /** The path of what stands in the frame. */
  frame: string
  height: number
  element: string
}) {
  const words = feedWords[language].embed
  return (
    <>
      <h3>{words.preview}</h3>
      <iframe class="feeds-preview" src={frame} title={words.previewOf(title)} loading="lazy" />
      <h3>{words.element}</h3>
      <p>{words.elementText}</p>
      <Code language={language} id="code-element" label={words.elementLabel} code={element} />
      <h3>{words.frame}</h3>
      <p>{words.frameText}</p>
      <Code
        language={language}
        id="code-frame"
        label={words.frameLabel}
        code={frameCode({ src: origin + frame, title, width: '100%', height })}
      />
      <p class="hint">{words.notes}</p>
    </>
  )
}

function Code({ language, id, label, code }: { language: Language; id: string; label: string; code: string }) {
  return (
    <div class="feeds-code">
      <label class="visually-hidden" for={id}>
        {label}
      </label>
      <textarea id={id} readOnly rows={rowsOf(code)} spellcheck={false} dir="ltr">
        {code}
      </textarea>
      <CopyButton language={language} of={`#${id}`} label={copyOf(language, label)} />
    </div>
  )
}

/** Several buttons say the same to the eye; to the ear each says what it copies. */
function copyOf(language: Language, label: string): string {
  return `${frameWords[language].copy}: ${label}`
}

/** As it breaks in a column of ordinary width. */
function rowsOf(code: string): number {
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
  /** In place of the whole label, for those who see what is around it. */
  shown?: string
  address: string
}) {
  return (
    <div class="feeds-row">
      <label class={shown === undefined ? 'visually-hidden' : undefined} for={id}>
        {shown ?? label}
      </label>
      <input id={id} type="text" readOnly value={address} spellcheck={false} aria-label={label} />
      <CopyButton language={language} of={`#${id}`} label={shown === undefined ? undefined : copyOf(language, label)} />
    </div>
  )
}
