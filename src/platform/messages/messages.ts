import { getFallbacks, getLocale, type Language, languages, type Text } from '../language.ts'
import type { Catalogue } from './catalogue.ts'
import { readArea } from './catalogue-files.ts'
import { compileMessage, type MessageValues } from './compile-message.ts'
import { listArguments, parseMessage } from './message-arguments.ts'

/** Name of a catalogue: a file in `messages/en`. */
export type Area = keyof Catalogue

/** The messages of an area in one language: texts, and functions for messages with arguments. */
export type Messages<Name extends Area> = Catalogue[Name]

type Message = string | ((values: MessageValues) => string)
type Tree = { [key: string]: Message | Tree }

const built = new Map<Language, Record<string, Tree>>()

/** The messages of an area, such as `getMessages('campaign-page', 'de').updatesOf({ campaign })`. */
export function getMessages<Name extends Area>(area: Name, language: Language): Messages<Name> {
  let areas = built.get(language)
  if (areas === undefined) {
    areas = {}
    built.set(language, areas)
  }
  areas[area] ??= buildArea(area, language)
  return areas[area] as unknown as Messages<Name>
}

/** Names of the messages of an area that are not in a group. */
export type MessageKey<Name extends Area> = {
  [Key in keyof Messages<Name>]: Messages<Name>[Key] extends string | ((values: never) => string) ? Key : never
}[keyof Messages<Name>]

/** The arguments of a message, if it has any; as a function of the language where they depend on it, such as dates. */
type TextValues<Name extends Area, Key extends MessageKey<Name>> = Messages<Name>[Key] extends (
  values: infer Values
) => string
  ? [values: Values | ((language: Language) => Values)]
  : []

/** A message in every language, for errors, whose reader is not known where they are thrown. */
export function buildText<Name extends Area, Key extends MessageKey<Name>>(
  area: Name,
  key: Key,
  ...[values]: TextValues<Name, Key>
): Text {
  return buildTexts(language => {
    const message = getMessages(area, language)[key] as Message
    if (typeof message === 'string') return message
    return message((typeof values === 'function' ? values(language) : values) as MessageValues)
  })
}

/** A text that is put together of others, in every language. */
export function buildTexts(build: (language: Language) => string): Text {
  return Object.fromEntries(languages.map(language => [language, build(language)])) as Text
}

/** If the area has a message of this name, which is data. */
export function hasMessage<Name extends Area>(area: Name, key: string): key is MessageKey<Name> & string {
  return Object.hasOwn(getMessages(area, 'en'), key)
}

/** The text of a key that is data, such as the name of a resource; undefined if there is none. Dots in the key lead into groups. */
export function findText(group: object, key: string): string | undefined {
  const found = findMessage(group, key)
  return typeof found === 'string' ? found : undefined
}

/** The same for messages with arguments. */
export function formatMessage(group: object, key: string, values: MessageValues): string | undefined {
  const found = findMessage(group, key)
  return typeof found === 'function' ? found(values) : undefined
}

function findMessage(group: object, key: string): unknown {
  let found: unknown = group
  for (const part of key.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}

function buildArea(area: string, language: Language): Tree {
  const known = getFallbacks(language).map(one => ({ language: one, messages: readArea(one, area) }))
  const source = known.at(-1)?.messages ?? {}
  const tree: Tree = {}
  for (const [key, sourceText] of Object.entries(source)) {
    const found = known.find(({ messages }) => messages[key] !== undefined)
    addMessage(tree, key.split('.'), buildMessage(sourceText, found?.messages[key] ?? sourceText, found?.language))
  }
  return toArrays(tree)
}

function buildMessage(sourceText: string, text: string, language: Language = 'en'): Message {
  if (!hasArguments(sourceText)) return isPlain(text) ? text : compileMessage(text, getLocale(language))({})
  let format: ((values: MessageValues) => string) | undefined
  return values => {
    format ??= compileMessage(text, getLocale(language))
    return format(values)
  }
}

/** Neither arguments nor quotes of ICU: the text is the message. */
function isPlain(text: string): boolean {
  return !/[{}]|''/.test(text)
}

function hasArguments(text: string): boolean {
  if (!text.includes('{')) return false
  return !text.includes("'") || listArguments(parseMessage(text)).size > 0
}

function addMessage(tree: Tree, path: string[], message: Message): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    tree[name] = message
    return
  }
  const inner = tree[name] ?? {}
  tree[name] = inner
  if (typeof inner === 'object') addMessage(inner, rest, message)
}

/** Keys that count from 0, such as `steps.0` and `steps.1`, are an array. */
function toArrays(tree: Tree): Tree {
  const entries = Object.entries(tree).map(([key, value]) => [key, typeof value === 'object' ? toArrays(value) : value])
  const isArray = entries.length > 0 && entries.every(([key], index) => key === String(index))
  return isArray ? (entries.map(([, value]) => value) as unknown as Tree) : Object.fromEntries(entries)
}
