import type { ErrorObject } from 'ajv'
import type { Text } from '../language.ts'
import { joinByOr } from '../messages/combine-texts.ts'
import { buildText, buildTexts, findText, formatMessage, getMessages } from '../messages/messages.ts'

/** Code and message of an Ajv error. */
export function explain({ keyword, params, message = '' }: ErrorObject): { code: string; message: Text } {
  const { limit } = params
  switch (keyword) {
    case 'required':
      return { code: 'required', message: buildText('validation', 'required') }
    case 'type':
      return { code: 'type', message: describeTypes([params.type].flat()) }
    case 'minLength':
      return limit === 1
        ? { code: 'empty', message: buildText('validation', 'empty') }
        : { code: 'too-short', message: buildText('validation', 'tooShort', { limit }) }
    case 'maxLength':
      return { code: 'too-long', message: buildText('validation', 'tooLong', { limit }) }
    case 'enum':
      return { code: 'not-allowed', message: describeAllowed(params.allowedValues) }
    case 'minimum':
      return { code: 'too-small', message: buildText('validation', 'tooSmall', { limit }) }
    case 'maximum':
      return { code: 'too-large', message: buildText('validation', 'tooLarge', { limit }) }
    case 'minProperties':
      return { code: 'empty', message: buildText('validation', 'noFields') }
    case 'format':
      return { code: params.format, message: describeFormat(params.format) }
    default:
      if (typeof params.code === 'string') return { code: params.code, message: params.message }
      return { code: keyword, message: describeKeyword(keyword, params, message) }
  }
}

function describeTypes(types: string[]): Text {
  return buildText('validation', 'type', language => {
    const names = getMessages('validation', language).types
    const known = types.map(type => findText(names, type) ?? type)
    return { types: joinByOr(known, language) }
  })
}

function describeFormat(format: string): Text {
  return buildTexts(language => {
    const { formats, format: anyFormat } = getMessages('validation', language)
    return findText(formats, format) ?? anyFormat({ format })
  })
}

/** Other keywords; `message` is Ajv's own. */
function describeKeyword(keyword: string, params: ErrorObject['params'], message: string): Text {
  return buildTexts(language => {
    const { keywords } = getMessages('validation', language)
    return formatMessage(keywords, keyword, params) ?? findText(keywords, keyword) ?? message
  })
}

/** A longer list of allowed values, such as the actions of webhooks, is not repeated in every error. */
const allowedShownMax = 30

function describeAllowed(values: unknown[]): Text {
  if (values.length <= allowedShownMax) return buildText('validation', 'allowed', { values: values.join(', ') })
  return buildText('validation', 'allowedLong', { count: values.length, examples: values.slice(0, 3).join(', ') })
}
