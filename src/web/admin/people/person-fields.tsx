import { languages } from '#platform/language.ts'
import { consoleWords } from '../../text/console.ts'
import { peopleWords } from '../../text/people.ts'
import { Field, FieldError, tiedTo } from '../../ui/field.tsx'
import type { Desk } from '../console.ts'

export type PersonField = 'name' | 'email' | 'role' | 'language'

const roles = ['admin', 'editor', 'treasurer', 'viewer'] as const

/** What a person with an account is asked for, whether they are invited or there already. */
export function PersonFields({
  desk,
  shown,
  errors
}: {
  desk: Desk
  shown(name: PersonField, fallback?: string): string
  errors: Record<string, string>
}) {
  const { language } = desk
  const words = peopleWords[language].users
  return (
    <>
      <Field
        name="name"
        label={words.name}
        value={shown('name')}
        error={errors.name}
        autocomplete="off"
        maxLength={100}
        required
      />
      <Field
        name="email"
        type="email"
        label={words.email}
        value={shown('email')}
        error={errors.email}
        autocomplete="off"
        maxLength={254}
        required
      />
      <RoleField desk={desk} chosen={shown('role', 'editor')} error={errors.role} />
      <Field name="language" label={words.language} error={errors.language}>
        {tied => (
          <select {...tied}>
            {languages.map(one => (
              <option key={one} value={one} selected={one === shown('language', language)}>
                {consoleWords[language].languages[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

function RoleField({ desk, chosen, error }: { desk: Desk; chosen: string; error: string | undefined }) {
  const words = peopleWords[desk.language].users
  const { id } = tiedTo('role', false, error)
  return (
    <fieldset class="field choices" id={id}>
      <legend>{words.role}</legend>
      {roles.map(role => (
        <label key={role} class="check">
          <input type="radio" name="role" value={role} checked={role === chosen} />
          <span>
            {consoleWords[desk.language].roles[role]} <span class="hint">{words.roleHints[role]}</span>
          </span>
        </label>
      ))}
      <FieldError of={id} error={error} />
    </fieldset>
  )
}
