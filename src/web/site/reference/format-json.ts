/** Pretty-prints JSON: values that fit on one line stay on it. */
export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const line = formatInline(value)
  if (indent.length + line.length <= lineLengthMax) return line
  const deeper = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(one => deeper + formatJson(one, deeper))
    : Object.entries(value).map(([name, one]) => `${deeper}${JSON.stringify(name)}: ${formatJson(one, deeper)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

const lineLengthMax = 76

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${formatInline(one)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
