import { formatLanguageName, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field, FieldError, getFieldAttributes } from '../../components/field.tsx'
import type { AdminContext } from '../shared/context.ts'

export type UserField = 'name' | 'email' | 'role' | 'language'

const roles = ['admin', 'editor', 'treasurer', 'viewer'] as const

/** Fields of a user, for invitations and existing accounts. */
export function UserFields({
  context,
  shown,
  errors
}: {
  context: AdminContext
  shown(name: UserField, fallback?: string): string
  errors: Record<string, string>
}) {
  const { language } = context
  const strings = getMessages('users-and-keys', language).users
  return (
    <>
      <Field
        name="name"
        label={strings.name}
        value={shown('name')}
        error={errors.name}
        autocomplete="off"
        maxLength={100}
        required
      />
      <Field
        name="email"
        type="email"
        label={strings.email}
        value={shown('email')}
        error={errors.email}
        autocomplete="off"
        maxLength={254}
        required
      />
      <RoleField context={context} chosen={shown('role', 'editor')} error={errors.role} />
      <Field name="language" label={strings.language} error={errors.language}>
        {tied => (
          <select {...tied}>
            {languages.map(one => (
              <option key={one} value={one} selected={one === shown('language', language)}>
                {formatLanguageName(one, language)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

function RoleField({ context, chosen, error }: { context: AdminContext; chosen: string; error: string | undefined }) {
  const strings = getMessages('users-and-keys', context.language).users
  const { id } = getFieldAttributes('role', false, error)
  return (
    <fieldset class="field choices" id={id}>
      <legend>{strings.role}</legend>
      {roles.map(role => (
        <label key={role} class="check">
          <input type="radio" name="role" value={role} checked={role === chosen} />
          <span>
            {getMessages('admin', context.language).roles[role]} <span class="hint">{strings.roleHints[role]}</span>
          </span>
        </label>
      ))}
      <FieldError of={id} error={error} />
    </fieldset>
  )
}
