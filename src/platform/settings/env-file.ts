import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** The lines of a `.env` file: empty if there is none, or a problem if it exists and cannot be read. */
export function readEnvFile(path: string): { values: Record<string, string>; problem?: string } {
  try {
    return { values: parseEnv(readFileSync(path, 'utf8')) as Record<string, string> }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { values: {} }
    const remedy =
      code === 'EACCES'
        ? `Make it readable for the user that runs Kalends (${getUserName()}), or remove it.`
        : 'It must be a text file with lines NAME=value.'
    return { values: {}, problem: `.env: cannot read ${resolve(path)} (${code}). ${remedy}` }
  }
}

/** A container may run as a user id without a name. */
function getUserName(): string {
  try {
    return userInfo().username
  } catch {
    return `id ${process.getuid?.()}`
  }
}
