import type { Store } from '#platform/database/database.ts'
import type { Sql } from '#platform/database/sql.ts'

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

/** A store that passes each statement that reads rows to the watcher. */
export function watchReads(store: Store, onRead: (text: string) => void): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name !== 'all') return Reflect.get(target, name)
      return async (statement: Sql) => {
        onRead(statement.text)
        return await target.all(statement)
      }
    }
  })
}

/** Whether a statement reads events with their texts. */
export const readsEvents = (text: string) => text.includes('event.start_local::text')
