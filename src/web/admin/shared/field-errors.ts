/**
 * Rewords field errors for users: the API names a field by its path (`user.email must …`), a form by its label.
 * `instead` replaces messages that are worded for programs.
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
