import { plainText } from '../html.ts'
import { markupRule } from '../markup-budget.ts'
import { pagingParameters } from '../paging.ts'
import { described, Fault, optional, type Parameter, required, type Values } from '../parameters.ts'
import {
  filledText,
  idOrNone,
  missingLanguage,
  positive,
  type TermKey,
  terms,
  text,
  textOnly,
  truthFilter
} from '../rules.ts'
import { folded } from '../search.ts'

const nameLengthMax = 200
const descriptionLengthMax = 100_000
const slugLengthMax = 400

/** Plain text, in which something can be seen. Tags and entities do not count: they are taken out first. */
const name: Parameter<string> = {
  ...filledText('The name.', nameLengthMax),
  read: (given, about) => {
    const written = filledText('', descriptionLengthMax).read(given, about)
    if (written instanceof Fault) return written
    const plain = plainText(written)
    if (folded(plain) === '') return new Fault('empty', 'must not be empty', 'darf nicht leer sein')
    return filledText('', nameLengthMax).read(plain, about)
  }
}

export const tagFields = {
  name: required(name),
  description: text(`A description, HTML. ${markupRule}`, descriptionLengthMax),
  slug: text('Its name in addresses; made of the name if it is empty.', slugLengthMax)
}

export const categoryFields = {
  ...tagFields,
  parent: idOrNone('The category it belongs to; 0 for none.')
}

export const tagChanges = optional(tagFields)
export const categoryChanges = optional(categoryFields)
export type TermChanges = Values<typeof categoryFields>

/** Terms that must exist, so at least one. */
function termFilter(description: string): Parameter<TermKey[]> {
  const some = terms(description)
  return {
    ...some,
    read: (given, about) => {
      const keys = some.read(given, about)
      return Array.isArray(keys) && keys.length === 0
        ? new Fault('empty', 'must not be empty', 'darf nicht leer sein')
        : keys
    }
  }
}

export const tagFilters = {
  ...pagingParameters,
  search: filledText('A part of the name or the slug.', 200),
  exclude: termFilter('All but these: ids, slugs or names.'),
  include: termFilter('Only these: ids, slugs or names.'),
  order: described(filledText('', 20), 'The direction: `asc`; anything else is descending.', { default: 'asc' }),
  orderby: described(
    filledText('', 50),
    'What decides the order: id, name, slug, count, term_group, description or include (the order of that list).',
    { default: 'name' }
  ),
  hide_empty: described(truthFilter(''), 'Leave out what no published event has.', { default: '1' }),
  post: positive('Only those of this event.'),
  event: positive('Only those of this event; wins over `post`.'),
  slug: filledText('The one with this slug.', slugLengthMax),
  missing_language: missingLanguage
}

export const termDeleting = { text_only: textOnly }

export const categoryFilters = {
  ...tagFilters,
  parent: positive('Only those directly below this category.')
}
export type TermFilters = Values<typeof categoryFilters>
