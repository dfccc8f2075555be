import type { Language } from '#platform/language.ts'
import { eventWords } from '../../text/event.ts'
import { Field } from '../../ui/field.tsx'

/** Asks for the password of an event. */
export function PasswordForm({
  language,
  action,
  error
}: {
  language: Language
  action: string
  error?: string | undefined
}) {
  const words = eventWords[language]
  return (
    <div class="password-page">
      <h1>{words.protectedTitle}</h1>
      <p class="lead">{words.protectedText}</p>
      <form class="card" method="post" action={action}>
        <Field
          name="password"
          label={words.password}
          error={error}
          type="password"
          autocomplete="off"
          required
          maxLength={200}
          autofocus={error !== undefined}
        />
        <button type="submit">{words.open}</button>
      </form>
    </div>
  )
}
