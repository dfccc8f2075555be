/**
 * Converts text to the characters that every bank accepts: ASCII letters, digits, spaces and `/ - ? : ( ) . , ' +`.
 * Other letters are transliterated, diacritics are removed, and anything else becomes a space. Never empty.
 */
export function toSepaCharacters(text: string, mostCharacters: number): string {
  let plain = ''
  for (const character of text.normalize('NFC')) {
    plain += allowed.test(character) ? character : transliterate(character)
    // Stops early, because the rest is cut off anyway; leaves room for double spaces that are removed below.
    if (plain.length > 4 * mostCharacters) break
  }
  // Leading, trailing and double slashes separate fields in older formats, and some banks reject them.
  const tidy = plain.replace(/ {2,}/g, ' ').replace(/\/{2,}/g, '/')
  const short = trimSeparators(trimSeparators(tidy).slice(0, mostCharacters))
  return short === '' ? 'NOTPROVIDED' : short
}

const allowed = /^[A-Za-z0-9/\-?:().,'+ ]$/

function transliterate(character: string): string {
  const known = forms.get(character)
  if (known !== undefined) return known
  const small = character.toLowerCase()
  const form = forms.get(small)
  if (form !== undefined) return form.charAt(0).toUpperCase() + form.slice(1)
  // Letters with diacritics, full-width and small forms, ligatures: decompose and drop the marks.
  let rest = ''
  for (const part of character.normalize('NFKD')) {
    if (allowed.test(part)) rest += part
    else rest += forms.get(part) ?? (mark.test(part) ? '' : ' ')
  }
  return rest
}

/** Combining marks and zero-width characters. */
const mark = /^[\p{M}\p{Cf}]$/u

function trimSeparators(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && (text[start] === ' ' || text[start] === '/')) start += 1
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '/')) end -= 1
  return text.slice(start, end)
}

/** Lower case only, unless the capital differs. Cyrillic as in passports, Greek as on road signs. */
const forms = new Map(
  [
    'ä ae ö oe ü ue ß ss ẞ SS æ ae œ oe ø oe å aa ł l đ d ð d þ th ħ h ŧ t ŋ n ı i ĸ k ŀ l ĳ ij ƒ f ə e ſ s',
    'а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch',
    'ы y э e ю iu я ia і i ї i є ie ґ g ў u ђ dj ј j љ lj њ nj ћ c џ dz ѓ g ќ k ѕ dz',
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
    `& + @ (at) _ - – - — - ‐ - ‑ - − - ; , ! . * . # . % . § . • . · . € EUR £ GBP $ USD [ ( ] ) { ( } ) < ( > )`,
    `" ' \` ' ´ ' ’ ' ‘ ' ‚ ' “ ' ” ' „ ' « ' » ' ‹ ' › ' ʼ ' | / \\ / ~ - ° .`
  ].flatMap(line => {
    const words = line.split(' ')
    return words.flatMap((word, index): [string, string][] => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : []))
  })
)
// Silent letters without a transliteration.
for (const silent of ['ь', 'ъ']) forms.set(silent, '')
