import { storyLengths, storyListsMax } from '#fundraising/campaigns/story/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../../components/field.tsx'
import { RowTexts, type StoryPart, StoryRow } from './row-tools.tsx'
import { getRowFieldName, newItem, newMilestone } from './story-input.ts'

const amountAttributes = { inputMode: 'decimal', autocomplete: 'off', maxLength: 40 } as const

/** The rows, and an empty one if there are none or the user asked for one. */
function withEmptyRow<Row>(rows: Row[], empty: Row, isAdded: boolean): Row[] {
  return rows.length === 0 || isAdded ? [...rows, empty] : rows
}

/** What the money is for. */
export function ItemsPart({ context, draft }: StoryPart) {
  const strings = getMessages('story-admin', context.language)
  const { input, errors, currency, step } = draft
  const isAdded = step?.list === 'items' && step.action === 'add'
  return (
    <section class="card" id="items">
      <h2>{strings.items}</h2>
      <p class="hint part-hint">{strings.itemsHint}</p>
      {withEmptyRow(input.items, newItem(), isAdded).map((row, index) => {
        const texts = { context, draft, list: 'items', index, row } as const
        const [amount, quantity] = ['amount', 'quantity'].map(field => getRowFieldName('items', index, field)) as [
          string,
          string
        ]
        return (
          <StoryRow key={index} {...texts} title={strings.item({ number: index + 1 })}>
            <RowTexts
              {...texts}
              field="title"
              label={strings.itemTitle}
              maxLength={storyLengths.title}
              autofocus={isAdded && index === input.items.length}
            />
            <div class="field-row">
              <Field
                name={amount}
                label={strings.amount({ currency })}
                error={errors[amount]}
                value={row.amount}
                {...amountAttributes}
              />
              <Field
                name={quantity}
                label={strings.quantity}
                error={errors[quantity]}
                value={row.quantity}
                inputMode="numeric"
                autocomplete="off"
                maxLength={6}
              />
            </div>
            <RowTexts {...texts} field="text" label={strings.itemText} maxLength={storyLengths.itemText} />
          </StoryRow>
        )
      })}
      <AddButton draft={draft} list="items" label={strings.addItem} />
    </section>
  )
}

export function MilestonesPart({ context, draft }: StoryPart) {
  const strings = getMessages('story-admin', context.language)
  const { input, errors, currency, step } = draft
  const isAdded = step?.list === 'milestones' && step.action === 'add'
  return (
    <section class="card" id="milestones">
      <h2>{strings.milestones}</h2>
      <p class="hint part-hint">{strings.milestonesHint}</p>
      {withEmptyRow(input.milestones, newMilestone(), isAdded).map((row, index) => {
        const texts = { context, draft, list: 'milestones', index, row } as const
        const amount = getRowFieldName('milestones', index, 'amount')
        return (
          <StoryRow key={index} {...texts} title={strings.milestone({ number: index + 1 })} isSorted>
            <RowTexts
              {...texts}
              field="title"
              label={strings.itemTitle}
              maxLength={storyLengths.title}
              autofocus={isAdded && index === input.milestones.length}
            />
            <Field
              name={amount}
              label={strings.milestoneAmount({ currency })}
              error={errors[amount]}
              value={row.amount}
              {...amountAttributes}
            />
          </StoryRow>
        )
      })}
      <AddButton draft={draft} list="milestones" label={strings.addMilestone} />
    </section>
  )
}

function AddButton({
  draft: { input, path },
  list,
  label
}: {
  draft: StoryPart['draft']
  list: 'items' | 'milestones'
  label: string
}) {
  if (input[list].length >= storyListsMax[list]) return null
  return (
    <button type="submit" class="quiet" name="do" value={`${list}-add`} formaction={`${path}#${list}`} formnovalidate>
      {label}
    </button>
  )
}
