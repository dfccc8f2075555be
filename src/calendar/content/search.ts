/** More terms than a real search has; each one costs a scan. */
const termsMax = 20

export interface SearchTerms {
  included: string[]
  excluded: string[]
}

/** Parses a search: words that must all occur, "phrases", and -words that must not occur. */
export function parseSearch(text: string): SearchTerms {
  const wanted = new Set<string>()
  const unwanted = new Set<string>()
  for (const { excluded, term } of tokenizeSearch(text)) {
    const words = normalizeForSearch(term)
    if (words !== '') (excluded ? unwanted : wanted).add(words)
    if (wanted.size + unwanted.size === termsMax) break
  }
  return { included: [...wanted], excluded: [...unwanted] }
}

/** Normalizes a text for the search column and for search terms: case, accents and kinds of whitespace are ignored. */
export function normalizeForSearch(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\0]/gu, '')
    .replace(/[ßæœøłđðþħıŋŧſς‘’ʼ“”„–—]/g, letter => letterFolding[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}

export function toLikePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`
}

const letterFolding: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-'
}

/** A quote opens a phrase only where a term begins and only if it is closed: 5" and 6" are measures. */
const termPattern = /(-?)(?:"([^"]*)"|([^\s,]+))/y
const separatorPattern = /[\s,]*/y

function* tokenizeSearch(text: string): Generator<{ excluded: boolean; term: string }> {
  let at = 0
  while (at < text.length) {
    separatorPattern.lastIndex = at
    at += separatorPattern.exec(text)?.[0].length ?? 0
    termPattern.lastIndex = at
    const found = termPattern.exec(text)
    if (found === null) return
    const [all, minus, phrase, word = ''] = found
    at += all.length
    if (word !== '-') yield { excluded: minus === '-', term: phrase ?? word }
  }
}
