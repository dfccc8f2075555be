import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Language, languageFile, languages, messageFolders } from '../language.ts'

/** Keys such as `unsubscribe.title`, and ICU messages. */
export type FlatCatalogue = Record<string, string>

const read = new Map<Language, Map<string, FlatCatalogue>>()

/** The catalogues of a language by area, read once. */
export function readCatalogues(language: Language): Map<string, FlatCatalogue> {
  let found = read.get(language)
  if (found === undefined) {
    found = new Map()
    for (const folder of messageFolders) {
      for (const [area, messages] of readFolder(join(folder, language))) {
        found.set(area, { ...found.get(area), ...messages })
      }
    }
    read.set(language, found)
  }
  return found
}

/** The messages of one area, without reading the others: most of them are not needed soon after the start. */
export function readArea(language: Language, area: string): FlatCatalogue {
  const files = messageFolders.map(folder => join(folder, language, `${area}.json`)).filter(file => existsSync(file))
  return Object.assign({}, ...files.map(readCatalogue))
}

/** The catalogues in the folder of one language. */
export function readFolder(folder: string): [area: string, messages: FlatCatalogue][] {
  return listFiles(folder).map(name => [name.slice(0, -'.json'.length), readCatalogue(join(folder, name))])
}

/**
 * Whether the site has catalogues of its own. In a checkout its folder is the one that the package was built from: files
 * with the same content are not the site's.
 */
export function hasSiteCatalogues(): boolean {
  const [packageFolder, siteFolder] = messageFolders
  if (packageFolder === undefined || siteFolder === undefined) return false
  return languages.some(language =>
    listFiles(join(siteFolder, language)).some(
      name => !hasSameContent(join(siteFolder, language, name), join(packageFolder, language, name))
    )
  )
}

function hasSameContent(file: string, other: string): boolean {
  return existsSync(other) && readFileSync(file).equals(readFileSync(other))
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.json') && name !== languageFile)
    .toSorted()
}

function readCatalogue(file: string): FlatCatalogue {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as FlatCatalogue
  } catch (error) {
    throw new Error(`The catalogue ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
