/** Returns the value without the members that the schema does not declare; the same value if there are none. */
export type ResponseFilter = <Value>(value: Value) => Value

/**
 * Builds the filter of a response schema. A response without undeclared members is not copied, so `JSON.stringify`
 * writes its members in the order in which they were set. An object is closed unless it has `additionalProperties`.
 * Throws for a schema that leaves open what a value may be.
 */
export function buildResponseFilter(schema: object): ResponseFilter {
  const filters = buildFilters(schema)
  return value => filterValue(value, filters, 'body')
}

/** The keywords that decide what a response may contain. */
interface ResponseSchema {
  type?: string | string[]
  const?: unknown
  properties?: Record<string, object>
  additionalProperties?: boolean | object
  items?: object
  maxItems?: number
  anyOf?: object[]
}

/** The filters of a value by its JSON type; undefined or false where the schema does not declare the type. */
interface Filters {
  hasScalar: boolean
  object: ((value: object) => object) | undefined
  array: ((value: unknown[]) => unknown[]) | undefined
}

/** Schemas share parts: those of an event are in a dozen responses. */
const built = new WeakMap<object, Filters>()

function buildFilters(schema: object): Filters {
  const filters = built.get(schema) ?? compileFilters(schema)
  built.set(schema, filters)
  return filters
}

function compileFilters(schema: object): Filters {
  const { type, const: only, anyOf, ...rest } = schema as ResponseSchema
  if (anyOf !== undefined) return mergeBranches(anyOf.map(buildFilters))
  if (type === undefined && only === undefined) {
    throw new Error(`A response schema must have a type: ${JSON.stringify(schema)}`)
  }
  const types = [type].flat()
  return {
    hasScalar: types.some(one => one !== 'object' && one !== 'array'),
    object: types.includes('object') ? buildObjectFilter(rest) : undefined,
    array: types.includes('array') ? buildArrayFilter(rest) : undefined
  }
}

function mergeBranches(branches: Filters[]): Filters {
  const objects = branches.flatMap(({ object }) => object ?? [])
  const arrays = branches.flatMap(({ array }) => array ?? [])
  if (objects.length > 1 || arrays.length > 1) {
    throw new Error('The branches of a union in a response schema must differ in type.')
  }
  return { hasScalar: branches.some(({ hasScalar }) => hasScalar), object: objects[0], array: arrays[0] }
}

function buildObjectFilter({
  properties = {},
  additionalProperties = false
}: ResponseSchema): NonNullable<Filters['object']> {
  if (additionalProperties === true) return value => value
  const declared = new Map(Object.entries(properties).map(([name, schema]) => [name, buildFilters(schema)]))
  const others = additionalProperties === false ? undefined : buildFilters(additionalProperties)
  return value => {
    const members = value as Record<string, unknown>
    let copy: Record<string, unknown> | undefined
    for (const name in members) {
      const filters = declared.get(name) ?? others
      const member = members[name]
      if (filters === undefined) {
        copy ??= { ...members }
        delete copy[name]
        continue
      }
      // Most members are scalars, and lists have thousands of them.
      if (filters.hasScalar && typeof member !== 'object') continue
      const filtered = filterValue(member, filters, name)
      if (filtered === member) continue
      copy ??= { ...members }
      copy[name] = filtered
    }
    return copy ?? value
  }
}

function buildArrayFilter({ items, maxItems }: ResponseSchema): NonNullable<Filters['array']> {
  if (maxItems === 0) return value => (value.length === 0 ? value : [])
  const filters = buildFilters(items ?? {})
  const filterItem = (item: unknown) => filterValue(item, filters, 'items')
  return value => (value.every(item => filterItem(item) === item) ? value : value.map(filterItem))
}

function filterValue<Value>(value: Value, { hasScalar, object, array }: Filters, name: string): Value {
  if (typeof value !== 'object' || value === null) {
    if (hasScalar || value === null || value === undefined) return value
  } else if (Array.isArray(value)) {
    if (array !== undefined) return array(value) as Value
  } else if (object !== undefined) {
    return object(value) as Value
  } else if (value instanceof Date) {
    return value
  }
  throw new Error(`The response schema does not declare the type of the value of “${name}”.`)
}
