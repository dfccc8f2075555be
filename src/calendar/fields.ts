/** Keeps the members that are named; dots go into objects, not into lists. */
export function pick(body: object, fields: string | unknown[]): object {
  const names = (Array.isArray(fields) ? fields.filter(name => typeof name === 'string') : fields.split(','))
    .map(name => name.trim())
    .filter(name => name !== '')
  const wanted: Wanted = { whole: names.length === 0, inside: new Map() }
  for (const name of names) {
    let at = wanted
    for (const step of name.split('.', stepsMax)) {
      const next = at.inside.get(step) ?? { whole: false, inside: new Map() }
      at.inside.set(step, next)
      at = next
    }
    at.whole = true
  }
  return wanted.whole ? body : picked(body, wanted)
}

/** Members that are named, and those inside of them. */
interface Wanted {
  whole: boolean
  inside: Map<string, Wanted>
}

/** Deeper than any answer. */
const stepsMax = 10

function picked(value: object, wanted: Wanted): object {
  if (Array.isArray(value)) return []
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const here = wanted.inside.get(name)
    if (here === undefined) continue
    kept[name] = here.whole || typeof inner !== 'object' || inner === null ? inner : picked(inner, here)
  }
  // A map without members is written as a list, as everywhere in the contract.
  return Object.keys(kept).length === 0 ? [] : kept
}
