// Writes src/web/site/problems/catalogue.ts: every problem code that the source declares, with its statuses and messages. It reads the
// places where problems are made, so that a code is never written twice; what it cannot read, it reports, and the test of the page fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(fileURLToPath(import.meta.url), '..', '..')
const target = join(root, 'src/web/site/problems/catalogue.ts')

/** How problems are made: the places of status, code and text among the arguments, or the status itself. */
const makers = {
  'new Problem': { status: 0, code: 1, text: 2 },
  newFieldProblem: { status: 0, code: 2, text: 3 },
  'new StatementFileProblem': { fixedStatus: 400, code: 0, text: 1 },
  newConflictProblem: { fixedStatus: 409, code: 0, text: 2 }
}

/** The kinds of posts of the calendar, which its codes begin with. */
const postKinds = ['event', 'venue', 'organizer']
const kindPlace = /\$\{kind\}/

export function buildCatalogue() {
  const entries = new Map()
  const add = (code, service, statuses, texts) => {
    const entry = entries.get(code) ?? { code, services: new Set(), statuses: new Set(), texts: new Set() }
    entry.services.add(service)
    for (const status of statuses) entry.statuses.add(status)
    for (const text of texts) entry.texts.add(text)
    entries.set(code, entry)
  }
  for (const file of listSources(join(root, 'src'))) readProblems(file, add)
  readWordPressCodes(entries, add)
  return [...entries.values()]
    .map(({ code, services, statuses, texts }) => ({
      code,
      services: [...services].sort(),
      statuses: [...statuses].sort(),
      texts: [...texts]
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

function readProblems(file, add) {
  const source = readFileSync(file, 'utf8')
  const [, part] = /\/src\/(\w+)\//.exec(file.replaceAll('\\', '/')) ?? []
  for (const [maker, places] of Object.entries(makers)) {
    for (const { index } of source.matchAll(new RegExp(`(?<![\\w.])${maker}\\(`, 'g'))) {
      const given = splitArguments(source, index + maker.length + 1)
      const codes = readCodes(given[places.code] ?? '', source, index)
      const statuses = places.fixedStatus ? [places.fixedStatus] : readStatuses(given[places.status] ?? '')
      const texts = readTexts(given[places.text] ?? '', source, index)
      for (const code of codes) add(code, part ?? '', statuses, texts)
    }
  }
  // Its code is the second argument, or the default of the function.
  for (const { index } of source.matchAll(/newTooManyAttemptsProblem\(/g)) {
    const [, code = ''] = splitArguments(source, index + 'newTooManyAttemptsProblem('.length)
    for (const one of readCodes(code, source, index)) add(one, part ?? '', [429], [])
  }
}

/** The codes of an expression: a literal, a choice of literals, or a template over the kinds of posts. */
function readCodes(expression, source, index) {
  const literals = [...expression.matchAll(/'([\w-]+)'/g)].map(([, code]) => code)
  if (literals.length > 0) return literals
  const template = /^`(.*)`$/.exec(expression.trim())?.[1]
  if (template !== undefined && kindPlace.test(template)) {
    const [, type = ''] = [...source.slice(0, index).matchAll(/\(\s*kind: ([^,)]+)/g)].at(-1) ?? []
    const others = [...type.matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
    return [...postKinds, ...others].map(kind => template.replace(kindPlace, kind))
  }
  if (expression.trim() === 'code') {
    const [, code] = /code = '([\w-]+)'\) =>\s*$/.exec(source.slice(0, index)) ?? []
    return code === undefined ? [] : [code]
  }
  return []
}

const readStatuses = expression => [...expression.matchAll(/\b([45]\d\d)\b/g)].map(([, status]) => Number(status))

/** The messages of an expression, as `area.key`: calls of `buildText`, or the constant or function that has their result. */
function readTexts(expression, source, index) {
  const name = /^\s*(\w+)(?:\(\))?\s*$/.exec(expression)?.[1]
  if (name === undefined) return readMessages(expression)
  const declared = [
    ...source.matchAll(new RegExp(`(?:const|let) ${name}(?:: Text)? =(?: \\(\\) =>)?\\s*buildText\\(`, 'g'))
  ]
  const nearest = declared.filter(one => one.index < index).at(-1) ?? declared[0]
  if (nearest === undefined) return []
  const start = nearest.index + nearest[0].length
  return readMessages(`buildText(${source.slice(start, findBracketEnd(source, start))}`)
}

const readMessages = expression =>
  [...expression.matchAll(/buildText\(\s*'([\w-]+)',\s*'([\w.-]+)'/g)].map(([, area, key]) => `${area}.${key}`)

/** The arguments of a call, or the members of an object, as they are written. */
function splitArguments(source, start) {
  const parts = []
  let from = start
  for (let at = start; at < source.length; at += 1) {
    const letter = source[at]
    if (letter === "'" || letter === '"' || letter === '`') at = findLiteralEnd(source, at)
    else if ('([{'.includes(letter)) at = findBracketEnd(source, at + 1)
    else if (letter === ',' || ')]}'.includes(letter)) {
      parts.push(source.slice(from, at))
      from = at + 1
      if (letter !== ',') return parts
    }
  }
  return parts
}

function findBracketEnd(source, start) {
  for (let at = start; at < source.length; at += 1) {
    const letter = source[at]
    if (letter === "'" || letter === '"' || letter === '`') at = findLiteralEnd(source, at)
    else if ('([{'.includes(letter)) at = findBracketEnd(source, at + 1)
    else if (')]}'.includes(letter)) return at
  }
  return source.length
}

function findLiteralEnd(source, start) {
  const quote = source[start]
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (quote === '`' && source.startsWith('${', at)) at = findBracketEnd(source, at + 2)
    else if (source[at] === quote) return at
  }
  return source.length
}

/** Codes by which the calendar answers in place of those of the platform, as WordPress does. */
function readWordPressCodes(entries, add) {
  const source = readFileSync(join(root, 'src/calendar/contract/problems.ts'), 'utf8')
  for (const { 1: platformCode, 2: code, index } of source.matchAll(/^ {2}'?([\w-]+)'?: \{\s*code: '(\w+)'/gm)) {
    const known = entries.get(platformCode)
    const members = source.slice(source.indexOf('{', index), findBracketEnd(source, source.indexOf('{', index) + 1))
    const own = readTexts(/message: (?:\(\) => )?([\s\S]*)/.exec(members)?.[1] ?? '', source, source.length)
    add(code, 'calendar', [...(known?.statuses ?? [])], own.length > 0 ? own : [...(known?.texts ?? [])])
  }
  for (const [, code, text] of source.matchAll(/return \{\s*code: '(\w+)',\s*message: (buildText\([^)]*\))/g)) {
    add(code, 'calendar', [400], readMessages(text))
  }
}

const quote = text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export function formatCatalogue(entries) {
  const lines = entries.map(({ code, services, statuses, texts }) => {
    return `  { code: ${quote(code)}, services: [${services.map(quote).join(', ')}], statuses: [${statuses.join(', ')}], texts: [${texts.map(quote).join(', ')}] }`
  })
  return `// Made by scripts/problems.mjs of the problems that the source declares: npm run api
import type { ProblemEntry } from './problem-entry.ts'

export const catalogue: readonly ProblemEntry[] = [
${lines.join(',\n')}
]
`
}

export function writeCatalogue() {
  writeFileSync(target, formatCatalogue(buildCatalogue()))
}
