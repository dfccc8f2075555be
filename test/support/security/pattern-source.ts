// The regular expressions of the program: literals in its files, and those that it constructs while it is loaded.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../project-root.ts'

export interface Pattern {
  source: string
  flags: string
  /** The file, or how else it was found. */
  where: string
}

/** Every regular expression literal in the files of the program. */
export function listWrittenPatterns(): Pattern[] {
  return listFiles(join(root, 'src')).flatMap(path =>
    findRegexLiterals(readFileSync(path, 'utf8')).map(one => ({ ...one, where: relative(root, path) }))
  )
}

/** Every regular expression that is constructed during `load`. Modules that are already loaded are not captured. */
export async function captureBuiltPatterns(load: () => Promise<unknown>): Promise<Pattern[]> {
  const found: Pattern[] = []
  const { RegExp: original } = globalThis
  globalThis.RegExp = new Proxy(original, {
    construct(target, constructorArguments: [string | RegExp, string?], newTarget) {
      const created = Reflect.construct(target, constructorArguments, newTarget) as RegExp
      found.push({ source: created.source, flags: created.flags, where: findPlace(new Error().stack ?? '') })
      return created
    }
  })
  try {
    await load()
  } finally {
    globalThis.RegExp = original
  }
  // Only those of our own files, not those of packages.
  return found.filter(({ where }) => where.startsWith('src/'))
}

function findPlace(stack: string): string {
  const line = stack.split('\n').find(one => /\/src\/[\w/-]+\.[jt]sx?/.test(one) || /node_modules/.test(one)) ?? ''
  return /node_modules/.test(line) ? 'a package' : (/src\/[\w/.-]+\.[jt]sx?/.exec(line)?.[0] ?? '')
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.|\.d\.ts$/.test(entry.name) ? [path] : []
  })
}

/** After one of these, a slash starts a regular expression and is not a division. */
const before = /(?:[(,=:[!&|?;+>]|\b(?:return|typeof|case|of|in|await|yield))$/

/** The regular expression literals of a source text. Knows enough of the grammar for formatted files. */
export function findRegexLiterals(text: string): Pick<Pattern, 'source' | 'flags'>[] {
  const found: Pick<Pattern, 'source' | 'flags'>[] = []
  /** The number of open braces in each enclosing template. */
  const templates: number[] = []
  let significant = ''
  for (let at = 0; at < text.length; ) {
    const [char = '', next = ''] = [text[at], text[at + 1]]
    if (/\s/.test(char)) {
      at += 1
      continue
    }
    if (char === '/' && next === '/') at = findEndAfter(text, '\n', at)
    else if (char === '/' && next === '*') at = findEndAfter(text, '*/', at + 2)
    else if (char === "'" || char === '"') {
      at = findStringEnd(text, at)
      significant = 'a'
    } else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop()
      const end = findTemplateEnd(text, at + 1)
      if (text[end - 1] === '{') templates.push(0)
      significant = text[end - 1] === '{' ? '(' : 'a'
      at = end
    } else if (char === '/' && next !== '>' && before.test(significant)) {
      const literal = readLiteral(text, at)
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

function findEndAfter(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  return at === -1 ? text.length : at + end.length
}

/** A quote in JSX text is not closed on its line, and does not start a string. */
function findStringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[from]) return at + 1
  }
  return from + 1
}

/** The position after the closing backtick, or after the brace that opens an interpolation. */
function findTemplateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text[at] === '$' && text[at + 1] === '{') return at + 2
  }
  return text.length
}

function readLiteral(text: string, from: number): Pick<Pattern, 'source' | 'flags'> | undefined {
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
