import type { Language } from '#platform/language.ts'
import { getFormField, type PageContext } from '../../../server/context.ts'
import { type FieldGroups, type FieldInput, type FormField, getFieldPath, listFields } from './field-definition.ts'
import { getKind } from './field-kinds.ts'

function mapFields<Groups extends FieldGroups>(
  groups: Groups,
  getText: (field: FormField) => string
): FieldInput<Groups> {
  return Object.fromEntries(listFields(groups).map(field => [field.name, getText(field)])) as FieldInput<Groups>
}

/** The input of a new form. */
export function newInput<Groups extends FieldGroups>(groups: Groups): FieldInput<Groups> {
  return mapFields(groups, ({ initial = '' }) => initial)
}

/** Converts a saved object. Translated fields are empty if the API returned the text of another language. */
export function toInput<Groups extends FieldGroups>(
  { language }: Pick<PageContext, 'language'>,
  groups: Groups,
  saved: object,
  textLanguage?: Language
): FieldInput<Groups> {
  const hasText = textLanguage === undefined || ('language' in saved && saved.language === textLanguage)
  return mapFields(groups, field => {
    const path = getFieldPath(field)
    if (path === null) return field.initial ?? ''
    if (field.isTranslated === true && !hasText) return ''
    const value = readPath(saved, path)
    const { format } = getKind(field.kind)
    return format === undefined ? String(value ?? '') : format(value, language)
  })
}

function readPath(saved: unknown, path: string): unknown {
  return path
    .split('/')
    .reduce<unknown>((within, name) => (within as Record<string, unknown> | null | undefined)?.[name], saved)
}

/** Reads the form that was sent. */
export function parseInput<Groups extends FieldGroups>(
  context: Pick<PageContext, 'form'>,
  groups: Groups
): FieldInput<Groups> {
  return mapFields(groups, ({ name, kind }) => {
    const sent = getFormField(context, name)
    return getKind(kind).parse?.(sent) ?? sent
  })
}

/** Builds the request body for the API, and finds texts that cannot be converted, by field name. */
export function toBody<Groups extends FieldGroups>(
  { language }: Pick<PageContext, 'language'>,
  groups: Groups,
  input: FieldInput<Groups>
): { body: Record<string, unknown>; errors: Record<string, string> } {
  const body: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const field of listFields(groups)) {
    const path = getFieldPath(field)
    if (path === null) continue
    const converted = convertText(field, input[field.name as keyof typeof input], language)
    if ('error' in converted) errors[field.name] = converted.error
    else writePath(body, path, converted.value)
  }
  return { body, errors }
}

function convertText(field: FormField, text: string, language: Language): { value: unknown } | { error: string } {
  const { convert } = getKind(field.kind)
  if (text === '' && 'emptyValue' in field) return { value: field.emptyValue }
  if (text === '' && field.kind === 'checkbox') return { value: false }
  return text === '' || convert === undefined ? { value: text } : convert(text, language)
}

function writePath(body: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('/')
  if (rest.length === 0) {
    body[first] = value
    return
  }
  const within = (body[first] ?? {}) as Record<string, unknown>
  body[first] = within
  writePath(within, rest.join('/'), value)
}

/** Labels by field name, in the order of the form. */
export function getLabels(groups: FieldGroups, strings: object): Record<string, string> {
  return Object.fromEntries(listFields(groups).map(({ name, label }) => [name, getString(strings, label)]))
}

/** Labels by the API's path. */
export function getLabelsByPath(groups: FieldGroups, strings: object): Record<string, string> {
  return Object.fromEntries(
    listFields(groups).flatMap(field => {
      const path = getFieldPath(field)
      return path === null ? [] : [[path, getString(strings, field.label)]]
    })
  )
}

export function getString(strings: object, key: string): string {
  return String((strings as Record<string, unknown>)[key])
}

/**
 * Converts errors of the API, which are by path, to errors by field name. A message that names the path gets the
 * field's label instead. `instead` replaces messages that are worded for programs.
 */
export function toNamedErrors(
  groups: FieldGroups,
  strings: object,
  errors: Record<string, string>,
  instead: Record<string, string | undefined> = {}
): Record<string, string> {
  const fields = listFields(groups)
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => {
      const field = fields.find(one => getFieldPath(one) === path)
      const around = field ?? fields.find(one => path.startsWith(`${getFieldPath(one)}/`))
      const shown = path.replaceAll('/', '.')
      const isNamed = field !== undefined && message.startsWith(shown)
      const text = isNamed ? getString(strings, field.label) + message.slice(shown.length) : message
      return [around?.name ?? path, instead[path] ?? text]
    })
  )
}
