import { readFileSync } from 'node:fs'

export type Environment = Record<string, string | undefined>

/** Reads settings from the environment, and collects what is wrong with them. */
export interface SettingReader {
  read<Value>(name: string, fallback: Value, parse: (text: string) => Value | undefined, rule: string): Value
  /** Whether a setting, or the file with its value, is given. */
  isSet(name: string): boolean
  /** Adds a line `NAME: what is wrong`. */
  refuse(problem: string): void
  problems: string[]
  /** The settings that were read so far. */
  names: Set<string>
}

/** Their values are never printed. */
const secrets = new Set([
  'ADMIN_KEY',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_OLD',
  'BACKUP_S3_SECRET_ACCESS_KEY'
])

export function newSettingReader(env: Environment): SettingReader {
  const problems: string[] = []
  const names = new Set<string>()

  /** The value of a variable, or of the file that NAME_FILE points to; empty counts as absent. */
  function readText(name: string): string | undefined {
    const value = env[name]?.trim() || undefined
    const file = env[`${name}_FILE`]?.trim() || undefined
    if (file === undefined) return value
    if (value !== undefined) {
      problems.push(`${name}: set ${name} or ${name}_FILE, not both.`)
      return undefined
    }
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch (error) {
      problems.push(`${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`)
      return undefined
    }
  }

  return {
    read: (name, fallback, parse, rule) => {
      names.add(name)
      const given = readText(name)
      if (given === undefined) return fallback
      const value = parse(given)
      if (value !== undefined) return value
      problems.push(`${name}: ${rule}${secrets.has(name) ? '' : ` It is ${JSON.stringify(given)}.`}`)
      return fallback
    },
    isSet: name => [name, `${name}_FILE`].some(one => (env[one]?.trim() ?? '') !== ''),
    refuse: problem => problems.push(problem),
    problems,
    names
  }
}

export const parseOneOf =
  <Word extends string>(...words: Word[]) =>
  (given: string) =>
    words.find(word => word === given)

export const parseWholeNumber = (least: number, most: number) => (given: string) =>
  /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined
