import type pg from 'pg'
import type { Change, Database } from './database.ts'
import { DatabaseUnavailable, isConnectionError, toUnavailable } from './errors.ts'
import { SocketClient } from './socket-client.ts'
import type { Sql } from './sql.ts'
import { buildQueryMethods, requireReplicatedCommits, sendStatement, withDeadline } from './statement.ts'

/** Runs the work in a transaction once; announces its changes after the commit. */
export async function attemptTransaction<Result>(
  pool: pg.Pool,
  deadline: number,
  work: (tx: Database) => Promise<Result>,
  announce: (changes: Change[]) => void
): Promise<Result> {
  const client = await checkoutClient(pool)
  return await withClient(client, deadline, async () => {
    const changes: Change[] = []
    const lastStatements: Sql[] = []
    let isOver = false
    // Else a statement that was sent late, by work that failed elsewhere, would be executed without the transaction.
    const requireOpen = () => {
      if (isOver) throw new Error('The transaction is over.')
    }
    const tx: Database = {
      ...buildQueryMethods(async statement => {
        requireOpen()
        batchStatements(client)
        return await sendStatement(client, statement, deadline)
      }),
      runAtCommit: async statement => {
        requireOpen()
        lastStatements.push(statement)
      },
      script: async text => {
        requireOpen()
        await client.query(text)
      },
      transaction: async inner => await inner(tx),
      ...buildWithoutOthers(() => tx),
      addChange: change => void changes.push(change)
    }

    // Not awaited, so that the first statement is sent along with it.
    batchStatements(client)
    const begun = client.query(withDeadline(deadline, { text: 'begin' }))
    begun.catch(ignoreUntilCommit)
    const result = await work(tx).finally(() => {
      isOver = true
    })
    await begun
    const committed = await sendCommit(client, deadline, lastStatements)
    // PostgreSQL answers the commit of a failed transaction with a rollback.
    requireReplicatedCommits(client)
    if (committed.command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
    if (changes.length > 0) announce(changes)
    return result
  })
}

/** If one of the last statements fails, PostgreSQL answers the commit with a rollback, and the error is that of the statement. */
async function sendCommit(client: pg.PoolClient, deadline: number, last: Sql[]): Promise<pg.QueryResult> {
  const commit = async () => await client.query(withDeadline(deadline, { text: 'commit' }))
  batchStatements(client)
  const sent = last.map(async statement => await sendStatement(client, statement, deadline))
  const [committed] = await Promise.all([commit(), ...sent])
  return committed
}

function batchStatements(client: pg.PoolClient): void {
  if (client instanceof SocketClient) client.batchStatements()
}

/** Runs work that sends one statement, without `begin` and `commit`; announces its changes after the statement. */
export async function attemptOneStatement<Result>(
  pool: pg.Pool,
  deadline: number,
  work: (tx: Database) => Promise<Result>,
  announce: (changes: Change[]) => void
): Promise<Result> {
  const client = await checkoutClient(pool)
  return await withClient(client, deadline, async () => {
    const changes: Change[] = []
    let hasSent = false
    const methods = buildQueryMethods(async statement => {
      if (hasSent) throw new Error('Only one statement is atomic without a transaction.')
      hasSent = true
      return await sendStatement(client, statement, deadline)
    })
    const tx: Database = {
      ...methods,
      runAtCommit: async statement => void (await methods.run(statement)),
      script: async () => {
        throw new Error('A script is more than one statement.')
      },
      transaction: async inner => await inner(tx),
      ...buildWithoutOthers(() => tx),
      addChange: change => void changes.push(change)
    }
    const result = await work(tx)
    if (changes.length > 0) announce(changes)
    return result
  })
}

/** Inside a transaction, a caller does not wait for others. */
export function buildWithoutOthers(
  getDatabase: () => Database
): Pick<Database, 'oneStatement' | 'writeTogether' | 'findTogether'> {
  return {
    oneStatement: async work => await work(getDatabase()),
    writeTogether: async (write, item) => (await write(getDatabase(), [item]))[0] as never,
    findTogether: async (list, key) => (await list(getDatabase(), [key])).get(key)
  }
}

/** The error of `begin` is thrown where it is awaited; until then it must not count as unhandled. */
function ignoreUntilCommit(): void {}

export async function checkoutClient(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw toUnavailable(error)
  }
}

/** Releases the client: as it is after success, rolled back after an error, destroyed if it may be broken. */
export async function withClient<Result>(
  client: pg.PoolClient,
  deadline: number,
  work: () => Promise<Result>
): Promise<Result> {
  // An error between two statements has no other listener; the next statement fails and reports it.
  const onError = () => {}
  client.on('error', onError)
  const releaseClient = (broken: boolean) => {
    client.off('error', onError)
    client.release(broken)
  }

  try {
    const result = await work()
    releaseClient(false)
    return result
  } catch (error) {
    const reason = isConnectionError(error) ? toUnavailable(error) : error
    releaseClient(reason instanceof DatabaseUnavailable || !(await tryRollback(client, deadline)))
    throw reason
  }
}

async function tryRollback(client: pg.PoolClient, deadline: number): Promise<boolean> {
  try {
    await client.query(withDeadline(deadline, { text: 'rollback' }))
    return true
  } catch {
    return false
  }
}
