import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loads a package with the first request that needs it, so that it does not delay the start. */
export function requireLazily<Package>(name: string): () => Package {
  let known: Package | undefined
  return () => {
    known ??= require(name) as Package
    return known
  }
}
