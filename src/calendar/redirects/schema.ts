import type { ParamValues } from '../contract/param-definition.ts'
import { newEnumParam, newNonEmptyTextParam, newPositiveIntParam } from '../contract/params.ts'
import { slugKinds } from '../contract/redirect-shapes.ts'

export const redirectParams = {
  kind: newEnumParam('Kind of the item. Needed with `slug`.', slugKinds),
  slug: newNonEmptyTextParam('Present or former slug, in any language.', 400),
  post_id: newPositiveIntParam('Id of an event, venue or organizer, here or at the site that it was imported from.'),
  path: newNonEmptyTextParam(
    'Path of a page at the site that was imported, such as `/veranstaltung/sommerfest/`.',
    500
  ),
  upload: newNonEmptyTextParam('Path of a file at the site that was imported: `/wp-content/uploads/…`.', 500)
}

export type RedirectValues = ParamValues<typeof redirectParams>
