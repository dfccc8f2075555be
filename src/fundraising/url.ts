import { Type } from 'typebox'
import type { Rule } from '#platform/http/validation.ts'
import { buildText } from '#platform/messages/messages.ts'
import { canParseUrl } from '#platform/url/parse-url.ts'

export const buildUrlSchema = (description: string) =>
  Type.String({ address: true, maxLength: 2000, description, examples: ['/pictures/roof.jpg'] })

/** Characters that a URL must encode: spaces, control characters, quotes, and what browsers read as a slash. */
const uncoded = /[\s\p{Cc}\p{Cf}"'<>\\^`{|}]/u

/** An absolute web URL, or a path on this site; rejects `//host`, which is neither. */
export const urlRule: Rule = {
  keyword: 'address',
  type: 'string',
  check: (given: string) => {
    const text = given.trim()
    if (!uncoded.test(text) && (isPath(text) || isUrl(text))) return { value: text }
    return {
      code: 'web-address',
      message: buildText('fundraising-rules', 'webAddress')
    }
  }
}

function isPath(text: string): boolean {
  return text.startsWith('/') && !text.startsWith('//')
}

function isUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !canParseUrl(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
