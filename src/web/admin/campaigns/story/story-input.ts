import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import { type Language, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Texts } from '../../../format/texts.ts'
import type { AdminContext } from '../../shared/context.ts'
import { formatAmountInput, formatApiAmount, parseCents, toCents } from '../../shared/parse-amount.ts'

/** The fields of a row of each list, as typed. */
export const rowFields = {
  pictures: ['url', 'alt_en', 'alt_de', 'decorative', 'caption_en', 'caption_de'],
  items: ['title_en', 'title_de', 'amount', 'quantity', 'text_en', 'text_de'],
  milestones: ['title_en', 'title_de', 'amount']
} as const

export type StoryList = keyof typeof rowFields
export type Row<List extends StoryList> = Record<(typeof rowFields)[List][number], string>

export interface StoryInput {
  text_en: string
  text_de: string
  pictures: Row<'pictures'>[]
  items: Row<'items'>[]
  milestones: Row<'milestones'>[]
}

export function newItem(): Row<'items'> {
  return { title_en: '', title_de: '', amount: '', quantity: '1', text_en: '', text_de: '' }
}

export function newMilestone(): Row<'milestones'> {
  return { title_en: '', title_de: '', amount: '' }
}

/** The name of a field of a row in the form. */
export function getRowFieldName(list: StoryList, index: number, field: string): string {
  return `${list}[${index}][${field}]`
}

export function toStoryInput(story: CampaignStory, language: Language): StoryInput {
  const amount = (sum: number) => formatAmountInput(toCents(sum), language)
  return {
    text_en: story.text.en ?? '',
    text_de: story.text.de ?? '',
    pictures: story.pictures.map(({ url, alt, caption, isDecorative }) => ({
      ...{ url, decorative: isDecorative ? 'yes' : '' },
      ...{ alt_en: alt.en ?? '', alt_de: alt.de ?? '', caption_en: caption.en ?? '', caption_de: caption.de ?? '' }
    })),
    items: story.items.map(item => ({
      ...{ title_en: item.title.en ?? '', title_de: item.title.de ?? '' },
      ...{ amount: amount(item.amount), quantity: String(item.quantity) },
      ...{ text_en: item.text.en ?? '', text_de: item.text.de ?? '' }
    })),
    milestones: story.milestones.map(({ title, amount: sum }) => ({
      ...{ title_en: title.en ?? '', title_de: title.de ?? '', amount: amount(sum) }
    }))
  }
}

/** Reads the form. Rows in which nothing was typed are left out. */
export function parseStoryInput({ form }: Pick<AdminContext, 'form'>): StoryInput {
  return {
    text_en: parseText(form.text_en),
    text_de: parseText(form.text_de),
    pictures: parseRows(form, 'pictures', row => row.url !== ''),
    items: parseRows(form, 'items', ({ quantity, ...typed }) => Object.values(typed).some(text => text !== '')),
    milestones: parseRows(form, 'milestones', row => Object.values(row).some(text => text !== ''))
  }
}

/** Browsers send line breaks as CRLF. */
function parseText(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : ''
}

function parseRows<List extends StoryList>(
  form: AdminContext['form'],
  list: List,
  isFilled: (row: Row<List>) => boolean
): Row<List>[] {
  const rows: unknown = form[list]
  if (typeof rows !== 'object' || rows === null) return []
  return Object.values(rows)
    .map(row => {
      const given = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>
      return Object.fromEntries(rowFields[list].map(field => [field, parseText(given[field])])) as Row<List>
    })
    .filter(isFilled)
}

/** A button of the form that changes it without saving. */
export type Step =
  | { action: 'add'; list: StoryList }
  | { action: 'up' | 'down' | 'remove'; list: StoryList; index: number }

export function parseStep(text: string): Step | undefined {
  const [, list, action, index] = /^(pictures|items|milestones)-(add|up|down|remove)(?:-(\d{1,2}))?$/.exec(text) ?? []
  if (list === undefined) return undefined
  if (action === 'add') return { action, list: list as StoryList }
  return { action: action as 'up', list: list as StoryList, index: Number(index) }
}

export function applyStep(input: StoryInput, step: Step): StoryInput {
  if (step.action === 'add') return input
  const rows = [...input[step.list]] as Row<'items'>[]
  const [moved] = rows.splice(step.index, 1)
  if (moved === undefined) return input
  if (step.action !== 'remove') rows.splice(Math.max(0, step.index + (step.action === 'up' ? -1 : 1)), 0, moved)
  return { ...input, [step.list]: rows }
}

export type StoryResult = { body: object } | { errors: Record<string, string> }

/** Returns the request body for the API, or errors by field name. */
export function validateStory(context: AdminContext, input: StoryInput): StoryResult {
  const strings = getMessages('story-admin', context.language).wrong
  const errors: Record<string, string> = {}
  const check = (list: StoryList, index: number, found: Record<string, string | undefined>) => {
    for (const [field, error] of Object.entries(found)) {
      if (error !== undefined) errors[getRowFieldName(list, index, field)] = error
    }
  }
  for (const [index, row] of input.pictures.entries()) {
    const isDescribed = row.decorative !== '' || row.alt_en !== '' || row.alt_de !== ''
    check('pictures', index, { [`alt_${getFirstLanguage(context)}`]: isDescribed ? undefined : strings.alt })
  }
  for (const list of ['items', 'milestones'] as const) {
    for (const [index, row] of input[list].entries()) {
      const isNamed = row.title_en !== '' || row.title_de !== ''
      const { quantity = '1' } = row as Partial<Row<'items'>>
      check(list, index, {
        [`title_${getFirstLanguage(context)}`]: isNamed ? undefined : strings.title,
        amount: findAmountError(context, row.amount),
        quantity: /^[1-9]\d{0,5}$/.test(quantity) && Number(quantity) <= 100_000 ? undefined : strings.quantity
      })
    }
  }
  return Object.keys(errors).length > 0 ? { errors } : { body: toBody(context, input) }
}

/** The language in which a missing text is asked for. */
function getFirstLanguage({ site }: AdminContext): Language {
  return languages.find(language => site.languages.includes(language)) ?? 'en'
}

export function findAmountError({ language }: AdminContext, typed: string): string | undefined {
  const strings = getMessages('story-admin', language).wrong
  if (typed === '') return strings.amount
  const cents = parseCents(typed, language)
  if (typeof cents === 'string') return cents
  return cents === 0 ? strings.amountZero : undefined
}

export function toApiAmount({ language }: AdminContext, typed: string): string {
  const cents = parseCents(typed, language)
  return formatApiAmount(typeof cents === 'number' ? cents : 0)
}

export function toTexts(en: string, de: string): Texts {
  return { ...(en === '' ? {} : { en }), ...(de === '' ? {} : { de }) }
}

function toBody(context: AdminContext, input: StoryInput): object {
  return {
    text: { en: input.text_en || null, de: input.text_de || null },
    pictures: input.pictures.map(row => ({
      url: row.url,
      isDecorative: row.decorative !== '',
      alt: toTexts(row.alt_en, row.alt_de),
      caption: toTexts(row.caption_en, row.caption_de)
    })),
    items: input.items.map(row => ({
      title: toTexts(row.title_en, row.title_de),
      text: toTexts(row.text_en, row.text_de),
      amount: toApiAmount(context, row.amount),
      quantity: Number(row.quantity)
    })),
    milestones: input.milestones.map(row => ({
      title: toTexts(row.title_en, row.title_de),
      amount: toApiAmount(context, row.amount)
    }))
  }
}

/** Errors of the API by the names of the form. */
export function toFieldNames(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => {
      const [list = '', index = '', field = '', language] = path.split('/')
      if (list === 'text') return [`text_${index}`, message]
      const name = language === undefined ? field : `${field}_${language}`
      const texts = ['title', 'alt', 'caption']
      return [getRowFieldName(list as StoryList, Number(index), texts.includes(name) ? `${name}_en` : name), message]
    })
  )
}

/** The parts of a story as lines, to compare two versions. */
export function describeStory(input: StoryInput): Record<string, string> {
  const lines = (rows: Record<string, string>[]) =>
    rows.map(row => Object.values(row).filter(Boolean).join(' · ')).join('\n')
  return {
    text_en: input.text_en,
    text_de: input.text_de,
    pictures: lines(input.pictures),
    items: lines(input.items),
    milestones: lines(input.milestones)
  }
}
