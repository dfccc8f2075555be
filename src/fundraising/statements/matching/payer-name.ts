/** Around names, on one side or the other. */
const titles = new Set(
  'dr prof dipl ing med phil jur rer nat habil mag herr herrn frau familie fam eheleute mr mrs ms und and'.split(' ')
)
/** No name is this long; what is left out could only have been found by mistake. */
const wordsMax = 8
/** Less than that is an abbreviation, and fits too many. */
const lettersMin = 4

/** Somebody who paid, as the bank tells of them. */
export interface Payer {
  name: string | null
  /** Begins with the name where a bank has no place of its own for it. */
  text: string
}

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

/** The words by which a payer may be found. */
export function splitPayer({ name, text }: Payer): string[] {
  return splitName(name ?? text)
}

/** In any order. One side may have more: a middle name, or somebody who shares the account. */
export function isSamePerson(payer: Payer, donor: string): boolean {
  const [paid, given] = [splitPayer(payer), splitName(donor)]
  if (given.join('').length < lettersMin) return false
  if (payer.name === null) return given.length > 1 && isWithin(given, paid.slice(0, given.length))
  const [fewer, more] = paid.length < given.length ? [paid, given] : [given, paid]
  return isWithin(fewer, more) && (fewer.length > 1 || more.length === fewer.length)
}

const isWithin = (fewer: string[], more: string[]) => fewer.length > 0 && fewer.every(word => more.includes(word))
