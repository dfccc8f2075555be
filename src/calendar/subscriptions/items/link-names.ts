import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import { joinText, type LanguageChoice, organizerTexts, termTexts, venueTexts } from '../../content/texts.ts'

/** Names of linked items, by field and id. */
export type LinkNames = Map<string, string>

/** The names of venues, organizers and terms in the values of these fields. */
export async function listLinkNames(
  db: Database,
  values: { field: string; value: unknown }[],
  choice: LanguageChoice
): Promise<LinkNames> {
  const idsOf = (...fields: string[]) =>
    values.flatMap(({ field, value }) =>
      fields.includes(field) && Array.isArray(value) ? value.map(Number).filter(Number.isSafeInteger) : []
    )
  const [venues, organizers, terms] = await Promise.all([
    db.all<{ id: number; name: string }>(sql`
      select venue.id, text.name
      from calendar.venues as venue ${joinText(venueTexts, sql`venue`, choice)}
      where venue.id = any(${idsOf('venue')}::bigint[])`),
    db.all<{ id: number; name: string }>(sql`
      select organizer.id, text.name
      from calendar.organizers as organizer ${joinText(organizerTexts, sql`organizer`, choice)}
      where organizer.id = any(${idsOf('organizer')}::bigint[])`),
    db.all<{ id: number; name: string; taxonomy: string }>(sql`
      select term.id, text.name, term.taxonomy
      from calendar.terms as term ${joinText(termTexts, sql`term`, choice)}
      where term.id = any(${idsOf('categories', 'tags')}::bigint[])`)
  ])
  return new Map([
    ...venues.map(({ id, name }): [string, string] => [`venue ${id}`, name]),
    ...organizers.map(({ id, name }): [string, string] => [`organizer ${id}`, name]),
    ...terms.map(({ id, name, taxonomy }): [string, string] => [
      `${taxonomy === 'category' ? 'categories' : 'tags'} ${id}`,
      name
    ])
  ])
}
