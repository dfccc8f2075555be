/**
 * The text in a file that does not say how its characters are written: UTF-8 where that fits, with or without a mark;
 * UTF-16 as Excel saves "Unicode text"; otherwise what Windows in western Europe wrote before, of which Latin 1 is a part.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
