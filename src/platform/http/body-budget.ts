/** The share of the budget that one request holds. */
export interface Lease {
  /** Reserves more bytes; false if the budget has none left for it, or the request is over. */
  reserve(bytes: number): boolean
  release(): void
}

/** Limits the bytes of request bodies that the process holds at the same time. */
export interface BodyBudget {
  lease(): Lease
  heldBytes(): number
  refused(): number
}

/**
 * A request that holds at most `alwaysBytes` is never refused: donations go through while others upload pictures. The
 * number of connections bounds those small bodies.
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
          // Bytes may still be in a stream when the client has disconnected.
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
