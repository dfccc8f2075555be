import type { Language } from '#platform/language.ts'
import { buildFieldText } from '#platform/messages/combine-texts.ts'
import { buildText } from '#platform/messages/messages.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { describeTooMuchMarkup } from '#platform/rich-text/markup-cost.ts'

export const newUpdateNotFoundProblem = () =>
  new Problem(404, 'update-not-found', buildText('update-problems', 'updateNotFound'))

export const newUpdateWithoutTextProblem = () =>
  newFieldProblem(422, '/texts', 'update-without-text', buildText('update-problems', 'updateWithoutText'))

export const newUpdateWithoutTitleProblem = (language: Language) =>
  newFieldProblem(
    422,
    `/texts/${language}/title`,
    'update-without-title',
    buildText('update-problems', 'updateWithoutTitle', { language })
  )

export const newUpdateInFutureProblem = (today: string) =>
  newFieldProblem(422, '/date', 'in-the-future', buildText('update-problems', 'updateInFuture', { today }))

export const newTooMuchMarkupProblem = (pointer: string, pieces: number) => {
  const field = pointer.slice(1).replaceAll('/', '.')
  return newFieldProblem(400, pointer, 'too-much-markup', buildFieldText(field, describeTooMuchMarkup(pieces)))
}

export const newUpdateSentProblem = () =>
  new Problem(409, 'update-already-sent', buildText('update-problems', 'updateSent'))

export const newUpdateIsDraftProblem = () =>
  new Problem(409, 'update-is-draft', buildText('update-problems', 'updateIsDraft'))

export const newEmailNotConfiguredProblem = () =>
  new Problem(409, 'email-not-configured', buildText('update-problems', 'emailNotConfigured'))

export const newNoRecipientsProblem = () =>
  new Problem(409, 'no-recipients', buildText('update-problems', 'noRecipients'))

export const newNewsWithoutEmailProblem = () =>
  newFieldProblem(422, '/email', 'news-without-email', buildText('update-problems', 'newsWithoutEmail'))

export const newNewsNotFoundProblem = () =>
  new Problem(404, 'news-not-found', buildText('update-problems', 'newsNotFound'))
