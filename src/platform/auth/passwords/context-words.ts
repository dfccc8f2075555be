import type { Database } from '../../database/database.ts'
import { buildText } from '../../messages/messages.ts'
import { newFieldProblem } from '../../problem.ts'
import * as site from '../../site/queries.ts'

/** Shorter words occur in too many passwords by chance. */
const wordLengthMin = 4
/** Characters that a password needs besides guessable words. */
const restLengthMin = 6

/**
 * Refuses a password that is little more than well-known facts about the user and the site: their names, the e-mail
 * address, the name of the program. Also with a year appended, and with digits in place of letters.
 */
export async function refuseContextWords(
  db: Database,
  password: string,
  { name, email }: { name: string; email: string },
  pointer: string
): Promise<void> {
  const { name: siteName } = await site.find(db)
  const words = listWords([siteName, name, email, 'kalends'].join(' '))
  if (!isMostlyOf(words, foldText(password)) && !isMostlyOf(words, foldText(undoSubstitutions(password)))) return
  throw newFieldProblem(422, pointer, 'password-guessable', buildText('auth-problems', 'passwordGuessable'))
}

function isMostlyOf(words: string[], password: string): boolean {
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), password)
  return rest !== password && rest.replace(/[^\p{L}\p{N}]/gu, '').length < restLengthMin
}

/** Longest first, so that removing a word leaves no rest of a longer one. */
function listWords(text: string): string[] {
  const words = foldText(text).split(/[^\p{L}\p{N}]+/u)
  return [...new Set(words)]
    .filter(word => word.length >= wordLengthMin)
    .sort((one, other) => other.length - one.length)
}

/** Removes accents and case, because they make guessing no harder. */
function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

const substitutions: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', $: 's', '@': 'a' }

function undoSubstitutions(text: string): string {
  return text.replace(/[01345$@]/g, character => substitutions[character] ?? character)
}
