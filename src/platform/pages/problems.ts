import type { Language } from '../language.ts'
import { buildFieldText } from '../messages/combine-texts.ts'
import { buildText } from '../messages/messages.ts'
import { newFieldProblem, Problem } from '../problem.ts'
import { describeTooMuchMarkup } from '../rich-text/markup-cost.ts'
import { pagesMax } from './queries.ts'
import { getKindSlug, type PageKind } from './schema.ts'

export const newPageNotFoundProblem = (id: number) =>
  new Problem(404, 'page-not-found', buildText('page-problems', 'pageNotFound', { id }))

export const newTooManyPagesProblem = () =>
  new Problem(409, 'too-many-pages', buildText('page-problems', 'tooManyPages', { pagesMax }))

export const newBuiltInPageProblem = () => new Problem(409, 'built-in-page', buildText('page-problems', 'builtInPage'))

export const newMissingTextProblem = () =>
  newFieldProblem(422, '/texts', 'no-text', buildText('page-problems', 'missingText'))

export const newMissingTitleProblem = (language: Language) =>
  newFieldProblem(400, `/texts/${language}/title`, 'required', buildText('page-problems', 'missingTitle', { language }))

export const newAlwaysPublishedProblem = () =>
  newFieldProblem(422, '/status', 'always-published', buildText('page-problems', 'alwaysPublished'))

export const newAlwaysLinkedProblem = () =>
  newFieldProblem(422, '/place', 'always-linked', buildText('page-problems', 'alwaysLinked'))

export const newFixedSlugProblem = (kind: PageKind, language: Language) =>
  newFieldProblem(
    422,
    `/texts/${language}/slug`,
    'fixed-slug',
    buildText('page-problems', 'fixedSlug', { language, kindSlug: getKindSlug(kind, language) })
  )

export const newTakenSlugProblem = (slug: string, language: Language) =>
  newFieldProblem(
    422,
    `/texts/${language}/slug`,
    'slug-taken',
    buildText('page-problems', 'takenSlug', { language, slug })
  )

export const newTooMuchMarkupProblem = (language: Language, pieces: number) =>
  newFieldProblem(
    400,
    `/texts/${language}/content`,
    'too-much-markup',
    buildFieldText(`texts.${language}.content`, describeTooMuchMarkup(pieces))
  )
