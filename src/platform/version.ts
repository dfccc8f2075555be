/** Written by scripts/release.mjs. */
export const version = '0.1.0'
/** Identifies the content of a build: the folder in dist that the program runs from. */
export const build = /\/dist\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1] ?? 'source'
