import type { Language } from '../language.ts'
import { newFieldProblem, Problem } from '../problem.ts'
import { describeTooMuchMarkup } from '../rich-text/markup-cost.ts'
import { pagesMax } from './queries.ts'
import { getKindSlug, type PageKind } from './schema.ts'

export const newPageNotFoundProblem = (id: number) =>
  new Problem(404, 'page-not-found', { en: `There is no page ${id}.`, de: `Es gibt keine Seite ${id}.` })

export const newTooManyPagesProblem = () =>
  new Problem(409, 'too-many-pages', {
    en: `A site has at most ${pagesMax} pages. Delete one first.`,
    de: `Eine Website hat höchstens ${pagesMax} Seiten. Löschen Sie zuerst eine.`
  })

export const newBuiltInPageProblem = () =>
  new Problem(409, 'built-in-page', {
    en: 'About us, legal notice and privacy cannot be deleted. Remove their texts instead.',
    de: 'Über uns, Impressum und Datenschutz können nicht gelöscht werden. Entfernen Sie stattdessen ihre Texte.'
  })

export const newMissingTextProblem = () =>
  newFieldProblem(422, '/texts', 'no-text', {
    en: 'texts must have a text in at least one language.',
    de: 'texts muss in mindestens einer Sprache einen Text haben.'
  })

export const newMissingTitleProblem = (language: Language) =>
  newFieldProblem(400, `/texts/${language}/title`, 'required', {
    en: `texts.${language}.title is required for a new text.`,
    de: `texts.${language}.title wird für einen neuen Text gebraucht.`
  })

export const newAlwaysPublishedProblem = () =>
  newFieldProblem(422, '/status', 'always-published', {
    en: 'status of about us, legal notice and privacy is always published. Remove their texts instead.',
    de: 'status von Über uns, Impressum und Datenschutz ist immer veröffentlicht. Entfernen Sie stattdessen ihre Texte.'
  })

export const newAlwaysLinkedProblem = () =>
  newFieldProblem(422, '/place', 'always-linked', {
    en: 'place of legal notice and privacy must be header or footer: visitors have to find them on every page.',
    de: 'place von Impressum und Datenschutz muss header oder footer sein: Sie müssen von jeder Seite aus zu finden sein.'
  })

export const newFixedSlugProblem = (kind: PageKind, language: Language) =>
  newFieldProblem(422, `/texts/${language}/slug`, 'fixed-slug', {
    en: `texts.${language}.slug of this page is always ${getKindSlug(kind, language)}.`,
    de: `texts.${language}.slug dieser Seite ist immer ${getKindSlug(kind, language)}.`
  })

export const newTakenSlugProblem = (slug: string, language: Language) =>
  newFieldProblem(422, `/texts/${language}/slug`, 'slug-taken', {
    en: `texts.${language}.slug must be another one: ${slug} is already the address of a page.`,
    de: `texts.${language}.slug muss ein anderer sein: ${slug} ist schon die Adresse einer Seite.`
  })

export const newTooMuchMarkupProblem = (language: Language, pieces: number) => {
  const { en, de } = describeTooMuchMarkup(pieces)
  const field = `texts.${language}.content`
  return newFieldProblem(400, `/texts/${language}/content`, 'too-much-markup', {
    en: `${field} ${en}.`,
    de: `${field} ${de}.`
  })
}
