/** In front of names, on one side or the other. */
const titles = ['dr', 'prof', 'dipl', 'ing', 'herr', 'frau', 'herrn', 'familie', 'fam', 'mr', 'mrs', 'ms']
/** No name is this long; what is left out could only have been found by mistake. */
const wordsMax = 8

/**
 * The ways in which a donor may have written the name that a bank gives, as the index `donations_by_name_and_amount` spells them:
 * without case, accents, punctuation and initials; in either order; with umlauts as one letter or as two; without titles
 * and without middle names.
 */
export function spellingsOf(name: string): string[] {
  const spellings = new Set<string>()
  for (const text of inAllLetters(name)) {
    const words = wordsIn(text)
    for (const some of [words, words.filter(word => !titles.includes(word))]) {
      for (const order of ordersOf(some)) spellings.add(order.join(' '))
    }
  }
  return [...spellings].filter(spelling => spelling.length >= 4)
}

function inAllLetters(name: string): string[] {
  const twice = name.replace(/[äöü]/gi, umlaut => `${umlaut}e`)
  const once = name.replace(/([aou])e/gi, '$1')
  return [name, twice, once]
}

function wordsIn(name: string): string[] {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .split(/[\s.,;:/()_'"-]+/)
    .filter(word => word !== '' && !/^[a-z0-9]$/.test(word))
    .slice(0, wordsMax)
}

/** A bank may put the family name first. */
function ordersOf(words: string[]): string[][] {
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined || words.length === 1) return [words]
  return [words, [...words.slice(1), first], [last, ...words.slice(0, -1)], [first, last], [last, first]]
}
