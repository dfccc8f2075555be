import { toRepeatErrors } from '../series/repeat-input.ts'
import { toFieldErrors } from '../shared/calendar/fields.tsx'
import type { AdminContext } from '../shared/context.ts'
import type { FormErrors } from '../shared/editor.tsx'
import type { EventInput } from './event-fields.ts'
import { getEventLabels } from './event-input.ts'

/** Errors of a venue or organizer that is created along with the event belong to the fields of the new one. */
export function toEventErrors(context: AdminContext, error: unknown, input: EventInput): FormErrors {
  const { fields, general } = toFieldErrors(context, error, getEventLabels(context))
  const { venue, organizer, date, ...rest } = fields
  return {
    errors: {
      ...toRepeatErrors(context, rest),
      ...(venue === undefined ? {} : { [input.new_venue_venue === '' ? 'venue' : 'new_venue_venue']: venue }),
      ...(organizer === undefined
        ? {}
        : { [input.new_organizer_organizer === '' ? 'organizer' : 'new_organizer_organizer']: organizer }),
      ...(date === undefined ? {} : { publish_at: date })
    },
    general
  }
}
