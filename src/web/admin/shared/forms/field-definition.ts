import type { InputProps } from '../../../components/field.tsx'
import { type FieldKind, getKind } from './field-kinds.ts'

/**
 * A field of a form. The form's input, its conversion from and to the API, its HTML and its error messages all follow
 * from this definition.
 */
export interface FormField<Text extends string = string> extends Omit<InputProps, 'type' | 'value'> {
  /** Name in the form. */
  name: string
  /** `text` by default. */
  kind?: FieldKind
  /** Keys of the form's strings. */
  label: Text
  hint?: Text
  /** Path in the API's objects and errors, such as `account/iban`; the name by default, null if the API has no such field. */
  path?: string | null
  /** Value in a new form; empty by default. */
  initial?: string
  /** What the API gets for an empty field; undefined omits the field. By default an empty text, and false for a checkbox. */
  emptyValue?: null | undefined | string | number
  /** A text in the language that is edited, with a button that copies the other language's text. */
  isTranslated?: boolean
  /** Of a textarea. */
  rows?: number
  class?: string
  [data: `data-${string}`]: string
}

/** Fields in their order; an array within it is a row. */
export type FieldList<Text extends string = string> = readonly (FormField<Text> | readonly FormField<Text>[])[]

/** The fields of a form, by the part of the page that shows them. */
export type FieldGroups<Text extends string = string> = Readonly<Record<string, FieldList<Text>>>

/** The names of those strings that are plain text. */
export type TextKey<Strings> = {
  [Key in keyof Strings]: Strings[Key] extends string ? Key & string : never
}[keyof Strings]

export type FieldName<List> = List extends readonly (infer Entry)[]
  ? Entry extends { name: infer Name extends string }
    ? Name
    : FieldName<Entry>
  : never

/** What the fields contain, as typed; a checkbox is `yes` or empty. */
export type FieldInput<Groups> = Record<FieldName<Groups[keyof Groups]>, string>

export function listFields(groups: FieldGroups): FormField[] {
  return Object.values(groups).flat(2) as FormField[]
}

export function getFieldPath({ name, path = name }: FormField): string | null {
  return path
}

/** Limits of a property, as JSON Schema has them. */
interface PropertySchema {
  properties?: Record<string, PropertySchema>
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Adds the limits of the API's schema to the fields; limits in a definition take precedence. */
export function withLimits<Groups extends FieldGroups>(schema: object, groups: Groups): Groups {
  const add = (field: FormField) => ({ ...findLimits(schema, field), ...field })
  const limited = Object.entries(groups).map(([name, list]) => [
    name,
    list.map(entry => ('name' in entry ? add(entry) : entry.map(add)))
  ])
  return Object.fromEntries(limited)
}

function findLimits(schema: PropertySchema, field: FormField): Pick<InputProps, 'maxLength' | 'min' | 'max'> {
  const path = getFieldPath(field)?.split('/') ?? []
  const property = path.reduce<PropertySchema | undefined>((within, name) => within?.properties?.[name], schema)
  const { maxLength, minimum, maximum } = property ?? {}
  const { limits } = getKind(field.kind)
  if (limits === 'length' && maxLength !== undefined) return { maxLength }
  return limits === 'range' && minimum !== undefined && maximum !== undefined ? { min: minimum, max: maximum } : {}
}
