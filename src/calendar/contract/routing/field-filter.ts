/** Keeps the named members; dots descend into objects, not into arrays. */
export function filterFields(body: object, fields: string | unknown[]): object {
  const names = (Array.isArray(fields) ? fields.filter(name => typeof name === 'string') : fields.split(','))
    .map(name => name.trim())
    .filter(name => name !== '')
  const wanted: FieldTree = { isWhole: names.length === 0, children: new Map() }
  for (const name of names) {
    let at = wanted
    for (const step of name.split('.', depthMax)) {
      const next = at.children.get(step) ?? { isWhole: false, children: new Map() }
      at.children.set(step, next)
      at = next
    }
    at.isWhole = true
  }
  return wanted.isWhole ? body : filterObject(body, wanted)
}

/** Named members and their nested members. */
interface FieldTree {
  isWhole: boolean
  children: Map<string, FieldTree>
}

/** Deeper than any response. */
const depthMax = 10

function filterObject(value: object, wanted: FieldTree): object {
  if (Array.isArray(value)) return []
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const here = wanted.children.get(name)
    if (here === undefined) continue
    kept[name] = here.isWhole || typeof inner !== 'object' || inner === null ? inner : filterObject(inner, here)
  }
  // An empty map is serialized as an array, as everywhere in the contract.
  return Object.keys(kept).length === 0 ? [] : kept
}
