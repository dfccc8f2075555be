/** What one request holds of the budget. */
export interface Lease {
  /** Asks for more bytes; false if the budget has none left for it, or the request is over. */
  reserve(bytes: number): boolean
  release(): void
}

/** How many bytes of request bodies the process holds at the same time. */
export interface BodyBudget {
  lease(): Lease
  heldBytes(): number
  refused(): number
}

/**
 * A request that holds at most `alwaysBytes` is never refused: a donation goes through while somebody uploads pictures.
 * Those small bodies are bounded by the number of connections.
 */
export function newBodyBudget(bytesMax: number, alwaysBytes: number): BodyBudget {
  let held = 0
  let refused = 0
  return {
    heldBytes: () => held,
    refused: () => refused,
    lease: () => {
      let own = 0
      let isReleased = false
      return {
        reserve: bytes => {
          // Bytes may still be on their way through a stream when the client has gone.
          if (isReleased) return false
          if (own + bytes > alwaysBytes && held + bytes > bytesMax) {
            refused += 1
            return false
          }
          own += bytes
          held += bytes
          return true
        },
        release: () => {
          held -= own
          own = 0
          isReleased = true
        }
      }
    }
  }
}
