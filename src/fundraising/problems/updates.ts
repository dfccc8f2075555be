import type { Language } from '#platform/language.ts'
import { newFieldProblem, Problem } from '#platform/problem.ts'
import { describeTooMuchMarkup } from '#platform/rich-text/markup-cost.ts'

export const newUpdateNotFoundProblem = () =>
  new Problem(404, 'update-not-found', {
    en: 'Update not found.',
    de: 'Diese Neuigkeit gibt es nicht.'
  })

export const newUpdateWithoutTextProblem = () =>
  newFieldProblem(422, '/texts', 'update-without-text', {
    en: 'texts needs a text in at least one language.',
    de: 'texts braucht einen Text in mindestens einer Sprache.'
  })

export const newUpdateWithoutTitleProblem = (language: Language) =>
  newFieldProblem(422, `/texts/${language}/title`, 'update-without-title', {
    en: `texts.${language}.title is required: the update has no text in this language yet.`,
    de: `texts.${language}.title fehlt: Die Neuigkeit hat noch keinen Text in dieser Sprache.`
  })

export const newUpdateInFutureProblem = (today: string) =>
  newFieldProblem(422, '/date', 'in-the-future', {
    en: `date must not be later than today, ${today}.`,
    de: `date darf nicht nach heute liegen, dem ${today}.`
  })

export const newTooMuchMarkupProblem = (pointer: string, pieces: number) => {
  const { en, de } = describeTooMuchMarkup(pieces)
  const field = pointer.slice(1).replaceAll('/', '.')
  return newFieldProblem(400, pointer, 'too-much-markup', { en: `${field} ${en}.`, de: `${field} ${de}.` })
}

export const newUpdateSentProblem = () =>
  new Problem(409, 'update-already-sent', {
    en: 'The update was already sent. Each update is sent once.',
    de: 'Die Neuigkeit wurde schon verschickt. Jede Neuigkeit wird einmal verschickt.'
  })

export const newUpdateIsDraftProblem = () =>
  new Problem(409, 'update-is-draft', {
    en: 'The update, or its campaign, is a draft. Publish it before you send it.',
    de: 'Die Neuigkeit oder ihre Spendenaktion ist ein Entwurf. Veröffentlichen Sie sie vor dem Versand.'
  })

export const newEmailNotConfiguredProblem = () =>
  new Problem(409, 'email-not-configured', {
    en: 'Emails need the settings SMTP_URL and PUBLIC_URL.',
    de: 'E-Mails brauchen die Einstellungen SMTP_URL und PUBLIC_URL.'
  })

export const newNoRecipientsProblem = () =>
  new Problem(409, 'no-recipients', {
    en: 'No donor asked for news about this campaign.',
    de: 'Zu dieser Spendenaktion möchte niemand Neuigkeiten erhalten.'
  })

export const newNewsWithoutEmailProblem = () =>
  newFieldProblem(422, '/email', 'news-without-email', {
    en: 'email is required with news.',
    de: 'email fehlt: Für news wird sie gebraucht.'
  })

export const newNewsNotFoundProblem = () =>
  new Problem(404, 'news-not-found', {
    en: 'There is no subscription with this link. The personal data may have been erased.',
    de: 'Zu diesem Link gibt es keine Anmeldung. Möglicherweise wurden die Personendaten gelöscht.'
  })
