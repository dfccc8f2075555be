import type { File } from './source-files.ts'

/** A text for readers or users, and where it is. */
interface Text {
  where: string
  text: string
}

/** The words in the columns “not” of the tables of docs/glossary.md: those in backticks. */
export function readDeadWords(glossary: string): string[] {
  let columns: number[] = []
  return glossary.split('\n').flatMap(line => {
    if (!line.startsWith('|')) {
      columns = []
      return []
    }
    const cells = line.split('|').slice(1, -1)
    const heads = cells.flatMap((cell, index) => (cell.trim() === 'not' ? [index] : []))
    if (heads.length > 0) columns = heads
    return columns.flatMap(index => [...(cells[index] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
  })
}

/** Each dead word in the texts of files; quotations, code and URLs are not searched. */
export function findDeadWords(files: File[], words: string[]): string[] {
  // Also with a capital at the beginning of a sentence. The German “E-Mail” is not the English “e-mail”.
  const forms = words.flatMap(word => [word, word.slice(0, 1).toUpperCase() + word.slice(1)])
  const spelled = forms.map(form => form.replace(/\*$/, '\\p{L}*'))
  const dead = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${spelled.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu')
  // Most files have none of the letters in this order, which is found out much faster than with the expression.
  const stems = forms.map(form => form.replace(/\*$/, ''))
  return files
    .filter(({ text }) => stems.some(stem => text.includes(stem)) && text.search(dead) >= 0)
    .flatMap(listTexts)
    .flatMap(({ where, text }) => [...removeQuotations(text).matchAll(dead)].map(([word]) => `${where}: ${word}`))
}

function removeQuotations(text: string): string {
  return text.replace(/`[^`]*`|\{\w+\}|“[^”]*”|„[^“]*“|"[^"\n]*"|https?:\/\/\S+|(?<=^|[\s(])\/[\w/{}.-]+/g, ' ')
}

/** The texts of a file: strings of TypeScript and its JSX, messages, prose of Markdown, summaries and descriptions of OpenAPI. */
function listTexts(file: File): Text[] {
  if (file.path.endsWith('.md')) return listProse(file)
  if (file.path.startsWith('messages/')) return listMessages(file)
  if (file.path.endsWith('.json')) return listDescriptions(file)
  return listStrings(file)
}

function listProse({ path, text }: File): Text[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode
      return []
    }
    if (isCode || line.startsWith('>')) return []
    return [{ where: `${path}:${index + 1}`, text: line.replace(/\]\([^)]*\)/g, ']') }]
  })
}

function listDescriptions({ path, text }: File): Text[] {
  const found: Text[] = []
  JSON.parse(text, (key, value) => {
    if ((key === 'description' || key === 'summary') && typeof value === 'string')
      found.push({ where: path, text: value })
    return value
  })
  return found
}

/** The texts of a catalogue, without the names and keywords of its arguments. */
function listMessages({ path, text }: File): Text[] {
  return Object.entries(JSON.parse(text) as Record<string, string>).map(([key, message]) => ({
    where: `${path}: ${key}`,
    text: message.replace(/\{\w+(?:, (?:plural|select|selectordinal|number),?|\})/g, ' … ').replace(/[{}]/g, ' ')
  }))
}

/** Strings without spaces and capital letters are names in the code, such as `taken-back`. */
const isName = (text: string) => /^[a-z0-9_.:/#@*-]*$/.test(text)

function listStrings({ path, text }: File): Text[] {
  const { strings, code } = readStrings(text)
  const jsx = path.endsWith('.tsx') ? [...code.matchAll(/(?<!=)[>}]([^<>{}=;()]*)(?=[<{])/g)] : []
  return [...strings, ...jsx.map(({ 1: between = '', index }) => ({ text: between, at: index }))]
    .filter(one => !isName(one.text.trim()))
    .map(one => ({ where: `${path}:${text.slice(0, one.at).split('\n').length}`, text: one.text }))
}

interface Found {
  text: string
  at: number
}

/** The strings and templates of a file except for SQL, and the code of the file with spaces in place of strings and comments. */
function readStrings(text: string): { strings: Found[]; code: string } {
  const strings: Found[] = []
  let code = ''
  /** The templates around the position, each with the number of open braces in its interpolation. */
  const templates: { depth: number; found: Found; isSql: boolean }[] = []
  let at = 0
  const skip = (length: number) => {
    code += text.slice(at, at + length).replace(/[^\n]/g, ' ')
    at += length
  }
  /** Continues in the innermost template, to its end or its next interpolation. */
  const readTemplate = () => {
    const template = templates.at(-1)
    if (template === undefined) return
    const part = readFrom(/(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y, text, at)
    template.found.text += part
    skip(part.length)
    if (text[at] === '`') {
      templates.pop()
      if (!template.isSql) strings.push(template.found)
      skip(1)
    } else {
      template.found.text += '…'
      template.depth = 1
      skip(2)
    }
  }
  while (at < text.length) {
    const comment = readFrom(/\/\/[^\n]*|\/\*[\s\S]*?\*\//y, text, at)
    const quoted = readFrom(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y, text, at)
    const pattern = /(?:^|[(,=:[!&|?{};+>\n]|return)\s*$/.test(code.slice(-20))
      ? readFrom(/\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y, text, at)
      : ''
    const inner = templates.at(-1)
    if (comment !== '') skip(comment.length)
    else if (quoted !== '') {
      strings.push({ text: quoted.slice(1, -1).replace(/\\n/g, ' ').replace(/\\(.)/g, '$1'), at })
      skip(quoted.length)
    } else if (pattern !== '') skip(pattern.length)
    else if (text[at] === '`') {
      templates.push({ depth: 0, found: { text: '', at }, isSql: /\bsql\s*$|\.script\(\s*$/.test(code.slice(-20)) })
      skip(1)
      readTemplate()
    } else if (inner !== undefined && text[at] === '}' && inner.depth === 1) {
      skip(1)
      readTemplate()
    } else {
      if (inner !== undefined && text[at] === '{') inner.depth += 1
      if (inner !== undefined && text[at] === '}') inner.depth -= 1
      code += text[at]
      at += 1
    }
  }
  return { strings, code }
}

function readFrom(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
