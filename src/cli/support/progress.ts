import type { WriteStream } from 'node:tty'

/** Progress output: a line that rewrites itself on a terminal, an occasional new line elsewhere. */
export interface Progress {
  show(done: number, total: number | null): void
  /** Prints each text only once. */
  say(text: string): void
  end(): void
}

const barWidth = 30
/** Without a terminal, one line for each of this many parts. */
const parts = 10
/** Without a terminal and a known total, one line per this many items. */
const lineInterval = 1000

export function newProgress(output: Pick<WriteStream, 'write'> & { isTTY?: boolean }): Progress {
  const said = new Set<string>()
  let last = ''
  const lineFor = (done: number, total: number | null) =>
    total === null ? `${done}` : `${done} of ${Math.max(done, total)}`

  function onTerminal(done: number, total: number | null): void {
    const part = total === null || total === 0 ? 0 : Math.min(1, done / total)
    const full = Math.round(part * barWidth)
    const bar = total === null ? '' : `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}] ${Math.floor(part * 100)} % `
    const line = `${bar}${lineFor(done, total)}`
    // Returns to the start of the line and clears it.
    if (line !== last) output.write(`\r\x1b[2K${line}`)
    last = line
  }

  function elsewhere(done: number, total: number | null): void {
    const step = total === null ? Math.floor(done / lineInterval) : Math.floor((done / Math.max(1, total)) * parts)
    if (done === 0 || String(step) === last) return
    last = String(step)
    output.write(`${lineFor(done, total)}\n`)
  }

  return {
    show: output.isTTY === true ? onTerminal : elsewhere,
    say: text => {
      if (said.has(text)) return
      said.add(text)
      output.write(`${text}\n`)
    },
    end: () => {
      if (output.isTTY === true && last !== '') output.write('\n')
    }
  }
}
