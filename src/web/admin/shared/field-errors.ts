/**
 * What an API said of fields, for people: an API calls a field by its path (`user.email must …`), a form by its label.
 * Where the rule itself is worded for programs, `instead` has better words.
 */
export function toLabelledErrors(
  errors: Record<string, string>,
  labels: Record<string, string>,
  instead: Record<string, string> = {}
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([name, message]) => {
      const path = name.replaceAll('/', '.')
      const label = labels[name]
      const said = label !== undefined && message.startsWith(path) ? label + message.slice(path.length) : message
      return [name, instead[name] ?? said]
    })
  )
}
