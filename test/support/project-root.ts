import { fileURLToPath } from 'node:url'

/** Where the repository is. Compiled tests lie a folder deeper. */
export const root = fileURLToPath(
  new URL(import.meta.url.includes('/dist-test/') ? '../../../' : '../../', import.meta.url)
)
