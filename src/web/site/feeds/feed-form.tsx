import type { Language } from '#platform/language.ts'
import { pathTo } from '../../paths.ts'
import type { SiteInfo } from '../../site-info.ts'
import { calendarWords } from '../../text/calendar.ts'
import { feedWords } from '../../text/feeds.ts'
import { Check, Field } from '../../ui/field.tsx'
import { type Choices, type Filters, termBy } from '../calendar/calendar-filter.ts'

/** What a calendar to subscribe to is narrowed by. An ordinary form: the address it makes is that of this page. */
export function FeedForm({
  language,
  site,
  filters,
  choices,
  spoken
}: {
  language: Language
  site: SiteInfo
  filters: Filters
  choices: Choices
  /** The language of the feed. */
  spoken: Language
}) {
  const words = calendarWords[language]
  const feed = feedWords[language]
  const { categories, tags, venues, organizers } = choices
  const category = String(termBy(categories, filters.category)?.id ?? filters.category)
  const tag = String(termBy(tags, filters.tag)?.id ?? filters.tag)
  return (
    <form action={`${pathTo('feeds', language)}#address`} method="get">
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
        <Field name="search" label={words.search} value={filters.search} type="search" maxLength={200} />
        {site.languages.length < 2 ? null : (
          <Field name="in" label={feed.build.language}>
            {tied => (
              <select {...tied}>
                {site.languages.map(one => (
                  <option key={one} value={one} selected={one === spoken}>
                    {feed.languages[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      <Check name="featured" label={words.featuredOnly} checked={filters.featured} />
      <button type="submit">{feed.build.action}</button>
    </form>
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
    <Field name={name} label={label}>
      {tied => (
        <select {...tied}>
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
        </select>
      )}
    </Field>
  )
}
