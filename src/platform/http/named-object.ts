import { type TObject, type TObjectOptions, type TProperties, Type } from 'typebox'

/** An object that is a component of the OpenAPI document under this name. */
export function NamedObject<Properties extends TProperties>(
  title: string,
  properties: Properties,
  options: TObjectOptions = {}
): TObject<Properties> {
  return Type.Object(properties, { title, ...options })
}
