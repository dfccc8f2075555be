import { type Static, Type } from 'typebox'
import { buildLanguageProperties } from '../http/language-properties.ts'
import { NamedObject } from '../http/named-object.ts'
import { Nullable } from '../http/nullable.ts'
import type { Rule } from '../http/validation.ts'
import type { Language } from '../language.ts'
import { buildText, getMessages } from '../messages/messages.ts'
import { markupRule } from '../rich-text/markup-cost.ts'

/** Pages that every site has. Their addresses are fixed, because laws and other sites refer to them. */
export const pageKinds = ['about', 'imprint', 'privacy'] as const
export type PageKind = (typeof pageKinds)[number]

export function getKindSlug(kind: PageKind, language: Language): string {
  return getMessages('paths', language)[kind]
}

const Kind = Type.Unsafe<PageKind | null>({
  type: ['string', 'null'],
  enum: [...pageKinds, null],
  description: 'Pages that every site has; null for others.'
})
const Status = Type.Enum(['draft', 'published'])
const Place = Type.Enum(['header', 'footer', 'none'], { description: 'The menu that links to the page.' })
const Order = Type.Integer({
  minimum: 0,
  maximum: 999,
  description: 'Position in its menu; smaller numbers come first.',
  examples: [50]
})

const PageText = NamedObject('PageText', {
  title: Type.String(),
  slug: Type.String({ description: 'Last part of the address.' }),
  content: Type.String({ description: 'Sanitised HTML.' })
})
export type PageText = Static<typeof PageText>

export const SitePage = NamedObject('SitePage', {
  id: Type.Integer(),
  kind: Kind,
  status: Status,
  place: Place,
  order: Order,
  texts: Type.Object(buildLanguageProperties(Type.Optional(PageText)), {
    description: 'By language; a language without a text is missing.'
  }),
  version: Type.Integer({ description: 'Version; increases with each change.' }),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' })
})
export type SitePage = Static<typeof SitePage>

const LinkText = Type.Object({ title: Type.String(), slug: Type.String() })

/** A published page without its content, for menus. */
export const PageLink = NamedObject('PageLink', {
  id: Type.Integer(),
  kind: Kind,
  place: Place,
  texts: Type.Object(buildLanguageProperties(Type.Optional(LinkText)))
})
export type PageLink = Static<typeof PageLink>

const contentMax = 100_000
const Title = Type.String({ line: true, minLength: 1, maxLength: 200, examples: ['Our team'] })
const Slug = Type.String({
  pageSlug: true,
  maxLength: 100,
  description: 'Lower-case letters, digits and hyphens. Derived from the title if empty.',
  examples: ['our-team']
})
const Content = Type.String({ text: true, maxLength: contentMax, description: `HTML. ${markupRule}` })

const NewText = Type.Object({ title: Title, slug: Type.Optional(Slug), content: Type.Optional(Content) })

export const NewPage = NamedObject('NewPage', {
  status: Type.Optional(Status),
  place: Type.Optional(Place),
  order: Type.Optional(Order),
  texts: Type.Object(buildLanguageProperties(Type.Optional(NewText)), {
    description: 'At least one language.',
    examples: [{ en: { title: 'Our team', content: '<p>Hello!</p>' } }]
  })
})
export type NewPage = Static<typeof NewPage>

const TextChanges = Type.Object({
  title: Type.Optional(Title),
  slug: Type.Optional(Slug),
  content: Type.Optional(Content)
})
export type TextChanges = Static<typeof TextChanges>

export const PageChanges = NamedObject('PageChanges', {
  status: Type.Optional(Status),
  place: Type.Optional(Place),
  order: Type.Optional(Order),
  texts: Type.Optional(
    Type.Object(buildLanguageProperties(Type.Optional(Nullable(TextChanges))), {
      description: 'Omitted languages and fields are kept; null removes the text of a language.',
      examples: [{ en: { title: 'Our team', content: '<p>Hello!</p>' } }]
    })
  )
})
export type PageChanges = Static<typeof PageChanges>

const slugRule: Rule = {
  keyword: 'pageSlug',
  type: 'string',
  check: (text: string) => {
    const slug = text.trim().toLowerCase()
    return /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/.test(slug)
      ? { value: slug }
      : {
          code: 'slug',
          message: buildText('page-problems', 'slug')
        }
  }
}

export const pageRules: Rule[] = [slugRule]
