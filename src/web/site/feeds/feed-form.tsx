import type { ComponentChildren } from 'preact'
import type { Language } from '#platform/language.ts'
import { campaignText } from '../../campaign-text.ts'
import { themes } from '../../embed/embed-document.tsx'
import { views } from '../../embed/look.ts'
import { pathTo } from '../../paths.ts'
import { calendarWords } from '../../text/calendar.ts'
import { feedWords } from '../../text/feeds.ts'
import { Check, Field } from '../../ui/field.tsx'
import type { Visit } from '../../visit.ts'
import { type Choices, type Filters, isFiltered, termBy } from '../calendar/calendar-filter.ts'
import { type FeedChoice, kinds } from './feed-choice.ts'

/** What is wanted, of what, and how it looks. An ordinary form: the address it makes is that of this page. */
export function FeedForm({
  visit: { language, site },
  filters,
  choices,
  choice
}: {
  visit: Visit
  filters: Filters
  choices: Choices
  choice: FeedChoice
}) {
  const words = feedWords[language]
  return (
    <form class="card feeds-form" action={`${pathTo('feeds', language)}#result`} method="get" data-configurator>
      <fieldset class="feeds-kinds">
        <legend>
          <h2>{words.build.title}</h2>
        </legend>
        {kinds.map(kind => (
          <label key={kind} class="feeds-kind">
            <input type="radio" name="show" value={kind} checked={kind === choice.kind} />
            <span>
              <strong>{words.kinds[kind][0]}</strong>
              <span class="hint">{words.kinds[kind][1]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="only-campaign">
        <CampaignField language={language} choice={choice} />
      </div>
      <div class="field-row only-events">
        <Select name="view" label={words.look.view}>
          {views.map(one => (
            <option key={one} value={one} selected={one === choice.look.view}>
              {words.look.views[one]}
            </option>
          ))}
        </Select>
        <Select name="max" label={words.look.max}>
          {[...new Set([3, 5, 10, 20, 50, choice.look.max])]
            .sort((one, other) => one - other)
            .map(one => (
              <option key={one} value={one} selected={one === choice.look.max}>
                {words.look.events(one)}
              </option>
            ))}
        </Select>
      </div>
      <div class="field-row">
        <div class="only-embed">
          <Select name="theme" label={words.look.theme}>
            {themes.map(one => (
              <option key={one} value={one} selected={one === choice.theme}>
                {words.look.themes[one]}
              </option>
            ))}
          </Select>
        </div>
        {site.languages.length < 2 ? null : (
          <Select name="in" label={words.build.language}>
            {site.languages.map(one => (
              <option key={one} value={one} selected={one === choice.spoken}>
                {words.languages[one]}
              </option>
            ))}
          </Select>
        )}
      </div>
      <details class="not-campaign" open={isFiltered(filters)}>
        <summary>{words.build.filters}</summary>
        <Narrowing language={language} filters={filters} choices={choices} />
      </details>
      <button type="submit">{words.build.action}</button>
    </form>
  )
}

function CampaignField({ language, choice: { campaigns, campaign } }: { language: Language; choice: FeedChoice }) {
  const words = feedWords[language].look
  if (campaigns.length === 0) return null
  return (
    <Select name="campaign" label={words.campaign}>
      {campaigns.map(one => {
        const { name, lang } = campaignText(one, language)
        return (
          <option key={one.id} value={one.id} selected={one.id === campaign?.id} lang={lang}>
            {name}
          </option>
        )
      })}
    </Select>
  )
}

function Narrowing({ language, filters, choices }: { language: Language; filters: Filters; choices: Choices }) {
  const words = calendarWords[language]
  const { categories, tags, venues, organizers } = choices
  const category = String(termBy(categories, filters.category)?.id ?? filters.category)
  const tag = String(termBy(tags, filters.tag)?.id ?? filters.tag)
  return (
    <>
      <div class="field-row">
        <Choice name="category" label={words.category} none={words.allCategories} chosen={category} of={categories} />
        <Choice name="tag" label={words.tag} none={words.allTags} chosen={tag} of={tags} />
        <Choice
          name="venue"
          label={words.venue}
          none={words.allVenues}
          chosen={filters.venue}
          of={venues.map(({ id, venue }) => ({ id, name: venue }))}
        />
        <Choice
          name="organizer"
          label={words.organizer}
          none={words.allOrganizers}
          chosen={filters.organizer}
          of={organizers.map(({ id, organizer }) => ({ id, name: organizer }))}
        />
      </div>
      <Field name="search" label={words.search} value={filters.search} type="search" maxLength={200} />
      <Check name="featured" label={words.featuredOnly} checked={filters.featured} />
    </>
  )
}

function Select({ name, label, children }: { name: string; label: string; children: ComponentChildren }) {
  return (
    <Field name={name} label={label}>
      {tied => <select {...tied}>{children}</select>}
    </Field>
  )
}

/** What is chosen but not among the options is kept as it was written. */
function Choice({
  name,
  label,
  none,
  chosen,
  of
}: {
  name: string
  label: string
  none: string
  chosen: string
  of: { id: number; name: string }[]
}) {
  const isListed = chosen === '' || of.some(({ id }) => String(id) === chosen)
  return (
    <Select name={name} label={label}>
      <option value="">{none}</option>
      {isListed ? null : (
        <option value={chosen} selected>
          {chosen}
        </option>
      )}
      {of.map(one => (
        <option key={one.id} value={one.id} selected={String(one.id) === chosen}>
          {one.name}
        </option>
      ))}
    </Select>
  )
}
