// Rules that lint cannot check, read from the files. Each failure says why the rule exists.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  findCrowdedParts,
  findFolderCycles,
  findFunctionsWithoutVerb,
  findLongFiles,
  findPrivateInternals,
  findRetiredWords,
  findSharedTypeNames,
  findUpwardImports,
  findUrlCanParse,
  formatImport,
  getPart,
  type Import,
  isKind,
  listImports
} from '../support/architecture-rules.ts'
import { findLongParameterLists } from '../support/long-parameter-lists.ts'
import { root } from '../support/project-root.ts'
import { extractSql, listSourceFiles } from '../support/source-files.ts'

/** What the build writes is written for the compiler. */
const made = ['src/client/api.ts']
const all = ['src', 'test', 'scripts', 'bench']
  .filter(folder => existsSync(join(root, folder)))
  .flatMap(listSourceFiles)
  .filter(({ path }) => !made.includes(path))
const source = all.filter(({ path }) => path.startsWith('src/'))
const program = source.filter(({ path }) => /\.tsx?$/.test(path) && !path.includes('.test.'))
const production = source.filter(({ path }) => /\.(tsx?|css|sql)$/.test(path) && !path.includes('.test.'))
const migrations = source.filter(({ path }) => path.endsWith('.sql'))
const nameOf = (path: string) => basename(path).replace(/\..*$/, '')

function holds(why: string, violations: string[]): void {
  assert.ok(violations.length === 0, `${why}\n  ${violations.join('\n  ')}`)
}

const imports = program.flatMap(listImports)

/** What each part may know besides itself. */
const known: Record<string, string[]> = {
  platform: [],
  fundraising: ['platform'],
  calendar: ['platform'],
  web: ['platform'],
  client: [],
  cli: ['platform', 'fundraising', 'calendar', 'web']
}

test('the parts of the program know each other in one direction only', () => {
  assert.ok(imports.length > 100, 'Imports are not read any more.')
  const isOurs = ({ to }: Import) => to.startsWith('src/') || to.startsWith('test/')
  const across = imports.filter(one => isOurs(one) && getPart(one.from) !== '' && getPart(one.to) !== getPart(one.from))
  holds(
    'platform knows no domain, the services know only platform, and all meet in the command line: so that each can ' +
      'run, change and be understood alone. The web is a client of the APIs and may know their types, and their ' +
      'schemas, which have the limits of form fields.',
    across
      .filter(({ from, to, typesOnly }) => {
        const asClient = getPart(from) === 'web' && getPart(to) !== '' && (typesOnly || isKind(to, 'schema'))
        return !known[getPart(from)]?.includes(getPart(to)) && !asClient
      })
      .map(formatImport)
  )
  holds(
    'A relative import stays in its folder of src; across folders it is #platform/… and so on, so that arrows show.',
    imports
      .filter(one => one.named.startsWith('.') && getPart(one.from) !== '' && getPart(one.from) !== getPart(one.to))
      .map(formatImport)
  )
  holds(
    'A new folder of src needs a place in the arrows: say in test/architecture/architecture.test.ts what it may know.',
    [...new Set(program.map(({ path }) => getPart(path)))].filter(part => part !== '' && known[part] === undefined)
  )
})

test('folders, functions and types are arranged so that a newcomer finds them', () => {
  holds('Folders of a part import each other in one direction only.', findFolderCycles(program))
  holds(
    'An exported function begins with a verb (test/support/architecture-rules.ts).',
    findFunctionsWithoutVerb(program)
  )
  holds(
    'A function has at most four positional parameters: what belongs together is one object.',
    findLongParameterLists(program)
  )
  holds(
    'Addresses are checked by canParseUrl: URL.canParse of Node 20 refuses umlauts after a few thousand calls.',
    findUrlCanParse(program)
  )
  holds('Only public APIs of Node and of packages: any release may change the others.', findPrivateInternals(program))
  holds('A type has one meaning in a part of the program.', findSharedTypeNames(program))
  holds('A part has at most 16 files directly in it: the others are in folders.', findCrowdedParts(program))
  holds('Queries know nothing of HTTP, and schemas know only schemas.', findUpwardImports(program))
  holds(
    'Routes are put together in service.ts, server.ts or the routes of an area: what two of them need is no route.',
    imports
      .filter(({ from, to }) => isKind(to, 'routes') && !isKind(from, 'routes'))
      .filter(
        ({ from }) =>
          !['service.ts', 'platform-service.ts', 'server.ts', 'pages.ts', 'openapi.ts'].includes(basename(from))
      )
      .map(formatImport)
  )
})

const statements = [...program, ...migrations].flatMap(file =>
  extractSql(file).map(text => ({ path: file.path, sql: text.replace(/--.*|'[^']*'|"[^"]*"/g, '?') }))
)
const quoted = ({ path, sql }: { path: string; sql: string }) =>
  `${path}: ${sql.replace(/\s+/g, ' ').trim().slice(0, 100)}`

test('SQL stays with its own tables, and is written one way', () => {
  assert.ok(statements.length > 40, 'SQL is not read any more.')
  const schemas = /\b(platform|fundraising|calendar|web|graphile_worker)\./g
  holds(
    'A part reads and writes its own tables only: what it needs of another it asks for. The queue belongs to platform/jobs/jobs.ts.',
    statements
      .filter(({ path, sql }) =>
        [...sql.matchAll(schemas)].some(
          ([, schema = '']) =>
            schema !== getPart(path) && !(schema === 'graphile_worker' && path === 'src/platform/jobs/jobs.ts')
        )
      )
      .map(quoted)
  )
  // A bracket behind `from` and `join` makes it a function.
  const read = /\b(?:from|join)\s+([a-z_]\w*)\b(?!\s*[.(])/g
  const written = /\b(?:into|update|table(?: if (?:not )?exists)?|index \w+ on)\s+([a-z_]\w*)\b(?!\s*\.)/g
  const noTable = ['set', 'skip', 'nowait', 'of', 'lateral', 'only', 'select', 'if', 'on', 'or']
  holds(
    'Tables are named with their schema: which table is meant must not depend on a search path.',
    statements
      .filter(({ sql }) =>
        [...sql.matchAll(read), ...sql.matchAll(written)].some(
          ([, name = '']) =>
            !noTable.includes(name) && !new RegExp(`\\b${name}( \\([^)]*\\))? as (materialized )?\\(`).test(sql)
        )
      )
      .map(quoted)
  )
  /** Names of tables, columns and locks, out of the catalogue or a list of the program; never a word of somebody's. */
  const byName = [
    ...[
      'src/platform/database/sql.ts',
      'src/platform/database/migrate.ts',
      'src/platform/database/embedded/server.ts',
      'src/fundraising/seed/seed.ts'
    ],
    ...['src/platform/backup/tables.ts', 'src/platform/backup/restore.ts', 'src/platform/backup/session.ts'],
    ...['src/fundraising/encryption/queries.ts', 'src/calendar/seed/seed.ts', 'src/calendar/imports/runner/undo-log.ts']
  ]
  const strings = /\bnew Sql\(|\.(?:script|query)\(\s*(?:`[^`]*\$\{|[^)`]*'\s*\+)/
  holds(
    'SQL is written in the sql tag, which keeps values apart from the text: nothing is put together of strings.',
    program.filter(({ path, text }) => strings.test(text) && !byName.includes(path)).map(({ path }) => path)
  )
  holds(
    'SQL is lower case throughout: one way to write it, one way to search for it.',
    statements.filter(({ sql }) => /[A-Z]/.test(sql)).map(quoted)
  )
  /** What only keeps PostgreSQL from joining in another order: whatever is around it names the columns. */
  const fence = /\(select \* from [^()]+ offset 0\)/g
  holds(
    'Columns are named, never *: a new column must not reach an answer by itself.',
    statements
      .filter(({ sql }) => /\b(select|returning)\s+(distinct\s+)?(\w+\.)?\*/.test(sql.replace(fence, '()')))
      .map(quoted)
  )
})

test('migrations are numbered without gaps, keep money whole, and can be spread over machines by campaign', () => {
  const inOrder = migrations.map(({ path }) => path).sort()
  const placeOf = (path: string) => inOrder.filter(other => dirname(other) === dirname(path)).indexOf(path) + 1
  holds(
    'Migrations run in order, once each, so their numbers have no gap and none comes twice.',
    inOrder.filter(path => Number(/^(\d{3})_/.exec(basename(path))?.[1]) !== placeOf(path))
  )
  const forbidden: [RegExp, string][] = [
    [
      /\bcreate (constraint )?trigger\b/,
      'a trigger: what happens at a write stands in the program, and Citus has none'
    ],
    [/\bexclude\b/, 'an exclusion constraint: it does not work across machines'],
    [/\b(numeric|decimal|real|float\d?|double precision|money)\b/, 'a type that is not whole: money is cents in bigint']
  ]
  // The activity log stays on the coordinator, and only the database can refuse what is done to it by hand.
  const onCoordinator = /\bcreate trigger \w+ before [a-z ]+ on platform\.activity(?:_chain)?\s/g
  // Where a place is on earth is measured, not counted.
  const measured = /\bgeo_(?:lat|lng)\s+double precision\b/g
  const found = statements
    .filter(({ path }) => path.endsWith('.sql'))
    .map(({ path, sql }) => ({ path, sql: sql.replace(measured, '').replace(onCoordinator, '') }))
  assert.ok(found.length >= 6, 'Migrations are not read any more.')
  for (const [form, what] of forbidden) {
    holds(
      `A migration has ${what}.`,
      found.filter(({ sql }) => form.test(sql)).map(({ path }) => path)
    )
  }
  holds(
    'Keys in fundraising begin with campaign_id (or are the id of campaigns), so that a campaign can live on one machine.',
    found.filter(({ path }) => getPart(path) === 'fundraising').flatMap(strayKeysIn)
  )
})

/** What spans campaigns belongs to none of them. */
const ofNoCampaign = new Set([
  'fundraising.vault',
  'fundraising.bank_statements',
  'fundraising.statement_entries',
  'fundraising.payer_rules',
  'fundraising.account_requests',
  'fundraising.collections',
  'fundraising.used_proofs',
  'fundraising.organisation',
  'fundraising.signatures',
  'fundraising.receipt_numbers',
  'fundraising.receipts',
  'fundraising.receipt_runs',
  'fundraising.bookkeeping',
  'fundraising.donors',
  'fundraising.donor_linking',
  'fundraising.donor_notes',
  'fundraising.donor_merges',
  'fundraising.donor_distinctions',
  'fundraising.donor_letters',
  'fundraising.letter_texts',
  'fundraising.presentation'
])

/** Keys that begin with something else than the campaign. */
function strayKeysIn({ path, sql }: { path: string; sql: string }): string[] {
  let table = ''
  return sql.split('\n').flatMap(line => {
    table = /\b(?:table|on) ([\w.]+)/.exec(line)?.[1] ?? table
    if (!/\b(primary key|unique)\b/.test(line)) return []
    const first = /\b(?:primary key|unique|on [\w.]+) \((\w+)/.exec(line)?.[1] ?? /\w+/.exec(line)?.[0]
    const fine =
      first === 'campaign_id' || (table === 'fundraising.campaigns' && first === 'id') || ofNoCampaign.has(table)
    return fine ? [] : [`${path}: ${table} has a key that begins with ${first}`]
  })
}

test('settings are read in one place, and written down in two', () => {
  const config = ['config.ts', 'settings/backup-settings.ts', 'settings/openid-settings.ts']
    .map(name => readFileSync(join(root, 'src/platform', name), 'utf8'))
    .join('')
  const names = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name = '']) => name).sort()
  const read = names(config, /\bread\(\s*'([A-Z0-9_]+)'/g)
  assert.ok(read.length > 10, 'Settings are not read any more.')

  const mayRead = ['src/platform/config.ts', 'src/platform/database/embedded/process.ts']
  holds(
    'The environment is read in platform/config.ts only (and PATH where the database is started): everything else gets settings.',
    program
      .filter(({ path, text }) => /process\.env\b|\bNODE_ENV\b/.test(text) && !mayRead.includes(path))
      .map(({ path }) => path)
  )
  const differences = (written: string[]) => [
    ...read.filter(name => !written.includes(name)).map(name => `${name} is missing`),
    ...written.filter(name => !read.includes(name)).map(name => `${name} is no setting`)
  ]
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  holds(
    'Operators start from .env.example: it has every setting, and no other.',
    differences(names(example, /^#?([A-Z0-9_]+)=/gm))
  )
  const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  holds(
    'The table in docs/operations.md has every setting, and no other.',
    differences(names(manual, /^\| `([A-Z0-9_]+)` \|/gm))
  )
})

test('names that were replaced by the term of the trade do not come back', () => {
  const names = (path: string, form: RegExp) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(form)].map(([, name = '']) => name)
  const settings = names('.env.example', /^#?([A-Z0-9_]+)=/gm)
  const commands = names('src/cli/help.ts', /^ {2}kalends ([a-z-]+)/gm)
  assert.ok(settings.length > 10 && commands.includes('rotate-key'), 'Settings or commands are not read any more.')
  holds(
    'A name says what its field calls the thing (STYLE.md): cache, load shedding, webhook sender, encrypted, outbox.',
    findRetiredWords(program, { settings, commands })
  )
})

test('files are named for what they are, finished, and short', () => {
  const drawers = ['utils', 'util', 'helpers', 'helper', 'lib', 'common', 'core', 'shared', 'types']
  /** What every page of the console is made of. */
  const admin = 'src/web/admin/shared/'
  holds(
    'A drawer collects everything: name the thing, or put it where it is used.',
    all
      .filter(({ path }) =>
        path
          .replace(admin, '')
          .split('/')
          .some(name => drawers.includes(nameOf(name)))
      )
      .map(({ path }) => path)
  )
  const unfinished = /\b(TO[D]O|FIX[M]E)\b/
  holds(
    'What is to be done is done, or is an issue; in the code it only ages.',
    all.filter(({ text }) => unfinished.test(text)).map(({ path }) => path)
  )
  holds(
    'A default export has a second name in every file that imports it.',
    all
      .filter(({ path, text }) => /\.(ts|tsx|mjs)$/.test(path) && /^export default\b|\bas default\b/m.test(text))
      .map(({ path }) => path)
  )
  holds('A production file of more than 300 lines is two things: split it by subject. A test may have 400.', [
    ...findLongFiles(production),
    ...findLongFiles(source, 400)
  ])
})
