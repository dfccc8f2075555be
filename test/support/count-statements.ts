import type { Store } from '#platform/database/database.ts'
import type { Sql } from '#platform/database/sql.ts'

const counted = new Set(
  'all one maybeOne run runAtCommit script transaction oneStatement writeTogether findTogether'.split(' ')
)

/**
 * A store that counts the statements and transactions that it is used for, without the polls of the response cache, which
 * come when time has passed.
 */
export function countStatements(store: Store): { store: Store; statements(): number } {
  let count = 0
  const counting: Store = new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name)
      if (!counted.has(String(name))) return member
      return (...words: unknown[]) => {
        if (!isPoll(words[0])) count += 1
        return Reflect.apply(member as () => unknown, counting, words)
      }
    }
  })
  return { store: counting, statements: () => count }
}

const isPoll = (statement: unknown) => /pg_current_snapshot/.test(String((statement as Partial<Sql> | undefined)?.text))

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
