import type { ComponentChildren } from 'preact'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import type { PageContext } from '../../server/context.ts'
import { formatPrice, listPlaces } from './active-filters.ts'
import { distances, type FilterChoices, type Filters, findTerm, getTermKey, prices } from './calendar-filter.ts'

interface FilterProps {
  context: Pick<PageContext, 'language' | 'site'>
  filters: Filters
  choices: FilterChoices
}

/** Search and filters, as a form that works without scripts. */
export function FilterForm({
  context,
  path,
  filters,
  choices,
  hasDates,
  past
}: FilterProps & {
  /** This view. */
  path: string
  /** Only the list can be limited to a range of days. */
  hasDates: boolean
  past: boolean
}) {
  const strings = getMessages('calendar', context.language)
  const hidden = {
    when: hasDates ? filters.when : '',
    past: past ? 'yes' : '',
    once: filters.once ? 'yes' : '',
    series: filters.series,
    // Fields of the further filters, if those are not shown.
    ...(choices.more
      ? {}
      : {
          from: filters.from,
          to: filters.to,
          price: filters.price,
          online: filters.online ? 'yes' : '',
          featured: filters.featured ? 'yes' : ''
        })
  }
  return (
    <search>
      <form action={path} method="get" aria-label={strings.filter}>
        <label class="visually-hidden" for="filter-search">
          {strings.search}
        </label>
        <input
          id="filter-search"
          class="filter-search"
          type="search"
          name="search"
          value={filters.search}
          placeholder={strings.searchHint}
          maxLength={200}
          dir="auto"
        />
        <label class="visually-hidden" for="filter-category">
          {strings.category}
        </label>
        <Select
          id="filter-category"
          name="category"
          none={strings.allCategories}
          chosen={findTerm(choices.categories, filters.category) ?? filters.category}
          options={choices.categories.map(term => [getTermKey(term), term.name])}
        />
        <button type="submit">{strings.apply}</button>
        {choices.more ? (
          <MoreFilters context={context} filters={filters} choices={choices} hasDates={hasDates} />
        ) : (
          <button type="submit" name="more" value="yes" class="quiet filter-more">
            {strings.moreFilters}
          </button>
        )}
        {Object.entries(hidden).map(([name, value]) =>
          value === '' ? null : <input key={name} type="hidden" name={name} value={value} />
        )}
      </form>
    </search>
  )
}

function MoreFilters({ context, filters, choices, hasDates }: FilterProps & { hasDates: boolean }) {
  const { language, site } = context
  const strings = getMessages('calendar', language)
  const places = listPlaces(choices.venues)
  const labelled = (name: string, label: string, field: ComponentChildren) => (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      {field}
    </div>
  )
  const day = (name: 'from' | 'to', label: string) =>
    labelled(name, label, <input id={`filter-${name}`} type="date" name={name} value={filters[name]} />)
  const check = (name: 'online' | 'featured', label: string) => (
    <div class="check">
      <input id={`filter-${name}`} type="checkbox" name={name} value="yes" checked={filters[name]} />
      <label for={`filter-${name}`}>{label}</label>
    </div>
  )
  return (
    <details class="filter-further" open>
      <summary>{strings.moreFilters}</summary>
      <input type="hidden" name="more" value="yes" />
      <div class="field-row">
        {hasDates ? day('from', strings.fromDay) : null}
        {hasDates ? day('to', strings.toDay) : null}
        {labelled(
          'price',
          strings.price,
          <Select
            id="filter-price"
            name="price"
            none={strings.anyPrice}
            chosen={filters.price}
            options={withChosenOption([...prices], filters.price).map(price => [
              String(price),
              formatPrice(language, site.currency, String(price))
            ])}
          />
        )}
        {places.length === 0
          ? null
          : labelled(
              'near',
              strings.near,
              <Select
                id="filter-near"
                name="near"
                none={strings.anywhere}
                chosen={filters.near}
                options={places.map(({ near, name }) => [near, name])}
              />
            )}
        {places.length === 0
          ? null
          : labelled(
              'within',
              strings.distance,
              <select id="filter-within" name="within">
                {withChosenOption([...distances], filters.within || '10').map(distance => (
                  <option key={distance} value={distance} selected={String(distance) === (filters.within || '10')}>
                    {strings.kilometres({ count: formatNumber(language, distance) })}
                  </option>
                ))}
              </select>
            )}
        {labelled(
          'venue',
          strings.venue,
          <Select
            id="filter-venue"
            name="venue"
            none={strings.allVenues}
            chosen={filters.venue}
            options={choices.venues.map(({ id, venue }) => [String(id), venue])}
          />
        )}
        {labelled(
          'organizer',
          strings.organizer,
          <Select
            id="filter-organizer"
            name="organizer"
            none={strings.allOrganizers}
            chosen={filters.organizer}
            options={choices.organizers.map(({ id, organizer }) => [String(id), organizer])}
          />
        )}
        {labelled(
          'tag',
          strings.tag,
          <Select
            id="filter-tag"
            name="tag"
            none={strings.allTags}
            chosen={findTerm(choices.tags, filters.tag) ?? filters.tag}
            options={choices.tags.map(term => [getTermKey(term), term.name])}
          />
        )}
      </div>
      {check('online', strings.onlineOnly)}
      {check('featured', strings.featuredOnly)}
      <button type="submit" class="small">
        {strings.apply}
      </button>
    </details>
  )
}

/** A link may have a number that the form does not offer. */
function withChosenOption(offered: number[], chosen: string): number[] {
  return chosen === '' || offered.includes(Number(chosen))
    ? offered
    : [...offered, Number(chosen)].sort((one, other) => one - other)
}

/** A selected value that is not among the options is kept as it is. */
function Select({
  id,
  name,
  none,
  chosen,
  options
}: {
  id: string
  name: string
  none: string
  chosen: string | { id: number; slug: string }
  options: [key: string, name: string][]
}) {
  const key = typeof chosen === 'string' ? chosen : getTermKey(chosen)
  const isListed = key === '' || options.some(([one]) => one === key)
  return (
    <select id={id} name={name}>
      <option value="">{none}</option>
      {isListed ? null : (
        <option value={key} selected>
          {key}
        </option>
      )}
      {options.map(([value, label]) => (
        <option key={value} value={value} selected={value === key}>
          {label}
        </option>
      ))}
    </select>
  )
}
