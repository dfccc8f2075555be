// What lint cannot see: read from the files themselves. Each rule says why it is there when it is broken.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from './root.ts'
import { type File, filesIn, sqlIn } from './source.ts'

/** What the build writes is written for the compiler. */
const made = ['src/client/api.ts']
const all = ['src', 'test', 'scripts', 'bench']
  .filter(folder => existsSync(join(root, folder)))
  .flatMap(filesIn)
  .filter(({ path }) => !made.includes(path))
const source = all.filter(({ path }) => path.startsWith('src/'))
const program = source.filter(({ path }) => /\.tsx?$/.test(path) && !path.includes('.test.'))
const migrations = source.filter(({ path }) => path.endsWith('.sql'))
const nameOf = (path: string) => basename(path).replace(/\..*$/, '')
/** The part of the program a file belongs to: a folder of src, or nothing for the files that put the parts together. */
const partOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1] ?? ''

function holds(why: string, violations: string[]): void {
  assert.ok(violations.length === 0, `${why}\n  ${violations.join('\n  ')}`)
}

interface Import {
  from: string
  /** The file, or the package as it is named. */
  to: string
  named: string
  typesOnly: boolean
}

const importForm = /\b(?:import|export)\s+(type\s)?([^'"`;()]*?)\bfrom\s+'([^']+)'|\bimport\s*\(?\s*'([^']+)'/g

function importsIn({ path, text }: File): Import[] {
  return [...text.matchAll(importForm)].map(([, type, names = '', from, bare]) => {
    const named = from ?? bare ?? ''
    const inBraces = /^\{(.*)\}$/s.exec(names.trim())?.[1]?.split(',') ?? ['']
    const typesOnly = type !== undefined || inBraces.every(name => name.trim().startsWith('type '))
    const [, part, rest] = /^#(\w+)\/(.+)$/.exec(named) ?? []
    const to = named.startsWith('.')
      ? join(dirname(path), named)
      : part === 'test'
        ? `test/${rest}`
        : `src/${part}/${rest}`
    return { from: path, to: named.startsWith('.') || part !== undefined ? to : named, named, typesOnly }
  })
}

const arrow = ({ from, named }: Import) => `${from} imports ${named}`
const imports = program.flatMap(importsIn)

/** What each part may know besides itself. */
const known: Record<string, string[]> = {
  platform: [],
  fundraising: ['platform'],
  calendar: ['platform'],
  web: ['platform'],
  client: [],
  commands: ['platform', 'fundraising', 'calendar', 'web']
}

test('the parts of the program know each other in one direction only', () => {
  assert.ok(imports.length > 100, 'Imports are not read any more.')
  const isOurs = ({ to }: Import) => to.startsWith('src/') || to.startsWith('test/')
  const across = imports.filter(one => isOurs(one) && partOf(one.from) !== '' && partOf(one.to) !== partOf(one.from))
  holds(
    'platform knows no domain, the services know only platform, and all meet in the commands: so that each can ' +
      'run, change and be understood alone. The web is a client of the APIs and may know their types.',
    across
      .filter(({ from, to, typesOnly }) => {
        const asTypes = partOf(from) === 'web' && typesOnly && partOf(to) !== ''
        return !known[partOf(from)]?.includes(partOf(to)) && !asTypes
      })
      .map(arrow)
  )
  holds(
    'A relative import stays in its folder of src; across folders it is #platform/… and so on, so that arrows show.',
    imports
      .filter(one => one.named.startsWith('.') && partOf(one.from) !== '' && partOf(one.from) !== partOf(one.to))
      .map(arrow)
  )
  holds(
    'A new folder of src needs a place in the arrows: say in test/architecture.test.ts what it may know.',
    [...new Set(program.map(({ path }) => partOf(path)))].filter(part => part !== '' && known[part] === undefined)
  )
})

test('the files of a resource know each other in one direction only', () => {
  const resources = program.filter(({ path }) => nameOf(path) === 'routes').map(({ path }) => dirname(path))
  assert.ok(resources.length >= 4, 'Resources are not found any more.')
  const nounsOf = (folder: string) => [basename(folder), basename(folder).replace(/ies$/, 'y').replace(/s$/, '')]
  /** What outgrew the file of its kind is a subject of its own, and stands where that kind stands. A new one needs a line here. */
  const parts: Record<string, string> = {
    // Codes of apps and for paper, what they are kept and checked by, and sign-ins that wait for one.
    'src/platform/factors/totp.ts': 'schema',
    'src/platform/factors/recovery-codes.ts': 'schema',
    'src/platform/factors/sealed-secret.ts': 'schema',
    'src/platform/factors/problems.ts': 'schema',
    'src/platform/factors/step.ts': 'noun',
    'src/platform/factors/enrolment.ts': 'noun',
    'src/platform/factors/letters.ts': 'noun',
    'src/platform/factors/verify.ts': 'noun',
    // Which changes need a second person.
    'src/platform/site/second-person.ts': 'noun',
    // Which address passkeys are for.
    'src/platform/passkeys/relying-party.ts': 'noun',
    // The OpenID provider, and what is said where a sign-in with it fails.
    'src/platform/openid/provider.ts': 'noun',
    'src/platform/openid/problems.ts': 'schema',
    // Where somebody is signed in, as they see and end it themselves.
    'src/platform/sessions/own-sessions.ts': 'noun',
    'src/platform/sessions/list-routes.ts': 'routes',
    // Somebody who listens to the stream.
    'src/platform/live/listener.ts': 'noun',
    // The same events for calendar programs.
    'src/calendar/events/feed-routes.ts': 'routes',
    // What a list answers, and when an event takes place.
    'src/calendar/events/page.ts': 'noun',
    'src/calendar/events/schedule.ts': 'noun',
    'src/calendar/events/linking.ts': 'noun',
    // What search engines read of an event.
    'src/calendar/events/json-ld.ts': 'wire',
    // Finds what the words of a filter stand for.
    'src/calendar/events/named.ts': 'queries',
    // Pages of events, and what they are linked with.
    'src/calendar/events/list-queries.ts': 'queries',
    'src/calendar/events/links.ts': 'queries',
    // Dates that are meant where none are given, and what counts as a picture: neither knows anything else here.
    'src/calendar/events/window.ts': 'schema',
    'src/calendar/media/image.ts': 'schema',
    // How a collection goes on after its file was made, and what waits to be collected.
    'src/fundraising/direct-debit/collections/steps.ts': 'noun',
    'src/fundraising/direct-debit/collections/waiting.ts': 'queries',
    // What an entry of a bank statement is for, and what is said of that at the donation; and the entries themselves.
    'src/fundraising/statements/entry.ts': 'noun',
    'src/fundraising/statements/entry-shares.ts': 'noun',
    'src/fundraising/statements/bank-note.ts': 'noun',
    'src/fundraising/statements/entry-queries.ts': 'queries',
    'src/fundraising/statements/personal.ts': 'queries',
    // Donations that are made of entries, what belongs to one payer, credits of direct debits, and what is shown beside entries.
    'src/fundraising/statements/new-donation.ts': 'noun',
    'src/fundraising/statements/entry-donation.ts': 'noun',
    'src/fundraising/statements/entry-donation-routes.ts': 'routes',
    'src/fundraising/statements/entry-collection.ts': 'noun',
    'src/fundraising/statements/entry-context.ts': 'noun',
    'src/fundraising/statements/extra.ts': 'noun',
    'src/fundraising/statements/payer.ts': 'noun',
    'src/fundraising/statements/payer-decisions.ts': 'noun',
    'src/fundraising/statements/payer-queries.ts': 'queries',
    'src/fundraising/statements/collection-credit.ts': 'noun',
    'src/fundraising/statements/suggested-campaign.ts': 'noun',
    'src/fundraising/payer-rules/personal.ts': 'queries',
    // What payments make of donations, what follows a change, what treasurers record, and the routes of that.
    'src/fundraising/donations/booking.ts': 'noun',
    'src/fundraising/donations/status-change.ts': 'noun',
    'src/fundraising/donations/donation-payments.ts': 'noun',
    'src/fundraising/donations/payment-routes.ts': 'routes',
    'src/fundraising/donations/status-queries.ts': 'queries',
    // What was given, besides money.
    'src/fundraising/donations/kind.ts': 'noun',
    // What donors change themselves, with the token of their donation.
    'src/fundraising/donations/own-donation.ts': 'noun',
    // The journal in the words of DATEV.
    'src/fundraising/journal/datev.ts': 'wire',
    // What browsers calculate before a donation.
    'src/fundraising/guard/proof-of-work.ts': 'noun',
    // The words of charitable purposes, and their cases.
    'src/fundraising/organisation/purposes.ts': 'schema',
    // What stands on a receipt; donations as receipts look at them, and whose they are; what proves small ones, what donors
    // are written, and what is kept of them.
    'src/fundraising/receipts/content.ts': 'schema',
    'src/fundraising/receipts/candidates.ts': 'queries',
    'src/fundraising/receipts/donor.ts': 'noun',
    // Days that a receipt is for, and those that others claim; which lines go on it, who issues it, and what it says.
    'src/fundraising/receipts/period.ts': 'schema',
    'src/fundraising/receipts/claims.ts': 'queries',
    'src/fundraising/receipts/choice.ts': 'noun',
    'src/fundraising/receipts/issuer.ts': 'noun',
    'src/fundraising/receipts/draft.ts': 'noun',
    // All of a year in one file.
    'src/fundraising/receipts/file-routes.ts': 'routes',
    'src/fundraising/receipts/file-queries.ts': 'queries',
    'src/fundraising/receipts/simplified-proof.ts': 'noun',
    'src/fundraising/receipts/letter.ts': 'noun',
    'src/fundraising/receipts/personal.ts': 'noun',
    // What a run does for the people of a name.
    'src/fundraising/receipt-runs/plan.ts': 'noun',
    // What a source of an import is, and the sources there are.
    'src/calendar/imports/source.ts': 'schema',
    'src/calendar/imports/tec-source.ts': 'noun',
    'src/calendar/imports/ical-source.ts': 'noun',
    'src/calendar/imports/csv-source.ts': 'noun'
  }
  const kindOf = (path: string) =>
    parts[path] ?? (nounsOf(dirname(path)).includes(nameOf(path)) ? 'noun' : nameOf(path))
  /** A filter is what a list is narrowed by, as SQL: queries are put together with it. */
  const below: Record<string, string[]> = {
    routes: ['noun', 'wire', 'filter', 'queries', 'schema'],
    noun: ['filter', 'queries', 'schema'],
    wire: ['schema'],
    queries: ['filter', 'schema'],
    filter: ['schema'],
    schema: []
  }
  const isKnown = (from: string, to: string) =>
    below[kindOf(from)]?.includes(kindOf(to)) === true || isPart(from, to) || isPart(to, from)
  /** Between a file and what outgrew it; routes stay apart. */
  const isPart = (one: string, other: string) => parts[one] === kindOf(other) && kindOf(other) !== 'routes'

  holds(
    'A resource has at most schema, routes, queries, wire, filter, its singular noun and tests: whoever knows one knows all.',
    source
      .filter(({ path }) => resources.includes(dirname(path)) && !/\.test\.tsx?$/.test(path))
      .filter(({ path }) => below[kindOf(path)] === undefined)
      .map(({ path }) => path)
  )
  holds(
    'Inside a resource it goes routes → noun → queries → schema and routes → wire → schema, never backwards: rules do ' +
      'not know HTTP, and SQL does not know rules. (The wire may know the type of a row.)',
    imports
      .filter(({ from, to }) => resources.includes(dirname(from)) && dirname(from) === dirname(to))
      .filter(({ from, to, typesOnly }) => {
        const row = kindOf(from) === 'wire' && kindOf(to) === 'queries' && typesOnly
        return !isKnown(from, to) && !row
      })
      .map(arrow)
  )
  holds(
    'Routes are put together in service.ts and imported nowhere else: what two of them need is a noun or a query.',
    imports.filter(({ from, to }) => kindOf(to) === 'routes' && nameOf(from) !== 'service').map(arrow)
  )
  holds(
    'What outgrew a file is there.',
    Object.keys(parts).filter(path => !program.some(file => file.path === path))
  )
})

const statements = [...program, ...migrations].flatMap(file =>
  sqlIn(file).map(text => ({ path: file.path, sql: text.replace(/--.*|'[^']*'|"[^"]*"/g, '?') }))
)
const quoted = ({ path, sql }: { path: string; sql: string }) =>
  `${path}: ${sql.replace(/\s+/g, ' ').trim().slice(0, 100)}`

test('SQL stays with its own tables, and is written one way', () => {
  assert.ok(statements.length > 40, 'SQL is not read any more.')
  const schemas = /\b(platform|fundraising|calendar|web|graphile_worker)\./g
  holds(
    'A part reads and writes its own tables only: what it needs of another it asks for. The queue belongs to platform/jobs.ts.',
    statements
      .filter(({ path, sql }) =>
        [...sql.matchAll(schemas)].some(
          ([, schema = '']) =>
            schema !== partOf(path) && !(schema === 'graphile_worker' && path === 'src/platform/jobs.ts')
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
    ...['src/platform/sql.ts', 'src/platform/migrate.ts', 'src/platform/embedded/server.ts', 'src/fundraising/seed.ts'],
    ...['src/platform/archive/tables.ts', 'src/platform/archive/restore.ts', 'src/platform/archive/session.ts'],
    ...['src/fundraising/sealing/queries.ts', 'src/calendar/seed.ts', 'src/calendar/imports/running/journal.ts']
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

test('B10 migrations are numbered without gaps, keep money whole, and can be spread over machines by campaign', () => {
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
    found.filter(({ path }) => partOf(path) === 'fundraising').flatMap(strayKeysIn)
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
  'fundraising.bookkeeping'
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

test('B2 settings are read in one place, and written down in two', () => {
  const config = readFileSync(join(root, 'src/platform/config.ts'), 'utf8')
  const names = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name = '']) => name).sort()
  const read = names(config, /\bread\(\s*'([A-Z_]+)'/g)
  assert.ok(read.length > 10, 'Settings are not read any more.')

  const mayRead = ['src/platform/config.ts', 'src/platform/embedded/process.ts']
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
    differences(names(example, /^#?([A-Z_]+)=/gm))
  )
  const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  holds(
    'The table in docs/operations.md has every setting, and no other.',
    differences(names(manual, /^\| `([A-Z_]+)` \|/gm))
  )
})

test('files are named for what they are, finished, and short', () => {
  const drawers = ['utils', 'util', 'helpers', 'helper', 'lib', 'common', 'core', 'shared', 'types']
  holds(
    'A drawer collects everything: name the thing, or put it where it is used.',
    all.filter(({ path }) => path.split('/').some(name => drawers.includes(nameOf(name)))).map(({ path }) => path)
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
  holds(
    'A file of 400 lines or more is two things: split it by subject.',
    source
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines >= 400)
      .map(({ path, lines }) => `${path} has ${lines} lines`)
  )
})
