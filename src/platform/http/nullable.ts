import { type Static, type TSchema, Type } from 'typebox'

/** The schema or null, as a list of types: a union would be tried branch by branch for every response. */
export function Nullable<Schema extends TSchema>(schema: Schema, options: { description?: string } = {}) {
  const { type } = schema as { type?: unknown }
  if (typeof type !== 'string') throw new Error('Only a schema of one type can be made nullable.')
  // A title names the schema that is never null.
  return Type.Unsafe<Static<Schema> | null>({ ...schema, title: undefined, ...options, type: [type, 'null'] })
}
