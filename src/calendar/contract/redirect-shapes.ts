import { type Static, Type } from 'typebox'
import { NamedObject } from '#platform/http/named-object.ts'
import { buildChoiceSchema, languageSchema } from './shapes.ts'

/** The kinds of items that have a page with a slug. */
export const slugKinds = ['event', 'venue', 'organizer', 'category', 'tag'] as const
export type SlugKind = (typeof slugKinds)[number]

const redirectSchema = NamedObject('Redirect', {
  kind: buildChoiceSchema([...slugKinds, 'image', 'file', 'view']),
  id: Type.Integer(),
  slug: Type.String({
    description: 'Present slug; of a view of the calendar its path below `/events/`; empty for an image or a file.'
  }),
  language: languageSchema,
  url: Type.String({ description: 'Page of the item or view, or the file itself.' })
})
export type RedirectJson = Static<typeof redirectSchema>

export const redirectListSchema = NamedObject('RedirectList', { redirects: Type.Array(redirectSchema) })
