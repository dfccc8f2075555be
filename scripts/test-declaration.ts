// What a test file declares about how it runs: a comment in its first line, such as `// test: own process, server`. A file
// without one shares a process with others, runs on the embedded store only, and in every check.

/** Each word, and what it means. CONTRIBUTING.md has the same list. */
const meanings = {
  'own process': 'starts processes, or leaves process-wide state changed, such as the clock',
  long: 'is started before the others, so that it does not run on alone at the end',
  server: 'runs on the PostgreSQL server as well, in every check',
  'both stores': 'runs on the PostgreSQL server as well, in the full check only',
  full: 'runs in the full check only, or when it is named'
}
type Word = keyof typeof meanings

export interface TestFile {
  path: string
  needsOwnProcess: boolean
  isLong: boolean
  runsOnServer: 'always' | 'full check' | 'never'
  isFullOnly: boolean
}

/** Reads the declaration of a test file, and throws for a word that does not exist. */
export function parseTestDeclaration(path: string, text: string): TestFile {
  const declared = /^\/\/ test: (.*)$/.exec(text.split(/\r?\n/, 1)[0] ?? '')?.[1]
  const words = declared === undefined ? [] : declared.split(',').map(word => word.trim())
  for (const [index, word] of words.entries()) {
    if (!isWord(word)) throw new Error(`${path} declares "${word}". Known are: ${Object.keys(meanings).join(', ')}.`)
    if (words.indexOf(word) !== index) throw new Error(`${path} declares "${word}" twice.`)
  }
  // A declaration further down would be ignored.
  if (/\n\/\/ test: /.test(text)) throw new Error(`${path} has its declaration below the first line.`)
  if (words.includes('server') && words.includes('both stores')) {
    throw new Error(`${path} declares both "server" and "both stores".`)
  }
  return {
    path,
    needsOwnProcess: words.includes('own process'),
    isLong: words.includes('long'),
    runsOnServer: words.includes('server') ? 'always' : words.includes('both stores') ? 'full check' : 'never',
    isFullOnly: words.includes('full')
  }
}

function isWord(word: string): word is Word {
  return Object.hasOwn(meanings, word)
}

export type Store = 'embedded' | 'server' | 'citus'

export interface TestRun {
  store: Store
  isFull: boolean
  /** Parts of paths; only files with one of them run, and a file that is named runs whatever it declares. */
  named: string[]
}

/** The tests of tables that Citus distributes, and of doctor, which reads them all. */
const citusFiles = /^src\/fundraising\/|^src\/cli\/doctor\./

/** The files of a run on one store. */
export function selectTestFiles(files: TestFile[], { store, isFull, named }: TestRun): TestFile[] {
  if (store === 'citus') files = files.filter(({ path }) => citusFiles.test(path))
  const isNamed = ({ path }: TestFile) => named.some(word => path.includes(word))
  return files
    .filter(file => (named.length === 0 ? isFull || !file.isFullOnly : isNamed(file)))
    .filter(({ runsOnServer }) => {
      if (store !== 'server' || runsOnServer === 'always') return true
      return runsOnServer === 'full check' && (isFull || named.length > 0)
    })
}
