import { toSingleLineText } from '../content/html.ts'
import { markupRule } from '../content/markup-budget.ts'
import { normalizeForSearch } from '../content/search.ts'
import {
  makeOptional,
  makeRequired,
  type Param,
  ParamError,
  type ParamValues,
  withDescription
} from '../contract/param-definition.ts'
import {
  missingLanguageParam,
  newBoolFilterParam,
  newNonEmptyTextParam,
  newOptionalIdParam,
  newPositiveIntParam,
  newTermListParam,
  newTextParam,
  type TermKey,
  textOnlyParam
} from '../contract/params.ts'
import { pagingParams } from '../contract/routing/paging.ts'

const nameLengthMax = 200
const descriptionLengthMax = 100_000
const slugLengthMax = 400

/** Plain text with visible characters. Tags and entities do not count: they are removed first. */
const nameParam: Param<string> = {
  ...newNonEmptyTextParam('The name.', nameLengthMax),
  parse: (given, about) => {
    const written = newNonEmptyTextParam('', descriptionLengthMax).parse(given, about)
    if (written instanceof ParamError) return written
    const plain = toSingleLineText(written)
    if (normalizeForSearch(plain) === '') return new ParamError('empty', 'must not be empty', 'darf nicht leer sein')
    return newNonEmptyTextParam('', nameLengthMax).parse(plain, about)
  }
}

export const tagFields = {
  name: makeRequired(nameParam),
  description: newTextParam(`A description, HTML. ${markupRule}`, descriptionLengthMax),
  slug: newTextParam('Its name in addresses; made of the name if it is empty.', slugLengthMax)
}

export const categoryFields = {
  ...tagFields,
  parent: newOptionalIdParam('The category it belongs to; 0 for none.')
}

export const tagChangeParams = makeOptional(tagFields)
export const categoryChangeParams = makeOptional(categoryFields)
export type TermChanges = ParamValues<typeof categoryFields>

/** A list of existing terms, at least one. */
function newTermFilterParam(description: string): Param<TermKey[]> {
  const some = newTermListParam(description)
  return {
    ...some,
    parse: (given, about) => {
      const keys = some.parse(given, about)
      return Array.isArray(keys) && keys.length === 0
        ? new ParamError('empty', 'must not be empty', 'darf nicht leer sein')
        : keys
    }
  }
}

export const tagFilters = {
  ...pagingParams,
  search: newNonEmptyTextParam('A part of the name or the slug.', 200),
  exclude: newTermFilterParam('All but these: ids, slugs or names.'),
  include: newTermFilterParam('Only these: ids, slugs or names.'),
  order: withDescription(newNonEmptyTextParam('', 20), 'The direction: `asc`; anything else is descending.', {
    default: 'asc'
  }),
  orderby: withDescription(
    newNonEmptyTextParam('', 50),
    'What decides the order: id, name, slug, count, term_group, description or include (the order of that list).',
    { default: 'name' }
  ),
  hide_empty: withDescription(newBoolFilterParam(''), 'Leave out what no published event has.', { default: '1' }),
  post: newPositiveIntParam('Only those of this event.'),
  event: newPositiveIntParam('Only those of this event; wins over `post`.'),
  slug: newNonEmptyTextParam('The one with this slug.', slugLengthMax),
  missing_language: missingLanguageParam
}

export const termDeleteParams = { text_only: textOnlyParam }

export const categoryFilters = {
  ...tagFilters,
  parent: newPositiveIntParam('Only those directly below this category.')
}
export type TermListValues = ParamValues<typeof categoryFilters>
