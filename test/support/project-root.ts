import { fileURLToPath } from 'node:url'

/** The root folder of the repository. Compiled tests are one folder deeper. */
export const root = fileURLToPath(
  new URL(import.meta.url.includes('/dist-test/') ? '../../../' : '../../', import.meta.url)
)
