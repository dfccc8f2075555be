// The patterns of the program: what stands between slashes in its files, and what it builds while it is loaded.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../project-root.ts'

export interface Pattern {
  source: string
  flags: string
  /** The file, or how else it was found. */
  where: string
}

/** Every pattern that stands in the program's own files. */
export function listWrittenPatterns(): Pattern[] {
  return filesIn(join(root, 'src')).flatMap(path =>
    findRegexLiterals(readFileSync(path, 'utf8')).map(one => ({ ...one, where: relative(root, path) }))
  )
}

/** Every pattern that is built while these are loaded. What others have loaded before is not seen. */
export async function captureBuiltPatterns(load: () => Promise<unknown>): Promise<Pattern[]> {
  const found: Pattern[] = []
  const { RegExp: original } = globalThis
  globalThis.RegExp = new Proxy(original, {
    construct(target, words: [string | RegExp, string?], newTarget) {
      const made = Reflect.construct(target, words, newTarget) as RegExp
      found.push({ source: made.source, flags: made.flags, where: placeOf(new Error().stack ?? '') })
      return made
    }
  })
  try {
    await load()
  } finally {
    globalThis.RegExp = original
  }
  // Those of packages are theirs; what our files hand to them is found above.
  return found.filter(({ where }) => where.startsWith('src/'))
}

function placeOf(stack: string): string {
  const line = stack.split('\n').find(one => /\/src\/[\w/-]+\.[jt]sx?/.test(one) || /node_modules/.test(one)) ?? ''
  return /node_modules/.test(line) ? 'a package' : (/src\/[\w/.-]+\.[jt]sx?/.exec(line)?.[0] ?? '')
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.|\.d\.ts$/.test(entry.name) ? [path] : []
  })
}

/** A slash behind one of these begins a pattern and divides nothing. */
const before = /(?:[(,=:[!&|?;+>]|\b(?:return|typeof|case|of|in|await|yield))$/

/** What stands between slashes in a program text. Enough of the grammar for files that a formatter has written. */
export function findRegexLiterals(text: string): Pick<Pattern, 'source' | 'flags'>[] {
  const found: Pick<Pattern, 'source' | 'flags'>[] = []
  /** How many braces are open in each template that is being read. */
  const templates: number[] = []
  let significant = ''
  for (let at = 0; at < text.length; ) {
    const [char = '', next = ''] = [text[at], text[at + 1]]
    if (/\s/.test(char)) {
      at += 1
      continue
    }
    if (char === '/' && next === '/') at = endAfter(text, '\n', at)
    else if (char === '/' && next === '*') at = endAfter(text, '*/', at + 2)
    else if (char === "'" || char === '"') {
      at = endOfString(text, at)
      significant = 'a'
    } else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop()
      const end = endOfTemplate(text, at + 1)
      if (text[end - 1] === '{') templates.push(0)
      significant = text[end - 1] === '{' ? '(' : 'a'
      at = end
    } else if (char === '/' && next !== '>' && before.test(significant)) {
      const literal = literalAt(text, at)
      if (literal === undefined) at += 1
      else {
        found.push(literal)
        at += literal.source.length + literal.flags.length + 2
      }
      significant = 'a'
    } else {
      const open = templates.at(-1)
      if (open !== undefined && char === '{') templates[templates.length - 1] = open + 1
      if (open !== undefined && char === '}') templates[templates.length - 1] = open - 1
      significant = (significant + char).slice(-8)
      at += 1
    }
  }
  return found
}

function endAfter(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  return at === -1 ? text.length : at + end.length
}

/** A quote in the text of a page has no end on its line, and is none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[from]) return at + 1
  }
  return from + 1
}

/** Behind the closing backtick, or behind the brace that opens a value. */
function endOfTemplate(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text[at] === '$' && text[at + 1] === '{') return at + 2
  }
  return text.length
}

function literalAt(text: string, from: number): Pick<Pattern, 'source' | 'flags'> | undefined {
  let inClass = false
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '[') inClass = true
    else if (text[at] === ']') inClass = false
    else if (text[at] === '/' && !inClass) {
      const flags = /^[a-z]*/.exec(text.slice(at + 1, at + 10))?.[0] ?? ''
      const source = text.slice(from + 1, at)
      return isPattern(source, flags) ? { source, flags } : undefined
    }
  }
  return undefined
}

function isPattern(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) !== undefined
  } catch {
    return false
  }
}
