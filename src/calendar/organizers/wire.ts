import { toMultilineText } from '#platform/rich-text/html.ts'
import type { OrganizerJson } from '../contract/shapes.ts'
import { addText, addTrailingFields, buildCommonFields, isUnlocked, type LinkedPostView } from '../linked-posts/wire.ts'
import type { OrganizerRow } from './queries.ts'

/** An organizer in the contract's format. */
export function toOrganizerJson(row: OrganizerRow, view: LinkedPostView): OrganizerJson {
  const unlocked = isUnlocked(row, view)
  const wire = buildCommonFields(row, 'organizer', view)
  addText(wire, 'phone', row.phone, unlocked)
  addText(wire, 'website', row.website, unlocked)
  addText(wire, 'email', row.email, unlocked)
  if (view.single === true && unlocked) wire.json_ld = buildPersonJsonLd(row)
  addTrailingFields(wire, row, view)
  return wire as OrganizerJson
}

/** schema.org JSON-LD, for search engines. */
export function buildPersonJsonLd(row: OrganizerRow): NonNullable<OrganizerJson['json_ld']> {
  return {
    '@type': 'Person',
    name: row.name,
    description: toMultilineText(row.description),
    url: '',
    telephone: row.phone,
    email: row.email,
    sameAs: row.website
  }
}
