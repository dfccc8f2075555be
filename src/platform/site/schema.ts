import { isValidIBAN } from 'ibantools'
import { type Static, Type } from 'typebox'
import { siteSettings } from '../config.ts'
import { buildLanguageProperties } from '../http/language-properties.ts'
import { NamedObject } from '../http/named-object.ts'
import { Nullable } from '../http/nullable.ts'
import type { Rule } from '../http/validation.ts'
import type { Text } from '../language.ts'
import { type Language, languages } from '../language.ts'
import { buildText } from '../messages/messages.ts'
import { PageLink } from '../pages/schema.ts'
import { parseCurrencyCode, parseTimeZone } from '../settings/setting-values.ts'
import { canParseUrl } from '../url/parse-url.ts'

const Texts = (description: string) => Type.Object(buildLanguageProperties(Type.String()), { description })

export const SiteAccount = NamedObject('SiteAccount', {
  iban: Type.String(),
  name: Type.String(),
  nameOfBank: Type.String()
})
export type SiteAccount = Static<typeof SiteAccount>

/** Colour themes; the web has their colours. */
export const themes = ['brick', 'forest', 'ocean', 'plum', 'honey', 'slate'] as const
export type ThemeName = (typeof themes)[number]

const imageSizesMax = 8
const ImageUrl = Type.String({ address: true, maxLength: 2000, examples: ['https://example.org/garden.jpg'] })
const Pixels = Type.Integer({ minimum: 1, maximum: 20_000 })
const AltText = Type.String({ line: true, maxLength: 1000 })

/** The image at the top of the home page. */
export const Hero = NamedObject('Hero', {
  url: ImageUrl,
  width: Pixels,
  height: Pixels,
  alt: Type.Object(buildLanguageProperties(AltText), {
    description: 'Alternative texts; empty for a decorative image.'
  }),
  sizes: Type.Array(Type.Object({ url: ImageUrl, width: Pixels }), {
    maxItems: imageSizesMax,
    description: 'The same image in other sizes.'
  })
})
export type Hero = Static<typeof Hero>

export const Site = NamedObject('Site', {
  name: Type.String(),
  tagline: Texts('One line below the name.'),
  contactEmail: Nullable(Type.String()),
  languages: Type.Array(Type.Enum([...languages]), { description: 'Languages of the site.' }),
  defaultLanguage: Type.Enum([...languages]),
  timezone: Type.String(),
  currency: Type.String(),
  accent: Nullable(Type.String({ description: 'Accent colour as #rrggbb.' })),
  theme: Type.Enum([...themes], {
    description: 'Colours of the site; `accent` replaces the accent colour of the theme.'
  }),
  weekStart: Type.Enum(['monday', 'sunday']),
  logoUrl: Nullable(Type.String()),
  hero: Nullable(Hero),
  socialLinks: Type.Array(Type.String(), { description: 'Profiles of the organisation in social networks.' }),
  pages: Type.Array(PageLink, { description: 'Published pages, in the order of the menus.' }),
  account: Type.Optional(
    Nullable(SiteAccount, {
      description: 'Default bank account for new campaigns; only for callers who may write campaigns.'
    })
  ),
  secondPersonForAccounts: Type.Optional(
    Type.Boolean({
      description: 'Whether a second person has to confirm a change of IBAN; only for callers who may write campaigns.'
    })
  ),
  suggestions: Type.Boolean({ description: 'Whether visitors can suggest events.' }),
  suggestionsProofOfWork: Type.Boolean({ description: 'Whether a suggestion needs a proof of work.' }),
  suggestionRetentionDays: Type.Integer({
    description: 'Days after the decision until the data of the sender of a suggestion is erased.'
  }),
  fixed: Type.Array(Type.Enum(Object.keys(siteSettings)), {
    description: 'Settings fixed by environment variables; they cannot be changed here.'
  }),
  version: Type.Integer({ description: 'Version; increases with each change.' }),
  updatedAt: Nullable(Type.String({ format: 'date-time' }))
})
export type Site = Static<typeof Site>

const Line = (maxLength: number) => Type.String({ line: true, maxLength })
const InBoth = (text: ReturnType<typeof Type.String>) =>
  Type.Optional(Type.Object(buildLanguageProperties(Type.Optional(text))))

const appearance = {
  accent: Type.Optional(Nullable(Type.String({ colour: true, maxLength: 7, examples: ['#0b6e4f'] }))),
  theme: Type.Optional(Type.Enum([...themes], { description: 'Colour theme.' })),
  logoUrl: Type.Optional(
    Nullable(
      Type.String({
        address: true,
        maxLength: 2000,
        description: 'URL (http or https), or a path on this site.',
        examples: ['https://example.org/logo.svg']
      })
    )
  ),
  hero: Type.Optional(Nullable(Hero)),
  socialLinks: Type.Optional(
    Type.Array(Type.String({ profile: true, maxLength: 500, examples: ['https://mastodon.social/@example'] }), {
      maxItems: 10,
      description: 'https URLs.'
    })
  )
}

/** The part of the settings that editors may change. */
export const SiteAppearance = NamedObject('SiteAppearance', appearance)
export type SiteAppearance = Static<typeof SiteAppearance>

/** Omitted fields stay unchanged, also one of two languages. Unknown and read-only fields are ignored. */
export const SiteChanges = NamedObject('SiteChanges', {
  name: Type.Optional(Type.String({ line: true, minLength: 1, maxLength: 100 })),
  tagline: InBoth(Line(200)),
  contactEmail: Type.Optional(Nullable(Type.String({ line: true, format: 'email', maxLength: 254 }))),
  languages: Type.Optional(
    Type.Array(Type.Enum([...languages]), { description: 'At least one language.', examples: [['de', 'en']] })
  ),
  defaultLanguage: Type.Optional(Type.Enum([...languages], { description: 'One of the languages of the site.' })),
  timezone: Type.Optional(Type.String({ zone: true, maxLength: 100, examples: ['Europe/Berlin'] })),
  currency: Type.Optional(Type.String({ currency: true, maxLength: 3, examples: ['EUR'] })),
  ...appearance,
  weekStart: Type.Optional(Type.Enum(['monday', 'sunday'])),
  account: Type.Optional(
    Nullable(
      Type.Object({
        iban: Type.String({ iban: true, maxLength: 60, examples: ['DE89370400440532013000'] }),
        name: Type.String({ line: true, minLength: 1, maxLength: 140, description: 'Account holder.' }),
        nameOfBank: Type.Optional(Nullable(Line(140)))
      })
    )
  ),
  secondPersonForAccounts: Type.Optional(
    Type.Boolean({
      description:
        'Whether a second person has to confirm a change of IBAN. Requires two users with the role admin or treasurer; disabling it also has to be confirmed.',
      examples: [false]
    })
  ),
  suggestions: Type.Optional(Type.Boolean({ description: 'Whether visitors can suggest events.' })),
  suggestionsProofOfWork: Type.Optional(
    Type.Boolean({ description: 'Whether a suggestion needs a proof of work (spam protection).', examples: [false] })
  ),
  suggestionRetentionDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'Days after the decision until the data of the sender of a suggestion is erased.',
      examples: [90]
    })
  )
})
export type SiteChanges = Static<typeof SiteChanges>

export type Texts = Record<Language, string>

type Check = (text: string) => string | undefined

const newTextRule = (keyword: string, code: string, check: Check, buildMessage: () => Text): Rule => ({
  keyword,
  type: 'string',
  check: (text: string) => {
    const value = check(text.trim())
    return value === undefined ? { code, message: buildMessage() } : { value }
  }
})

const newPatternCheck = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined)

/**
 * Unlike the accounts of campaigns, the site's account is in no specification, so wrong check digits are always
 * refused. Characters are checked before upper-casing, because some non-ASCII letters become ASCII by it.
 */
const ibanRule: Rule = {
  keyword: 'iban',
  type: 'string',
  check: (text: string) => {
    const iban = text.replace(/\s+/g, '')
    if (!/^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}$/.test(iban)) {
      return {
        code: 'iban-form',
        message: buildText('site-rules', 'ibanForm')
      }
    }
    if (!isValidIBAN(iban.toUpperCase())) {
      return {
        code: 'iban-check',
        message: buildText('site-rules', 'ibanCheck')
      }
    }
    return { value: iban.toUpperCase() }
  }
}

/** Browsers treat `//host` and `/\host` as another site, so these are not paths. */
function parseWebAddress(text: string): string | undefined {
  if (/[\s<>"'`\\]/.test(text)) return undefined
  if (text.startsWith('/')) return text.startsWith('//') || !/^[\x21-\x7e]+$/.test(text) ? undefined : text
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) return undefined
  const { username, password, href } = new URL(text)
  return username === '' && password === '' ? href : undefined
}

function parseProfile(text: string): string | undefined {
  return text.startsWith('https://') ? parseWebAddress(text) : undefined
}

export const siteRules: Rule[] = [
  newTextRule('zone', 'time-zone', parseTimeZone, () => buildText('site-rules', 'timeZone')),
  newTextRule('currency', 'currency', parseCurrencyCode, () => buildText('site-rules', 'currency')),
  newTextRule('colour', 'colour', newPatternCheck(/^#[0-9a-fA-F]{6}$/), () => buildText('site-rules', 'colour')),
  newTextRule('profile', 'https-address', parseProfile, () => buildText('site-rules', 'httpsAddress')),
  newTextRule('address', 'web-address', parseWebAddress, () => buildText('site-rules', 'webAddress')),
  ibanRule
]
