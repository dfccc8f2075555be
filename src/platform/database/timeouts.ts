/** A caller gets "unavailable" after five seconds at the latest, so all timeouts below are a little shorter. */
export const transactionMs = 4800
export const timeouts = {
  connectionTimeoutMillis: 2000,
  query_timeout: 4500,
  statement_timeout: 4000,
  // Longer than the second after which PostgreSQL looks for a deadlock: that is worth a retry, a lock is not.
  lock_timeout: 1500,
  idle_in_transaction_session_timeout: 10_000
}

/** For a replica, which is never the only server to ask, and is never written to. */
export const replicaTimeouts = {
  ...timeouts,
  connectionTimeoutMillis: 1000,
  query_timeout: 1500,
  statement_timeout: 1400
}

/** For commands and migrations, which may take as long as they need but never wait long for a lock. */
export const commandTimeouts = { connectionTimeoutMillis: 10_000, lock_timeout: 2000 }
