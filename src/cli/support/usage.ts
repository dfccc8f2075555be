/** Invalid command line; the error output includes the help text. */
export class UsageError extends Error {}

/** Own properties only, so that a name such as `constructor` finds nothing. */
export function getOwn<Value>(record: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
