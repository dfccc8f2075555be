import type { ComponentChildren } from 'preact'
import { formatLanguageName, type Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field, type InputProps } from '../../../components/field.tsx'
import type { AdminContext } from '../../shared/context.ts'
import type { Step, StoryInput, StoryList } from './story-input.ts'
import { getRowFieldName } from './story-input.ts'

/** State of the editor. */
export interface StoryDraft {
  input: StoryInput
  /** Languages that the form shows. */
  languages: Language[]
  currency: string
  /** Address of the form. */
  path: string
  etag: string
  /** What the user did last, if it was not saving. */
  step?: Step | undefined
  errors: Record<string, string>
  general?: string | undefined
}

export interface StoryPart {
  context: AdminContext
  draft: StoryDraft
}

/** A row of a list as a group, with buttons to move and remove it. Works without scripts. */
export function StoryRow({
  context,
  draft,
  list,
  index,
  title,
  isSorted = false,
  children
}: StoryPart & {
  list: StoryList
  index: number
  title: string
  /** Sorted by the server, so that it cannot be moved. */
  isSorted?: boolean
  children: ComponentChildren
}) {
  const strings = getMessages('story-admin', context.language)
  const { input, path, step } = draft
  const last = input[list].length - 1
  const buttons = [
    ...(isSorted
      ? []
      : [
          { action: 'up', label: strings.up, isOff: index === 0 },
          { action: 'down', label: strings.down, isOff: index >= last }
        ]),
    { action: 'remove', label: strings.remove, isOff: false }
  ]
  const isMoved = step !== undefined && 'index' in step && step.list === list && getTarget(step) === index
  // The button that was pressed keeps the focus, unless the row is now at the end.
  const focused = isMoved
    ? (buttons.find(one => one.action === step.action && !one.isOff) ?? buttons.find(one => !one.isOff))
    : undefined
  return (
    <fieldset class="story-row">
      <legend>{title}</legend>
      {children}
      <p class="story-acts">
        {buttons.map(button => (
          <button
            key={button.action}
            type="submit"
            class="small quiet"
            name="do"
            value={`${list}-${button.action}-${index}`}
            formaction={`${path}#${list}`}
            formnovalidate
            disabled={button.isOff}
            autofocus={button === focused}
          >
            {button.label}
            <span class="visually-hidden">: {title}</span>
          </button>
        ))}
      </p>
    </fieldset>
  )
}

function getTarget(step: Extract<Step, { index: number }>): number {
  if (step.action === 'remove') return step.index
  return Math.max(0, step.index + (step.action === 'up' ? -1 : 1))
}

/** A text in each language of the form, beside each other on wide screens. */
export function RowTexts({
  context,
  draft: { languages, errors },
  list,
  index,
  field,
  row,
  label,
  ...more
}: StoryPart & {
  list: StoryList
  index: number
  field: string
  row: Record<string, string>
  label: string
  hint?: string
} & InputProps) {
  const strings = getMessages('story-admin', context.language)
  return (
    <div class="field-row">
      {languages.map((language, place) => {
        const name = getRowFieldName(list, index, `${field}_${language}`)
        return (
          <Field
            key={language}
            {...more}
            autofocus={more.autofocus === true && place === 0}
            name={name}
            label={
              languages.length === 1
                ? label
                : strings.labelIn({ label, language: formatLanguageName(language, context.language) })
            }
            error={errors[name]}
            value={row[`${field}_${language}`] ?? ''}
            lang={language}
          />
        )
      })}
      {(['en', 'de'] as const)
        .filter(language => !languages.includes(language))
        .map(language => (
          <input
            key={language}
            type="hidden"
            name={getRowFieldName(list, index, `${field}_${language}`)}
            value={row[`${field}_${language}`] ?? ''}
          />
        ))}
    </div>
  )
}
