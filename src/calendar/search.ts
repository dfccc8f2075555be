/** More terms than anybody types; each is a scan of its own. */
const termsMax = 20

export interface Search {
  wanted: string[]
  unwanted: string[]
}

/** What a visitor looks for: words that must all be there, "phrases", and -words that must not. */
export function readSearch(text: string): Search {
  const wanted = new Set<string>()
  const unwanted = new Set<string>()
  for (const { excluded, term } of termsOf(text)) {
    const words = folded(term)
    if (words !== '') (excluded ? unwanted : wanted).add(words)
    if (wanted.size + unwanted.size === termsMax) break
  }
  return { wanted: [...wanted], unwanted: [...unwanted] }
}

/** A text as it is stored for search and as it is looked for: without case, accents and kinds of blanks. */
export function folded(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\0]/gu, '')
    .replace(/[ßæœøłđðþħıŋŧſς‘’ʼ“”„–—]/g, letter => sameAs[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}

export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`
}

const sameAs: Record<string, string> = {
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
const termForm = /(-?)(?:"([^"]*)"|([^\s,]+))/y
const betweenTerms = /[\s,]*/y

function* termsOf(text: string): Generator<{ excluded: boolean; term: string }> {
  let at = 0
  while (at < text.length) {
    betweenTerms.lastIndex = at
    at += betweenTerms.exec(text)?.[0].length ?? 0
    termForm.lastIndex = at
    const found = termForm.exec(text)
    if (found === null) return
    const [all, minus, phrase, word = ''] = found
    at += all.length
    if (word !== '-') yield { excluded: minus === '-', term: phrase ?? word }
  }
}
