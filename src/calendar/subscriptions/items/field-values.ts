import { createHash } from 'node:crypto'
import { type Language, languages } from '#platform/language.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { type TextContext, toRichText } from '#platform/rich-text/rich-text.ts'
import type { Incoming, IncomingText } from '../../imports/sources/source.ts'
import type { FieldBase, FieldConflicts } from './schema.ts'

/** The values of an event by field. Texts have their language in the name: `title.en`. */
export type SourceValues = Map<string, unknown>

/** These make sense only together. */
const timeFields = ['start_date', 'end_date', 'timezone', 'all_day']
/** Only new events take these from the source. */
const fieldsOfNewEvents = new Set(['status', 'date', 'date_utc', 'author', 'post_password'])
const textFields = ['title', 'description', 'excerpt'] as const

/** The values that a refresh may write, as the source or, with our ids, as the API has them. */
export function listFieldValues({
  fields,
  texts,
  image
}: {
  fields: Record<string, unknown>
  texts: Incoming['texts']
  image?: unknown
}): SourceValues {
  const times = timeFields.filter(name => fields[name] !== undefined)
  const rest = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !timeFields.includes(name) && !fieldsOfNewEvents.has(name)
  )
  return new Map<string, unknown>([
    ...languages.flatMap(language =>
      textFields.flatMap((name): [string, unknown][] => {
        const text = texts[language]?.[name]
        return text === undefined ? [] : [[`${name}.${language}`, text]]
      })
    ),
    ...(times.length === 0
      ? []
      : [['when', Object.fromEntries(times.map(name => [name, fields[name]]))] satisfies [string, unknown]]),
    ...rest,
    ...(image === undefined ? [] : [['image', image] satisfies [string, unknown]])
  ])
}

/** The values as parameters of an update: fields, and texts by language. */
export function toEventParams(values: SourceValues): {
  fields: Record<string, unknown>
  texts: [Language, Partial<IncomingText>][]
} {
  const fields: Record<string, unknown> = {}
  const texts = new Map<Language, Partial<IncomingText>>()
  for (const [name, value] of values) {
    const text = findTextField(name)
    if (text !== undefined) texts.set(text.language, { ...texts.get(text.language), [text.field]: value })
    else if (name === 'when') Object.assign(fields, value)
    else fields[name] = value
  }
  return { fields, texts: [...texts] }
}

/** The field and the language of a name such as `title.en`. */
export function findTextField(name: string): { field: string; language: Language } | undefined {
  const [field = '', suffix] = name.split('.')
  const language = languages.find(known => known === suffix)
  return language === undefined ? undefined : { field, language }
}

const hashLength = 22

export function hashValue(value: unknown): string {
  const text = JSON.stringify(value ?? null, sortMembers)
  return createHash('sha256').update(text).digest('base64url').slice(0, hashLength)
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** What a refresh does with the fields of an event. */
export interface FieldPlan {
  write: string[]
  /** Edited here and changed at the source. */
  conflicts: string[]
  /** Changed on both sides to the same value. */
  agreed: string[]
}

/**
 * A field is written only if the source has another value than the one that was written last, and if the value here is
 * still the one that this write left.
 */
export async function planFields(
  base: FieldBase,
  theirs: SourceValues,
  { here, resolved, context }: { here: Record<string, unknown>; resolved: SourceValues; context: TextContext }
): Promise<FieldPlan> {
  const plan: FieldPlan = { write: [], conflicts: [], agreed: [] }
  for (const [name, value] of theirs) {
    const [theirsBefore, hereBefore = hashValue(null)] = base[name] ?? []
    if (hashValue(value) === theirsBefore) continue
    if (await isSameValue(context, name, resolved.get(name), here[name])) plan.agreed.push(name)
    else if (hashValue(here[name]) === hereBefore) plan.write.push(name)
    else plan.conflicts.push(name)
  }
  return plan
}

/** Whether writing the value would leave what is here already. */
async function isSameValue(context: TextContext, name: string, given: unknown, here: unknown): Promise<boolean> {
  const text = findTextField(name)
  if (text !== undefined) {
    if (typeof given !== 'string' || typeof here !== 'string') return false
    return (
      given === here || (text.field === 'title' ? toSingleLineText(given) : await toRichText(context, given)) === here
    )
  }
  if (name === 'when') {
    const [times, current] = [Object.entries(given ?? {}), Object(here) as Record<string, unknown>]
    return times.every(([field, value]) => value === current[field])
  }
  const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value === '' ? null : value)
  return hashValue(sorted(given)) === hashValue(sorted(here))
}

/** The base of an event that was written just now. */
export function buildBase(theirs: SourceValues, here: Record<string, unknown>): FieldBase {
  const names = new Set([...Object.keys(here), ...theirs.keys()])
  return Object.fromEntries(
    [...names].map(name => [
      name,
      [theirs.has(name) ? hashValue(theirs.get(name)) : '', hashValue(here[name])] satisfies FieldBase[string]
    ])
  )
}

/** The base after these fields were written or turned out to be equal. */
export function updateBase(
  base: FieldBase,
  theirs: SourceValues,
  { here, written }: { here: Record<string, unknown>; written: string[] }
): FieldBase {
  return {
    ...base,
    ...Object.fromEntries(written.map(name => [name, [hashValue(theirs.get(name)), hashValue(here[name])]]))
  }
}

export function buildConflicts(names: string[], theirs: SourceValues, resolved: SourceValues): FieldConflicts | null {
  if (names.length === 0) return null
  return Object.fromEntries(
    names.map(name => [name, { hash: hashValue(theirs.get(name)), value: resolved.get(name) ?? null }])
  )
}
