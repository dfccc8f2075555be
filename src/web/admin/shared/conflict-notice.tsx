import { getMessages } from '#platform/messages/messages.ts'
import type { AdminContext } from './context.ts'

/** Says that someone else changed the settings while this form was open. */
export function ConflictNotice({ context }: { context: AdminContext }) {
  const { conflict } = getMessages('admin', context.language)
  return (
    <div class="notice warn" role="alert" tabIndex={-1} data-focus>
      <p>
        <strong>{conflict.title}</strong>
      </p>
      <p>{conflict.text}</p>
    </div>
  )
}
