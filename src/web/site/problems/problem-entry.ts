/** A problem code: the parts of the program that answer with it, its statuses, and its messages. */
export interface ProblemEntry {
  code: string
  services: readonly string[]
  /** Empty where the status depends on the request. */
  statuses: readonly number[]
  /** Messages as `area.key`. */
  texts: readonly string[]
}
