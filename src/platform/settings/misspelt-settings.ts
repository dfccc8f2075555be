import type { Environment } from './setting-reader.ts'

/**
 * Variables of other programs that may share the `.env` file: those of Node, npm, PostgreSQL's clients and image, Docker
 * Compose, the system.
 */
const foreign =
  /^(NODE_|npm_|NPM_|PG|POSTGRES_|COMPOSE_|DOCKER_|LC_|LD_|UV_|MALLOC_|OTEL_|SSL_CERT_)|^(TZ|LANG|LANGUAGE|PATH|HOME|USER|SHELL|TMPDIR|NO_COLOR|FORCE_COLOR)$|^(https?|no|all)_proxy$/i

/** Only settings of Kalends begin with these, also those that Kalends does not know. */
const ownPrefixes = /^(BACKUP_S3_|OIDC_|RATE_LIMIT_|ENCRYPTION_KEY|BACKUP_KEEP_|DATABASE_REPLICA_)/

/** Kubernetes adds such variables for every service, whatever its name is. */
const kubernetes = /_(SERVICE_HOST|SERVICE_PORT(_\w{1,60})?|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/

/**
 * The environment has hundreds of variables of other programs, so there a name counts as misspelt only if it is long
 * enough for a coincidence to be unlikely, and if the setting that it resembles is not set.
 */
const comparedLengthMin = 7

/**
 * Finds variables that look like settings and are none. In the `.env` file every name has to be a setting, or belong to
 * another known program.
 */
export function listMisspelt(env: Environment, fileNames: string[], settings: Set<string>): string[] {
  const known = [...settings].flatMap(name => [name, `${name}_FILE`])
  const inFile = fileNames.filter(
    name => !known.includes(name) && (!foreign.test(name) || findMeant(name, known) !== undefined)
  )
  const elsewhere = Object.keys(env).filter(name => {
    if (fileNames.includes(name) || known.includes(name) || env[name] === '' || kubernetes.test(name)) return false
    if (ownPrefixes.test(name)) return true
    const meant = name.length < comparedLengthMin ? undefined : findMeant(name, known)
    return meant !== undefined && (env[meant] ?? '') === ''
  })
  return [
    ...inFile.map(name => describe(name, ' in .env', findMeant(name, known))),
    ...elsewhere.map(name => describe(name, '', findMeant(name, known)))
  ]
}

function describe(name: string, place: string, meant: string | undefined): string {
  const remedy = meant === undefined ? 'Remove it; .env.example lists all settings.' : `Did you mean ${meant}?`
  return `${name}${place}: there is no such setting. ${remedy}`
}

/** The setting that a name most resembles: at most one edit in a short name, two in a long one. */
function findMeant(name: string, known: string[]): string | undefined {
  const upper = name.toUpperCase()
  const editsMax = upper.length < 8 ? 1 : 2
  return known
    .filter(setting => Math.abs(setting.length - upper.length) <= editsMax)
    .map(setting => ({ setting, edits: countEdits(upper, setting, editsMax) }))
    .filter(({ edits }) => Number.isFinite(edits))
    .sort((a, b) => a.edits - b.edits)[0]?.setting
}

/** Inserted, removed, replaced and swapped characters (optimal string alignment), or Infinity if there are more than `max`. */
function countEdits(from: string, to: string, max: number): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row += 1) {
    const [above = [], twoAbove = []] = [rows[row - 1], rows[row - 2]]
    const edits = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      edits.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (edits[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (twoAbove[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    rows.push(edits)
    // A later row continues from one of the last two, because of swapped characters.
    if (Math.min(...edits, ...above) > max) return Number.POSITIVE_INFINITY
  }
  const edits = rows[from.length]?.[to.length] ?? 0
  return edits <= max ? edits : Number.POSITIVE_INFINITY
}
