export interface Sender {
  name: string
  address: string
}

/** `Music School <give@example.org>`, or the address alone; undefined if it is neither. */
export function parseSender(text: string): Sender | undefined {
  const open = text.lastIndexOf('<')
  const isNamed = open >= 0 && text.endsWith('>')
  const address = isNamed ? text.slice(open + 1, -1).trim() : text.trim()
  const name = isNamed ? text.slice(0, open).trim().replace(/^"|"$/g, '') : ''
  return isEmailAddress(address) && toSingleLine(name) === name ? { name, address } : undefined
}

/** One address and nothing else: no blanks, no lists, no brackets. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s\p{Cc}<>()[\],;:\\"@]+@[^\s\p{Cc}<>()[\],;:\\"@]+$/u.test(text)
}

/** On one line: line breaks and control characters become a blank. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** Addresses are stored and compared in lower case. */
export const normalizeEmail = (email: string) => email.toLowerCase()
