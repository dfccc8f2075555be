/** Hebrew, Arabic and the other scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u

/** The `dir` attribute of a text by users: the pages are written from left to right, so only other scripts need it. */
export function getDirAttribute(text: string): 'auto' | undefined {
  return rightToLeft.test(text) ? 'auto' : undefined
}
