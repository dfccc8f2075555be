import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../components/field.tsx'

export function PasswordForm({
  language,
  action,
  error
}: {
  language: Language
  action: string
  error?: string | undefined
}) {
  const strings = getMessages('event', language)
  return (
    <div class="password-page">
      <h1>{strings.protectedTitle}</h1>
      <p class="lead">{strings.protectedText}</p>
      <form class="card" method="post" action={action}>
        <Field
          name="password"
          label={strings.password}
          error={error}
          type="password"
          autocomplete="off"
          required
          maxLength={200}
          autofocus={error !== undefined}
        />
        <button type="submit">{strings.open}</button>
      </form>
    </div>
  )
}
