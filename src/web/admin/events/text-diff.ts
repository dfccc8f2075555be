/** A part of two texts: in both, only in the first, or only in the second. */
export interface DiffPart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Limits the time of a comparison, which grows with the product of both lengths. */
const cellsMax = 1_000_000

/** Compares two texts word by word, or line by line if they are long and differ in many places. */
export function compareTexts(before: string, after: string): DiffPart[] {
  for (const pattern of [/\s*\S+|\s+$/g, /[^\n]*\n?/g]) {
    const first = before.match(pattern) ?? []
    const second = after.match(pattern) ?? []
    const start = countEqual(first, second)
    const end = countEqual(first.slice(start).reverse(), second.slice(start).reverse())
    const left = first.slice(start, first.length - end)
    const right = second.slice(start, second.length - end)
    if (left.length * right.length > cellsMax) continue
    return joinParts([
      { kind: 'same', text: first.slice(0, start).join('') },
      ...diffTokens(left, right),
      { kind: 'same', text: first.slice(first.length - end).join('') }
    ])
  }
  return joinParts([
    { kind: 'removed', text: before },
    { kind: 'added', text: after }
  ])
}

/** How many items at the start are the same. */
function countEqual(one: string[], other: string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1
  return count
}

/** By the longest common subsequence. */
function diffTokens(left: string[], right: string[]): DiffPart[] {
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const parts: DiffPart[] = []
  let [row, column] = [0, 0]
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      parts.push({ kind: 'same', text: left[row] ?? '' })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      parts.push({ kind: 'removed', text: left[row] ?? '' })
      row += 1
    } else {
      parts.push({ kind: 'added', text: right[column] ?? '' })
      column += 1
    }
  }
  parts.push({ kind: 'removed', text: left.slice(row).join('') }, { kind: 'added', text: right.slice(column).join('') })
  return parts
}

function joinParts(parts: DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.text === '') continue
    if (last?.kind === part.kind) last.text += part.text
    else joined.push({ ...part })
  }
  return joined
}

/** Characters of unchanged text around a difference. */
const contextLength = 120

/** Shortens long unchanged text: only what surrounds a difference helps to read it. */
export function shortenUnchanged(parts: DiffPart[], mark: string): DiffPart[] {
  return parts.map((part, index) => {
    const { kind, text } = part
    if (kind !== 'same' || text.length <= contextLength * 2 + 20) return part
    const head = index === 0 ? '' : cutLastWord(text.slice(0, contextLength))
    const tail = index === parts.length - 1 ? '' : text.slice(-contextLength).replace(/^\S*/, '')
    return { kind, text: `${head}${mark}${tail}` }
  })
}

/** The text without the characters after its last blank. */
function cutLastWord(text: string): string {
  let end = text.length
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
