/** Around names, on one side or the other. */
const titles = new Set(
  'dr prof dipl ing med phil jur rer nat habil mag herr herrn frau familie fam eheleute mr mrs ms und and'.split(' ')
)
/** No name is this long; what is left out could only have been found by mistake. */
const wordsMax = 8
/** Less than that is an abbreviation, and fits too many. */
const lettersMin = 4

/**
 * The words of a name, as they are compared: without case, accents, punctuation, titles and initials, and with umlauts as one letter,
 * whether they were written as one or two. `GROESSE, JOERG` and `Dr. Jörg Größe` have the same.
 */
export function splitName(name: string): string[] {
  const plain = name
    .slice(0, 500)
    .replaceAll(/ß|ẞ/g, 'ss')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1 && !titles.has(word))
    .map(word => word.replaceAll(/([aou])e/g, '$1'))
    .slice(0, wordsMax)
}

/** Somebody who paid, as the bank tells of them. */
export interface PayerName {
  words: string[]
  /** Otherwise the words are those of the text, which begins with the name where a bank has no place of its own for it. */
  isNamed: boolean
}

export function toPayerName(name: string | null, text: string): PayerName {
  return { words: splitName(name ?? text), isNamed: name !== null }
}

/** Whether the words of a donor's name are the payer's, in any order. One side may have more: a middle name, or somebody who shares the account. */
export function isSamePerson({ words, isNamed }: PayerName, donor: string[]): boolean {
  if (donor.join('').length < lettersMin) return false
  if (!isNamed) return donor.length > 1 && isWithin(donor, words.slice(0, donor.length))
  const [fewer, more] = words.length < donor.length ? [words, donor] : [donor, words]
  return isWithin(fewer, more) && (fewer.length > 1 || more.length === fewer.length)
}

const isWithin = (fewer: string[], more: string[]) => fewer.length > 0 && fewer.every(word => more.includes(word))
