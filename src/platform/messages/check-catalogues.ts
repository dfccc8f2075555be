import { type Language, languages } from '../language.ts'
import { type FlatCatalogue, readCatalogues } from './catalogue-files.ts'
import { listArguments, parseMessage } from './message-arguments.ts'

export interface CatalogueFindings {
  /** Messages that are not translated: `area: key`. */
  missing: string[]
  /** Messages that cannot be used, with the reason. */
  wrong: string[]
}

/** Compares the catalogues of a language with the English ones. */
export function checkCatalogues(language: Language): CatalogueFindings {
  const source = readCatalogues('en')
  const own = readCatalogues(language)
  const missing = [...source].flatMap(([area, messages]) =>
    Object.keys(messages)
      .filter(key => own.get(area)?.[key] === undefined)
      .map(key => `${area}: ${key}`)
  )
  const wrong = [...own].flatMap(([area, messages]) =>
    Object.entries(messages).flatMap(([key, message]) => {
      const reason = findFault(source.get(area), key, message) ?? findPathFault(area, source.get(area)?.[key], message)
      return reason === undefined ? [] : [`${language}/${area}.json: ${key}: ${reason}`]
    })
  )
  return { missing, wrong }
}

/** Every message that cannot be used, in all languages. */
export function listFaults(): string[] {
  return languages.flatMap(language => checkCatalogues(language).wrong)
}

/** Paths of pages become routes: they need the parameters of the English ones, and no other characters than ours have. */
function findPathFault(area: string, original: string | undefined, path: string): string | undefined {
  if (area !== 'paths' || original === undefined) return undefined
  const listParameters = (text: string) => text.match(/:\w+/g)?.join() ?? ''
  if (listParameters(path) !== listParameters(original)) return `the path needs ${listParameters(original)}.`
  return /^[a-z0-9:/.-]*$/.test(path.replace(/:\w+/g, '')) ? undefined : 'a path has small letters, digits and hyphens.'
}

function findFault(source: FlatCatalogue | undefined, key: string, message: unknown): string | undefined {
  const original = source?.[key]
  if (original === undefined) return 'there is no such message in English.'
  if (typeof message !== 'string') return 'a message is a text.'
  try {
    const allowed = listArguments(parseMessage(original))
    const used = listArguments(parseMessage(message))
    const unknown = [...used.keys()].filter(name => !allowed.has(name))
    if (unknown.length > 0) return `English has no argument ${unknown.join(', ')}.`
    const differing = [...used].filter(([name, type]) => type !== 'text' && allowed.get(name) !== type)
    return differing.length === 0 ? undefined : `English uses ${differing.map(([name]) => name).join(', ')} otherwise.`
  } catch (error) {
    return `it cannot be read (${error instanceof Error ? error.message : String(error)}).`
  }
}
