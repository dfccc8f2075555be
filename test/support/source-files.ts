import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project-root.ts'

/** A file of the repository, for tests of the source code. */
export interface File {
  /** From the root of the repository, such as `src/platform/database/sql.ts`. */
  path: string
  text: string
}

export function listSourceFiles(folder: string): File[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listSourceFiles(path) : [{ path, text: readFileSync(join(root, path), 'utf8') }]
  })
}

/** The SQL in a file: the text of `sql` tags and scripts, with `${` for interpolations. */
export function extractSql({ path, text }: File): string[] {
  if (path.endsWith('.sql')) return [text]
  return [...text.matchAll(/(?:(?<![`\w.])sql|\.script\(\s*)`/g)].map(({ 0: start, index }) => {
    let statement = ''
    let depth = 0
    for (let at = index + start.length; at < text.length && (depth > 0 || text[at] !== '`'); at += 1) {
      if (depth === 0) statement += text[at]
      if (text[at] === '{' && (depth > 0 || text[at - 1] === '$')) depth += 1
      else if (text[at] === '}' && depth > 0) depth -= 1
    }
    return statement
  })
}
