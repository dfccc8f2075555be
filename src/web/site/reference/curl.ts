import type { Entry, Way } from './openapi-view.ts'
import type { RealThings } from './real-things.ts'
import { readableJson } from './shown-json.ts'

/** A line for the shell that does what an entry says, on this very site. */
export function curlOf(origin: string, entry: Entry, way: Way, things: RealThings): string {
  const method = methodOf(way)
  // What changes or removes something names no real thing: a line that is tried out should do no harm.
  const isHarmless = method === 'GET' || entry.answers.some(({ status }) => status === '201')
  const path = filled(way.path, isHarmless ? things.values : {})
  const words = Object.entries({ ...way.query, ...pick(things.query, way.query) })
    .map(([name, value]) => `${name}=${encoded(String(value))}`)
    .join('&')
  const url = inShell(`${origin}${path}${words === '' ? '' : `?${words}`}`)
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${url}`]
  if (entry.roles.length > 0) lines.push('-H "Authorization: Bearer $KEY"')
  if (entry.body?.isUpload === true) lines.push('-F file=@picture.jpg')
  else if (entry.body !== undefined) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${readableJson(entry.body.example).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`)
  }
  return lines.join(' \\\n  ')
}

/** Of several that do the same, the one whose name says it best. */
export function methodOf({ methods }: Way): string {
  const names = methods.map(({ method }) => method)
  return names.includes('PATCH') ? 'PATCH' : (names[0] ?? 'GET')
}

/** `/events/{id}` with the id of an event that is there, else with a variable: `/events/$ID`. */
function filled(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    const value = values[path.slice(0, at + placeholder.length)]
    return value === undefined ? `$${name.replace(/[A-Z]/g, '_$&').toUpperCase()}` : encoded(value)
  })
}

function encoded(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
}

function inShell(url: string): string {
  return /[?&$]/.test(url) ? `"${url}"` : url
}

function pick(from: Record<string, string>, names: object): Record<string, string> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name in names))
}
