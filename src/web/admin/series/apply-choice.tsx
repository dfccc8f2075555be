import { getMessages } from '#platform/messages/messages.ts'
import { FieldError, getFieldAttributes } from '../../components/field.tsx'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'

/** Which events of a series a change concerns. */
export const applyScopes = ['this', 'following', 'all'] as const
export type ApplyScope = (typeof applyScopes)[number]

/** From the form that was sent, or from a link to the editor. */
export function parseApply(context: AdminContext): ApplyScope {
  const sent = getFormField(context, 'apply') || context.query.apply
  return applyScopes.find(scope => scope === sent) ?? 'this'
}

/** Asks which events of the series are meant. */
export function ApplyChoice({
  context,
  act,
  chosen,
  error
}: {
  context: AdminContext
  act: 'save' | 'trash'
  chosen: ApplyScope
  error?: string | undefined
}) {
  const { apply } = getMessages('series-admin', context.language)
  const strings = apply[act]
  const name = act === 'save' ? 'apply' : 'apply_trash'
  const { id } = getFieldAttributes(name, false, error)
  return (
    <fieldset
      class="choices apply-choice"
      id={id}
      {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}
    >
      <legend>{apply.title}</legend>
      {applyScopes.map(scope => (
        <div key={scope} class="check">
          <input
            type="radio"
            id={`${id}-${scope}`}
            name="apply"
            value={scope}
            checked={scope === chosen}
            aria-describedby={`${id}-${scope}-hint`}
          />
          <div>
            <label for={`${id}-${scope}`}>{strings[scope]}</label>
            <p class="hint" id={`${id}-${scope}-hint`}>
              {strings[`${scope}Hint`]}
            </p>
          </div>
        </div>
      ))}
      <FieldError of={id} error={error} />
    </fieldset>
  )
}
