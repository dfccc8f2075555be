import type { Store } from '#platform/database/database.ts'

const counted = new Set('all one maybeOne run script transaction oneStatement writeTogether findTogether'.split(' '))

/** A store that counts the statements and transactions that it is used for. */
export function countStatements(store: Store): { store: Store; statements(): number } {
  let count = 0
  const counting = new Proxy(store, {
    get: (target, name) => {
      if (counted.has(String(name))) count += 1
      return Reflect.get(target, name)
    }
  })
  return { store: counting, statements: () => count }
}
