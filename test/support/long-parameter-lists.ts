import type { File } from './source-files.ts'

const parametersMax = 4

/** Functions, methods and function types with too many positional parameters for a readable call. */
export function findLongParameterLists(files: File[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\(/g)].flatMap(({ index }) => {
      const list = readList(text, index)
      if (list === undefined || list.items.length <= parametersMax || !isParameterList(list)) return []
      const name = /(\w+)(?:<[^()]*>)?(?:\s*[:=]\s*(?:async )?)?$/.exec(text.slice(0, index))?.[1] ?? 'a function'
      return [`${path}: ${name} has ${list.items.length} parameters`]
    })
  )
}

interface List {
  items: string[]
  /** The text after the closing bracket. */
  rest: string
}

/** An argument has no type; a list of arguments is followed by neither an arrow nor a body. */
function isParameterList({ items, rest }: List): boolean {
  return /^\s*(?:=>|\{)/.test(rest) || items.some(item => /^(?:\.\.\.)?(?:\w+\??|\{.*\}|\[.*\]):(?!:)/s.test(item))
}

const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
/** A string, a template without nested templates, or a comment; commas and brackets in them are ignored. */
const opaque = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[\s\S]*?\*\//y

/** The items between a bracket and the one that closes it; undefined if it is not closed. */
function readList(text: string, open: number): List | undefined {
  const items: string[] = []
  const closing: string[] = [')']
  let item = ''
  for (let at = open + 1; at < text.length; at += 1) {
    opaque.lastIndex = at
    const skipped = opaque.exec(text)?.[0]
    if (skipped !== undefined) {
      if (!skipped.startsWith('/')) item += skipped
      at += skipped.length - 1
      continue
    }
    const char = text[at] ?? ''
    // Comparisons have spaces around them, type arguments do not.
    const isTypeList = char === '<' && /\w/.test(text[at - 1] ?? '')
    if (pairs[char] !== undefined || isTypeList) closing.push(isTypeList ? '>' : (pairs[char] ?? ''))
    else if (char === closing.at(-1) && !(char === '>' && text[at - 1] === '=')) closing.pop()
    if (closing.length === 0) {
      if (item.trim() !== '') items.push(item.trim())
      return { items, rest: text.slice(at + 1, at + 100) }
    }
    if (char === ',' && closing.length === 1) {
      items.push(item.trim())
      item = ''
    } else item += char
  }
  return undefined
}
