/** A command that cannot be understood; the answer shows how commands are written. */
export class UsageError extends Error {}

/** What stands under this name, and not under a name that every object knows, such as `constructor`. */
export function getOwn<Value>(record: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
