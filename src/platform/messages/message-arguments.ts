import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** What an argument of a message accepts. */
export type ArgumentType = 'text' | 'number' | 'boolean' | 'choice'

/** `<` is a character like any other: messages contain no HTML. */
export function parseMessage(text: string): MessageFormatElement[] {
  return parse(text, { ignoreTag: true })
}

/** The arguments of a message, such as `count` of `{count, plural, one {# day} other {# days}}`. */
export function listArguments(elements: MessageFormatElement[]): Map<string, ArgumentType> {
  const found = new Map<string, ArgumentType>()
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue
    const type = getArgumentType(element)
    // An argument that is also counted or compared has the narrower type.
    if (type !== 'text' || !found.has(element.value)) found.set(element.value, type)
    if (element.type !== TYPE.select && element.type !== TYPE.plural) continue
    for (const option of Object.values(element.options)) {
      for (const [name, inner] of listArguments(option.value)) {
        if (inner !== 'text' || !found.has(name)) found.set(name, inner)
      }
    }
  }
  return found
}

function getArgumentType(element: MessageFormatElement): ArgumentType {
  if (element.type === TYPE.plural || element.type === TYPE.number) return 'number'
  if (element.type !== TYPE.select) return 'text'
  return Object.keys(element.options).some(key => key === 'true' || key === 'false') ? 'boolean' : 'choice'
}
