import { splitWords } from './html-entities.ts'

/** Elements that hold no readable text: removed with their content. */
export const nonTextTags = splitWords('script style iframe noscript noembed noframes textarea option xmp title')

export interface Token {
  /** The tag in lower case; '' for text, '!' for a comment and the like. */
  name: string
  closes: boolean
  text: string
}

const tagStart = /<(\/?)([a-z][^\s/>]*|[!?])/gi
const attributeValue = /[^>"']*["'>]/y
const valuePattern = /=\s*["']$/

/** Tags and the text between them, without invisible elements. Single pass: a failed search is never repeated. */
export function* tokenize(html: string): Generator<Token> {
  const last = html.lastIndexOf('>')
  let at = 0
  let textFrom = 0
  let quotesMatter = true
  let commentsEnd = true
  const endOfTag = (from: number): number => {
    let end = from
    while (quotesMatter) {
      attributeValue.lastIndex = end
      const step = attributeValue.exec(html)?.[0] ?? ''
      end += step.length
      if (step.endsWith('>')) return end
      if (valuePattern.test(step.slice(-20))) end = html.indexOf(step.slice(-1), end) + 1
      if (step === '' || end === 0) quotesMatter = false
    }
    return html.indexOf('>', from) + 1
  }
  while (at <= last) {
    tagStart.lastIndex = at
    const found = tagStart.exec(html)
    if (found === null || found.index > last) break
    const [begin, slash, name = ''] = found
    at = found.index
    const token = { name: name.toLowerCase(), closes: slash === '/', text: '' }
    let end = 0
    if (commentsEnd && html.startsWith('<!--', at)) {
      end = html.indexOf('-->', at + 4) + 3
      commentsEnd = end !== 2
    }
    if (end <= 2) end = endOfTag(at + begin.length)
    if (at > textFrom) yield { name: '', closes: false, text: html.slice(textFrom, at) }
    if (nonTextTagSet.has(token.name) && !token.closes) {
      const closing = new RegExp(`</${token.name}(?=[\\s/>])`, 'gi')
      closing.lastIndex = end
      end = closing.test(html) ? endOfTag(closing.lastIndex) || html.length : html.length
    } else {
      token.text = html.slice(at, end)
      yield token
    }
    at = end
    textFrom = end
  }
  if (textFrom < html.length) yield { name: '', closes: false, text: html.slice(textFrom) }
}

const nonTextTagSet = new Set(nonTextTags)
/** Tokens without an end tag, including text. */
export const voidTags = new Set(['', '!', '?', 'br', 'img'])
