import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that only some requests need: loaded with the first of them, so that no start waits for it. */
export function requireLazily<Package>(name: string): () => Package {
  let known: Package | undefined
  return () => {
    known ??= require(name) as Package
    return known
  }
}
