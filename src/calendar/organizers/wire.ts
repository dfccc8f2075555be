import { textOf } from '../html.ts'
import { addEnd, addText, beginningOf, isUnlocked, type View } from '../linked/wire.ts'
import type { OrganizerRow } from './queries.ts'

/** An organizer as the contract spells it. */
export function organizerToWire(row: OrganizerRow, view: View): Record<string, unknown> {
  const unlocked = isUnlocked(row, view)
  const wire = beginningOf(row, 'organizer', view)
  addText(wire, 'phone', row.phone, unlocked)
  addText(wire, 'website', row.website, unlocked)
  addText(wire, 'email', row.email, unlocked)
  if (view.single === true && unlocked) wire.json_ld = personOf(row)
  addEnd(wire, row, view)
  return wire
}

/** What search engines read, in the words of schema.org. */
function personOf(row: OrganizerRow): object {
  return {
    '@type': 'Person',
    name: row.name,
    description: textOf(row.description),
    url: '',
    telephone: row.phone,
    email: row.email,
    sameAs: row.website
  }
}
