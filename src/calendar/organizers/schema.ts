import { buildText } from '#platform/messages/messages.ts'
import { makeRequired, type Param, ParamError, type ParamValues } from '../contract/param-definition.ts'
import { newUrlParam } from '../contract/params.ts'
import { linkedPostFields, mapParam, newNameParam, newTextLineParam, withNullDefault } from '../linked-posts/schema.ts'

/** Writable fields of an organizer. Null or an empty string clears a field. */
export const organizerFields = {
  organizer: makeRequired(newNameParam('The name of the organizer.')),
  ...linkedPostFields,
  phone: newTextLineParam('The telephone number.'),
  website: withNullDefault(newUrlParam('URL of their own website.')),
  email: newEmailParam('The email address.')
}

export type OrganizerChanges = ParamValues<typeof organizerFields> & { imageId?: number | null }

const emailPattern = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u
const emailLengthMax = 254

function newEmailParam(description: string): Param<string> {
  const plain = newTextLineParam(description)
  return mapParam({ ...plain, schema: { ...plain.schema, format: 'email' } }, given =>
    given === '' || (given.length <= emailLengthMax && emailPattern.test(given))
      ? given
      : new ParamError('email', buildText('calendar-rules', 'email'))
  )
}
