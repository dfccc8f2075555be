import { basename, dirname, join } from 'node:path'
import type { File } from './source-files.ts'

/** The part of the program a file belongs to: a folder of src, or an empty text for files directly in src. */
export const getPart = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1] ?? ''

export interface Import {
  from: string
  /** The file, or the package as it is named. */
  to: string
  named: string
  typesOnly: boolean
}

const importForm = /\b(?:import|export)\s+(type\s)?([^'"`;()]*?)\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g

export function listImports({ path, text }: File): Import[] {
  return [...text.matchAll(importForm)].map(([, type, names = '', from, bare]) => {
    const named = from ?? bare ?? ''
    const inBraces = /^\{(.*)\}$/s.exec(names.trim())?.[1]?.split(',') ?? ['']
    const typesOnly = type !== undefined || inBraces.every(name => name.trim().startsWith('type '))
    return { from: path, to: resolveSpecifier(path, named), named, typesOnly }
  })
}

function resolveSpecifier(path: string, named: string): string {
  if (named.startsWith('.')) return join(dirname(path), named)
  const [, part, rest] = /^#(\w+)\/(.+)$/.exec(named) ?? []
  if (part === undefined) return named
  return part === 'test' ? `test/${rest}` : `src/${part}/${rest}`
}

export const formatImport = ({ from, named }: Import) => `${from} imports ${named}`

/** Folders of one part that import each other, as one line for each cycle. Files directly in a part count as folders. */
export function findFolderCycles(files: File[]): string[] {
  const graph = new Map<string, Map<string, string>>()
  for (const one of files.flatMap(listImports)) {
    const [from, to] = [toFolder(one.from), toFolder(one.to)]
    if (from === to || getPart(one.from) === '' || getPart(one.from) !== getPart(one.to)) continue
    const edges = graph.get(from) ?? new Map<string, string>()
    if (!edges.has(to)) edges.set(to, formatImport(one))
    graph.set(from, edges)
  }
  return findCycles(graph).map(cycle => {
    const edges = cycle.map((folder, at) => graph.get(folder)?.get(cycle[(at + 1) % cycle.length] ?? '') ?? '')
    return `${[...cycle, cycle[0]].join(' -> ')}: ${edges.join('; ')}`
  })
}

const toFolder = (path: string) => (/^src\/[^/]+\/[^/]+$/.test(path) ? path : dirname(path))

/** A shortest cycle for each folder that is part of one. */
function findCycles(graph: Map<string, Map<string, string>>): string[][] {
  const found: string[][] = []
  for (const start of graph.keys()) {
    if (found.some(cycle => cycle.includes(start))) continue
    const cycle = findCycleFrom(graph, start)
    if (cycle !== undefined) found.push(cycle)
  }
  return found
}

function findCycleFrom(graph: Map<string, Map<string, string>>, start: string): string[] | undefined {
  const ways: string[][] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return way
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

const functionForm =
  /^export (?:async )?function\*? (\w+)|^export const (\w+)(?:: [^=\n]+)? = (?!fastifyPlugin\()(?:async )?(?:<[^>]+>)?\(?[^=\n]*\)?(?:: [^=\n]+)? =>/gm
/** A template tag, and a builder of TypeBox schemas, which are named like types. */
const withoutVerb = new Set(['sql', 'Nullable', 'NamedObject'])

/** Exported functions whose name does not begin with a verb. Components and Fastify plugins have nouns as names. */
export function findFunctionsWithoutVerb(files: File[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(functionForm)]
      .map(([, declared, assigned]) => declared ?? assigned ?? '')
      .filter(name => !withoutVerb.has(name) && !(path.endsWith('.tsx') && /^[A-Z]/.test(name)))
      .filter(name => !verbs.has(/^[a-z]+/.exec(name)?.[0] ?? ''))
      .map(name => `${path}: ${name}`)
  )
}

const typeForm = /^export (?:interface|type|(?:abstract )?class) (\w+)/gm

/** Types of the same name that two files of a part export. */
export function findSharedTypeNames(files: File[]): string[] {
  const places = new Map<string, string[]>()
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(typeForm)) {
      const key = `${getPart(path)}: ${name}`
      places.set(key, [...(places.get(key) ?? []), path])
    }
  }
  return [...places].filter(([, paths]) => paths.length > 1).map(([key, paths]) => `${key} in ${paths.join(', ')}`)
}

/** Uses of undocumented parts of Node or a package: fields with an underscore, symbols, replaced methods. */
const internalForms = [
  /(?<!rawParams|form|query|params|body)\._\w+/,
  /\bSymbol\.for\(|\bpino\.symbols\b|\[k[A-Z]\w+\]/,
  /\.prototype\.\w+\s*=[^=]/,
  /\b(?:socket|stream|pool|client|connection|server|app|log|request|response|raw)\.\w+ = (?:async )?(?:function\b|\w+ =>|\([^)]*\)[^=\n]* =>)/,
  /removeListener\('request'|removeAllListeners\('request'/
]

/** Lines that use internals of Node or of a package, which any release may change. */
export function findPrivateInternals(files: File[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const code = line.replace(/^\s*(?:\/?\*|\/\/).*/, '')
      return internalForms.some(form => form.test(code)) ? [`${path}:${index + 1}: ${line.trim()}`] : []
    })
  )
}

/** Files that call `URL.canParse`, which in Node 20 refuses umlauts after a few thousand calls. Browsers are not concerned. */
export function findUrlCanParse(files: File[]): string[] {
  return files
    .filter(({ path, text }) => !path.startsWith('src/web/client/') && text.includes('URL.canParse('))
    .map(({ path }) => path)
}

const filesInPartMax = 16

/** Parts with too many files directly in them. */
export function findCrowdedParts(files: File[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    if (dirname(path) === `src/${getPart(path)}`) counts.set(getPart(path), (counts.get(getPart(path)) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > filesInPartMax)
    .map(([part, count]) => `src/${part} has ${count} files directly in it`)
}

/** Files that are too long and have to be split by subject. Generated files may have any length. */
export function findLongFiles(files: File[], linesMax = 300): string[] {
  return files
    .filter(({ text }) => !text.startsWith('// Made by '))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ path, lines }) => `${path} has ${lines} lines`)
}

/** Words that were replaced by the standard term: cache entry, load shedding, webhook sender, encrypted, email and so on. */
const retiredWords = new Set(
  `courier couriers desk desks dialect dialects door doors farewell finder letters manners newcomer newcomers nudge nudges
  seal sealed sealing shelf shelves silence turnstile twin twins vault`.split(/\s+/)
)

const exportForm =
  /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)|^export \{([^}]*)\}/gm
const jobForm = /\bname: '([a-z]+(?:-[a-z]+)+)',\s*(?:formerName|run)\b/g
const metricForm = /\bkalends_[a-z_]+/g

/**
 * Retired words in public names: files, exported symbols, settings, metrics, jobs and commands. Migrations are not checked, and
 * texts may use any word.
 */
export function findRetiredWords(
  files: File[],
  { settings, commands }: Record<'settings' | 'commands', string[]>
): string[] {
  const named = files.flatMap(({ path, text }) => [
    ...path.split('/').map(name => [path, name]),
    ...[...text.matchAll(exportForm)]
      .flatMap(([, one = '', several = '']) => [
        one,
        ...several.split(',').map(name => name.replace(/^.* as /, '').trim())
      ])
      .map(name => [path, name]),
    ...[...text.matchAll(jobForm)].map(([, name = '']) => [path, name]),
    ...[...text.matchAll(metricForm)].map(([name]) => [path, name])
  ])
  const others = [...settings.map(name => ['setting', name]), ...commands.map(name => ['command', name])]
  return [...named, ...others]
    .filter(([, name = '']) => splitName(name).some(word => retiredWords.has(word)))
    .map(([where, name]) => `${where}: ${name}`)
}

/** `newTurnstile`, `turnstile.ts`, `MAX_TURNSTILES` in lower-case words. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

export const isKind = (path: string, kind: string) => basename(path) === `${kind}.ts` || path.endsWith(`-${kind}.ts`)

/** Queries do not import HTTP code, and schemas import neither. */
export function findUpwardImports(files: File[]): string[] {
  const above: Record<string, string[]> = {
    queries: ['routes', 'wire'],
    schema: ['routes', 'wire', 'queries'],
    wire: ['routes']
  }
  return files
    .flatMap(listImports)
    .filter(({ from, to, typesOnly }) =>
      Object.entries(above).some(([kind, kinds]) => {
        return isKind(from, kind) && !typesOnly && kinds.some(one => isKind(to, one))
      })
    )
    .map(formatImport)
}

/** Verbs that function names begin with. Add a new one if it is an English verb; `new`, `to`, `with` and `for` are allowed. */
const verbs = new Set(
  `accept add adjust admit advance aggregate allow answer append apply ask assert assign attach attempt await
  backfill batch begin bind book build burn calculate call can cancel capitalize change check checkout choose
  chown claim clean clear close coalesce collapse collect combine compare compile compute confirm connect
  consume convert copy correct count create credit cut decide decline decode decrement decrypt define delete deliver
  derive describe detach detect disable discard discover dispatch does donate download draft draw drop duplicate
  enable encode encrypt end enforce enqueue ensure erase escape estimate exchange exclude expand expect expire
  explain export extend extract fail fetch fill filter find finish fit flatten flush fold follow for forget
  format gather generate get give group guess handle has hash highlight hold identify ignore import include
  increment index infer inflect init initialize inject insert install intersect invalidate invite invoke is
  isolate issue iterate join kill launch limit link list listen load lock log lookup make map mark mask match
  measure merge migrate move negotiate neutralize new normalize notify number offer omit open order pack
  paginate parse patch pay pick place plan post predict prefetch prepare preview print probe process propagate propose
  protect prove publish pull push put queue quote randomize rank reach read recognise recompute reconcile
  record recount redact redeliver redirect refresh refund refuse register reject relate release reload remember
  remove rename render renew repair repeat replace replay reply report represent request requeue require reschedule reset
  resize resolve respond restore resume retry return review revive revoke rotate round run sanitize save scan
  schedule seal search seed select send serialize serve set settle share shorten show shut sign simulate skip
  sleep sort spawn spell split spread start stop store stream strip submit subscribe subtract suggest sum
  summarize supervise survey swap switch synchronize take test throw tidy to tokenize track translate trash trim
  truncate try undo unescape unlink unpack unsubscribe unwrap update upload upsert use vacuum validate verify
  visit wait walk warn watch weigh with withdraw withhold wrap write yield zip`.split(/\s+/)
)
