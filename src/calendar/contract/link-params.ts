import { pickByLanguage } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import { Problem } from '#platform/problem.ts'
import {
  newParam,
  type Param,
  type ParamDefs,
  ParamError,
  type ParamValues,
  type ParseContext,
  parseParams
} from './param-definition.ts'
import { isEmpty, isObject, newTooManyError, parsePositiveInt, toList } from './params.ts'

/** An existing item, or the fields of a new one. */
export type Link<Fields> = { id: number } | { fields: Fields }

const linksMax = 50

/** An id, an object with an id, an object with fields, or several of these. */
export function newLinkListParam<Declarations extends ParamDefs>(
  description: string,
  fields: Declarations
): Param<Link<ParamValues<Declarations>>[]> {
  const schema = {
    type: ['integer', 'string', 'object', 'array', 'null'],
    items: { type: ['integer', 'string', 'object'] }
  }
  return newParam(schema, description, (given, about) => {
    if (isEmpty(given) || given === 0 || given === '0') return []
    const list = toList(given)
    if (list.length > linksMax) return newTooManyError(linksMax)
    const read = list.map(one => parseLink(one, fields, about))
    return read.find(one => one instanceof ParamError) ?? (read as Link<ParamValues<Declarations>>[])
  })
}

function parseLink<Declarations extends ParamDefs>(
  given: unknown,
  fields: Declarations,
  about: ParseContext
): Link<ParamValues<Declarations>> | ParamError {
  const id = parsePositiveInt(isObject(given) ? given.id : given)
  if (id !== undefined) return { id }
  if (!isObject(given) || given.id !== undefined) {
    return new ParamError('link', buildText('calendar-rules', 'idOrFields'))
  }
  try {
    return { fields: parseParams(fields, given, about) }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return new ParamError(
      'link',
      buildText('calendar-rules', 'notValid', language => ({ text: pickByLanguage(problem.text, language) }))
    )
  }
}
