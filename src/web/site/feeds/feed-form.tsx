import type { ComponentChildren } from 'preact'
import { formatLanguageName, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, Field } from '../../components/field.tsx'
import { themes } from '../../embed/embed-document.tsx'
import { views } from '../../embed/options.ts'
import { getCampaignText } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath } from '../../server/paths.ts'
import { type FilterChoices, type Filters, findTerm, isFiltered } from '../calendar/calendar-filter.ts'
import { type FeedChoice, kinds } from './feed-choice.ts'

/** Form for kind, filters and display options. A GET form: its result is a URL of this page. */
export function FeedForm({
  context: { language, site },
  filters,
  choices,
  choice
}: {
  context: PageContext
  filters: Filters
  choices: FilterChoices
  choice: FeedChoice
}) {
  const strings = getMessages('feed', language)
  return (
    <form class="card feeds-form" action={`${getPath('feeds', language)}#result`} method="get" data-configurator>
      <fieldset class="feeds-kinds">
        <legend>
          <h2>{strings.build.title}</h2>
        </legend>
        {kinds.map(kind => (
          <label key={kind} class="feeds-kind">
            <input type="radio" name="show" value={kind} checked={kind === choice.kind} />
            <span>
              <strong>{strings.kinds[kind][0]}</strong>
              <span class="hint">{strings.kinds[kind][1]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="only-campaign">
        <CampaignField language={language} choice={choice} />
      </div>
      <div class="field-row only-events">
        <Select name="view" label={strings.look.view}>
          {views.map(one => (
            <option key={one} value={one} selected={one === choice.embedOptions.view}>
              {strings.look.views[one]}
            </option>
          ))}
        </Select>
        <Select name="max" label={strings.look.max}>
          {[...new Set([3, 5, 10, 20, 50, choice.embedOptions.max])]
            .sort((one, other) => one - other)
            .map(one => (
              <option key={one} value={one} selected={one === choice.embedOptions.max}>
                {strings.look.events({ count: one })}
              </option>
            ))}
        </Select>
      </div>
      <div class="field-row">
        <div class="only-embed">
          <Select name="theme" label={strings.look.theme}>
            {themes.map(one => (
              <option key={one} value={one} selected={one === choice.theme}>
                {strings.look.themes[one]}
              </option>
            ))}
          </Select>
        </div>
        {site.languages.length < 2 ? null : (
          <Select name="in" label={strings.build.language}>
            {site.languages.map(one => (
              <option key={one} value={one} selected={one === choice.textLanguage}>
                {formatLanguageName(one, language)}
              </option>
            ))}
          </Select>
        )}
      </div>
      <details class="not-campaign" open={isFiltered(filters)}>
        <summary>{strings.build.filters}</summary>
        <Narrowing language={language} filters={filters} choices={choices} />
      </details>
      <button type="submit">{strings.build.action}</button>
    </form>
  )
}

function CampaignField({ language, choice: { campaigns, campaign } }: { language: Language; choice: FeedChoice }) {
  const strings = getMessages('feed', language).look
  if (campaigns.length === 0) return null
  return (
    <Select name="campaign" label={strings.campaign}>
      {campaigns.map(one => {
        const { name, lang } = getCampaignText(one, language)
        return (
          <option key={one.id} value={one.id} selected={one.id === campaign?.id} lang={lang}>
            {name}
          </option>
        )
      })}
    </Select>
  )
}

function Narrowing({ language, filters, choices }: { language: Language; filters: Filters; choices: FilterChoices }) {
  const strings = getMessages('calendar', language)
  const { categories, tags, venues, organizers } = choices
  const category = String(findTerm(categories, filters.category)?.id ?? filters.category)
  const tag = String(findTerm(tags, filters.tag)?.id ?? filters.tag)
  return (
    <>
      <div class="field-row">
        <Choice
          name="category"
          label={strings.category}
          none={strings.allCategories}
          chosen={category}
          of={categories}
        />
        <Choice name="tag" label={strings.tag} none={strings.allTags} chosen={tag} of={tags} />
        <Choice
          name="venue"
          label={strings.venue}
          none={strings.allVenues}
          chosen={filters.venue}
          of={venues.map(({ id, venue }) => ({ id, name: venue }))}
        />
        <Choice
          name="organizer"
          label={strings.organizer}
          none={strings.allOrganizers}
          chosen={filters.organizer}
          of={organizers.map(({ id, organizer }) => ({ id, name: organizer }))}
        />
      </div>
      <Field name="search" label={strings.search} value={filters.search} type="search" maxLength={200} />
      <Checkbox name="featured" label={strings.featuredOnly} checked={filters.featured} />
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

/** A selected value that is not among the options is kept as it is. */
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
