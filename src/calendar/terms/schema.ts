import { buildText } from '#platform/messages/messages.ts'
import { toSingleLineText } from '#platform/rich-text/html.ts'
import { markupRule } from '#platform/rich-text/markup-cost.ts'
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
    if (normalizeForSearch(plain) === '') return new ParamError('empty', buildText('calendar-rules', 'empty'))
    return newNonEmptyTextParam('', nameLengthMax).parse(plain, about)
  }
}

export const tagFields = {
  name: makeRequired(nameParam),
  description: newTextParam(`A description, HTML. ${markupRule}`, descriptionLengthMax),
  slug: newTextParam('URL slug; generated from the name if empty.', slugLengthMax)
}

export const categoryFields = {
  ...tagFields,
  parent: newOptionalIdParam('Parent category; 0 for none.')
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
        ? new ParamError('empty', buildText('calendar-rules', 'empty'))
        : keys
    }
  }
}

export const tagFilters = {
  ...pagingParams,
  search: newNonEmptyTextParam('Part of the name or slug.', 200),
  exclude: newTermFilterParam('Ids, slugs or names to exclude.'),
  include: newTermFilterParam('Ids, slugs or names to return.'),
  order: withDescription(newNonEmptyTextParam('', 20), 'Sort direction: `asc`; any other value is descending.', {
    default: 'asc'
  }),
  orderby: withDescription(
    newNonEmptyTextParam('', 50),
    'Field to sort by: id, name, slug, count, term_group, description or include (the order of that list).',
    { default: 'name' }
  ),
  hide_empty: withDescription(newBoolFilterParam(''), 'Exclude terms without published events.', { default: '1' }),
  post: newPositiveIntParam('Id of an event; only its terms are returned.'),
  event: newPositiveIntParam('Id of an event; only its terms are returned. Overrides `post`.'),
  slug: newNonEmptyTextParam('Slug of the term to return.', slugLengthMax),
  missing_language: missingLanguageParam
}

export const termDeleteParams = { text_only: textOnlyParam }

export const categoryFilters = {
  ...tagFilters,
  parent: newPositiveIntParam('Id of the parent category; only its direct children are returned.')
}
export type TermListValues = ParamValues<typeof categoryFilters>
