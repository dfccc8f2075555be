import {
  type MessageFormatElement,
  type PluralElement,
  type SelectElement,
  TYPE
} from '@formatjs/icu-messageformat-parser'
import { parseMessage } from './message-arguments.ts'

export type MessageValue = string | number | boolean
export type MessageValues = Record<string, MessageValue>

type Format = (values: MessageValues, pound: string) => string

/** Rules of a locale. Creating and asking them is slow compared with the rest of a message. */
interface Rules {
  numbers: Intl.NumberFormat
  cardinal: Intl.PluralRules
  ordinal: Intl.PluralRules
}

const known = new Map<string, Rules>()

/** Compiles an ICU message of a locale. Dates and amounts are formatted before they are inserted. */
export function compileMessage(text: string, locale: string): (values: MessageValues) => string {
  let rules = known.get(locale)
  if (rules === undefined) {
    rules = {
      numbers: new Intl.NumberFormat(locale),
      cardinal: new Intl.PluralRules(locale),
      ordinal: new Intl.PluralRules(locale, { type: 'ordinal' })
    }
    known.set(locale, rules)
  }
  const format = compileAll(parseMessage(text), rules)
  return values => format(values, '')
}

function compileAll(elements: MessageFormatElement[], rules: Rules): Format {
  const parts = elements.map(element => compile(element, rules))
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  return (values, pound) => {
    let text = ''
    for (const part of parts) text += part(values, pound)
    return text
  }
}

function compile(element: MessageFormatElement, rules: Rules): Format {
  switch (element.type) {
    case TYPE.literal:
      return () => element.value
    case TYPE.argument:
      return values => String(values[element.value])
    case TYPE.pound:
      return (_, pound) => pound
    case TYPE.number:
      return values => rules.numbers.format(Number(values[element.value]))
    case TYPE.plural:
      return compilePlural(element, rules)
    case TYPE.select:
      return compileSelect(element, rules)
    default:
      throw new Error('Messages have texts, numbers, plural, selectordinal and select: dates are formatted before.')
  }
}

function compilePlural({ value, options, offset, pluralType }: PluralElement, rules: Rules): Format {
  const forms = new Map(Object.entries(options).map(([key, option]) => [key, compileAll(option.value, rules)]))
  const categories = pluralType === 'ordinal' ? rules.ordinal : rules.cardinal
  return values => {
    const count = Number(values[value])
    const form = forms.get(`=${count}`) ?? forms.get(categories.select(count - offset)) ?? forms.get('other')
    return form?.(values, rules.numbers.format(count - offset)) ?? ''
  }
}

function compileSelect({ value, options }: SelectElement, rules: Rules): Format {
  const forms = new Map(Object.entries(options).map(([key, option]) => [key, compileAll(option.value, rules)]))
  return (values, pound) => (forms.get(String(values[value])) ?? forms.get('other'))?.(values, pound) ?? ''
}
