/**
 * Whether `new URL(text, base)` works. `URL.canParse` of Node 20 and 22 says no to every address with an umlaut, once it
 * has been called a few thousand times.
 */
export function canParseUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== ''
  } catch {
    return false
  }
}
