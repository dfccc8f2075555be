import { formatJson } from './format-json.ts'
import type { OperationEntry, OperationRoute } from './openapi-view.ts'
import type { SampleResources } from './sample-resources.ts'

/** curl command for an operation, on this site. */
export function buildCurl(origin: string, entry: OperationEntry, way: OperationRoute, things: SampleResources): string {
  const method = chooseMethod(way)
  // Commands that change or delete use placeholders instead of real ids, so that trying them does no harm.
  const isHarmless = method === 'GET' || entry.responses.some(({ status }) => status === '201')
  const path = fillPath(way.path, isHarmless ? things.values : {})
  const strings = Object.entries({ ...way.query, ...pick(things.query, way.query) })
    .map(([name, value]) => `${name}=${encodeValue(String(value))}`)
    .join('&')
  const url = quoteUrl(`${origin}${path}${strings === '' ? '' : `?${strings}`}`)
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${url}`]
  if (entry.roles.length > 0) lines.push('-H "Authorization: Bearer $KEY"')
  if (entry.body?.upload !== undefined) lines.push(`-F file=@${entry.body.upload}`)
  else if (entry.body !== undefined) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${formatJson(entry.body.example).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`)
  }
  return lines.join(' \\\n  ')
}

/** Of several equivalent methods, the most descriptive one. */
export function chooseMethod({ methods }: OperationRoute): string {
  const names = methods.map(({ method }) => method)
  return names.includes('PATCH') ? 'PATCH' : (names[0] ?? 'GET')
}

/** `/events/{id}` with the id of an existing event, else with a variable: `/events/$ID`. */
function fillPath(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    const value = values[path.slice(0, at + placeholder.length)]
    return value === undefined ? `$${name.replace(/[A-Z]/g, '_$&').toUpperCase()}` : encodeValue(value)
  })
}

function encodeValue(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}

function quoteUrl(url: string): string {
  return /[?&$]/.test(url) ? `"${url}"` : url
}

function pick(from: Record<string, string>, names: object): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name in names))
}
