import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Loads a package with the first request that needs it, so that it does not delay the start. The import map of a build leads to the
 * package's bundled file (scripts/bundle.mjs), that of the source to the package itself.
 */
export function requireLazily<Package>(name: string): () => Package {
  let known: Package | undefined
  return () => {
    known ??= require(`#packages/${name}`) as Package
    return known
  }
}
