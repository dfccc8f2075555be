import { getMessages } from '#platform/messages/messages.ts'
import { Field, Select } from '../../components/field.tsx'
import type { CalendarEvent } from '../../server/calendar-api.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { getListQuery } from '../shared/list-query.ts'
import type { Column } from '../shared/table.tsx'
import { sortAsTree } from './event-choices.ts'
import type { ListChoices } from './event-filter.ts'

/** The checkboxes belong to this form by its id: the rows of the table have forms of their own. */
const formId = 'bulk-actions'

const actions = [
  'shift',
  'publish',
  'draft',
  'add_category',
  'remove_category',
  'add_tag',
  'remove_tag',
  'set_venue',
  'trash'
] as const

export function buildSelectColumn(context: AdminContext): Column<CalendarEvent> {
  const { bulk } = getMessages('daily-work', context.language)
  return {
    label: (
      <>
        <span class="visually-hidden">{bulk.column}</span>
        <label class="tick-box" hidden>
          <input type="checkbox" data-select-all="ids[]" form={formId} />
          <span class="visually-hidden">{bulk.all}</span>
        </label>
      </>
    ),
    cell: ({ id, title }) => (
      <label class="tick-box">
        <input type="checkbox" name="ids[]" value={id} form={formId} />
        <span class="visually-hidden">{bulk.one({ title })}</span>
      </label>
    )
  }
}

/** The action for the selected events. Styles show only the parameters that the chosen action needs. */
export function BulkBar({
  context,
  choices,
  isTrash
}: {
  context: AdminContext
  choices: ListChoices
  isTrash: boolean
}) {
  const { bulk } = getMessages('daily-work', context.language)
  const offered = isTrash ? (['restore'] as const) : actions
  return (
    <Form context={context} action="/admin/events/bulk" id={formId} class="bulk-bar">
      <input type="hidden" name="back" value={getListQuery(context)} />
      <fieldset>
        <legend>{bulk.legend}</legend>
        <div class="bulk-fields">
          <Select
            name="action"
            label={bulk.action}
            value=""
            options={[
              { value: '', label: bulk.choose },
              ...offered.map(action => ({ value: action, label: bulk.actions[action] }))
            ]}
          />
          {isTrash ? null : <Parameters context={context} choices={choices} />}
          <button type="submit" class="small">
            {bulk.apply}
          </button>
        </div>
      </fieldset>
    </Form>
  )
}

function Parameters({ context, choices }: { context: AdminContext; choices: ListChoices }) {
  const { bulk } = getMessages('daily-work', context.language)
  return (
    <>
      <div class="bulk-shift">
        <Field name="days" type="number" label={bulk.days} value="" min={-3660} max={3660} />
        <Field name="minutes" type="number" label={bulk.minutes} value="" min={-1440} max={1440} />
      </div>
      <div class="bulk-category">
        <Select
          name="bulk_category"
          label={bulk.category}
          value=""
          options={sortAsTree(choices.categories).map(({ term, depth }) => ({
            value: String(term.id),
            label: `${'– '.repeat(depth)}${term.name}`
          }))}
        />
      </div>
      <div class="bulk-tag">
        <Select
          name="bulk_tag"
          label={bulk.tag}
          value=""
          options={choices.tags.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </div>
      <div class="bulk-venue">
        <Select
          name="bulk_venue"
          label={bulk.venue}
          value=""
          options={[
            { value: '0', label: bulk.noVenue },
            ...choices.venues.map(({ id, venue }) => ({ value: String(id), label: venue }))
          ]}
        />
      </div>
    </>
  )
}
