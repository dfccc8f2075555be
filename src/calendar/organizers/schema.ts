import { emptyByDefault, line, linkedFields, made, name } from '../linked/schema.ts'
import { Fault, type Parameter, required, type Values } from '../parameters.ts'
import { address } from '../rules.ts'

/** What can be said of an organizer. Nothing or an empty text clears a field. */
export const organizerFields = {
  organizer: required(name('The name of the organizer.')),
  ...linkedFields,
  phone: line('The telephone number.'),
  website: emptyByDefault(address('The address of their own page elsewhere.')),
  email: emailAddress('The e-mail address.')
}

export type OrganizerChanges = Values<typeof organizerFields> & { imageId?: number | null }

const emailForm = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u
const emailLengthMax = 254

function emailAddress(description: string): Parameter<string> {
  const plain = line(description)
  return made({ ...plain, schema: { ...plain.schema, format: 'email' } }, given =>
    given === '' || (given.length <= emailLengthMax && emailForm.test(given))
      ? given
      : new Fault(
          'email',
          'must be an e-mail address such as info@example.org',
          'muss eine E-Mail-Adresse sein, etwa info@example.org'
        )
  )
}
