/** A one-line location, split into venue fields. */
export interface ParsedLocation {
  name: string
  address: string
  zip: string
  city: string
  state: string
  country: string
}

/** Longer text is not an address but a name as it stands. Also bounds the parsing cost. */
const locationLengthMax = 1000

/** Parses a location such as `Town Hall, Main Street 1, 12345 Springfield, Germany`. A given title is the name. */
export function parseLocation(location: string, title = ''): ParsedLocation {
  const place: ParsedLocation = { name: '', address: '', zip: '', city: '', state: '', country: '' }
  if (location.length > locationLengthMax) return { ...place, name: `${location.slice(0, 200).trim()}…` }
  const text = location.replaceAll(/[\r\n]+/g, ', ').trim()
  const name = title !== '' && text.startsWith(title) ? title : (splitParts(text)[0] ?? '')
  const parts = splitParts(text.slice(text.indexOf(name) + name.length))
  return { ...place, ...parseAddress(parts), name }
}

function splitParts(text: string): string[] {
  return text
    .split(/[,;]/)
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** `12345 Springfield`, `D-12345 Springfield`, `1234 AB Amsterdam`. */
const zipAndCity = /^(?:[A-Z]{1,2}-)?(\d{4,5}(?: [A-Z]{2})?) +(\p{L}.*)$/u
/** `IL 62701`. */
const stateAndZip = /^([A-Z]{2}) +(\d{5}(?:-\d{4})?)$/
/** A postal code on its own, as The Events Calendar writes it: street, city, state and code in separate parts. */
const onlyZip = /^(?:[A-Z]{1,2}-)?\d{4,5}(?:-\d{4})?$|^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/

function parseAddress(parts: string[]): Partial<ParsedLocation> {
  for (const [place, part] of parts.entries()) {
    const before = parts.slice(0, place)
    const country = parts.slice(place + 1).join(', ')
    const german = zipAndCity.exec(part)
    if (german !== null) return { address: before.join(', '), zip: german[1] ?? '', city: german[2] ?? '', country }
    const american = stateAndZip.exec(part)
    if (american !== null) {
      const city = before.pop() ?? ''
      return { address: before.join(', '), city, state: american[1] ?? '', zip: american[2] ?? '', country }
    }
    if (onlyZip.test(part)) {
      const state = before.length > 2 ? (before.pop() ?? '') : ''
      const city = before.pop() ?? ''
      return { address: before.join(', '), city, state, zip: part, country }
    }
  }
  return { address: parts.join(', ') }
}
