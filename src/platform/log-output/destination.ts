import { fstatSync, write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

const standardError = 2
/** Several processes may write into one pipe, where only writes up to this size stay in one piece. */
const pipeWriteBytesMax = 4096
const fileWriteBytesMax = 65_536
const flushIntervalMs = 200
const retryDelayMs = 100
/** When the process exits, a pipe that is full must not keep it: what is left is dropped after two seconds. */
const exitRetriesMax = 20

/**
 * Writes log lines to standard error, buffered for a moment, because a write for each costs as much as the rest of a
 * small request. Not `pino.destination`: its `flushSync` never returns once the reader of the pipe has gone.
 */
export function newLogDestination(): DestinationStream {
  // With bigint: Node's realpath looks at the plain numbers of the last stat, and after one of a pipe it leaves links
  // unresolved. Packages behind a link would then be loaded twice.
  const writeBytesMax = fstatSync(standardError, { bigint: true }).isFile() ? fileWriteBytesMax : pipeWriteBytesMax
  const flushLength = writeBytesMax * 0.85
  let lines: string[] = []
  let bufferedLength = 0
  let unwritten: Buffer = Buffer.alloc(0)
  /** Bytes of `unwritten` that the operating system is writing. */
  let inFlight = 0
  let hasReader = true
  const timer = setInterval(flush, flushIntervalMs).unref()

  function takeLines(): Buffer {
    const text = lines.join('')
    lines = []
    bufferedLength = 0
    return Buffer.from(text)
  }

  function flush(): void {
    if (inFlight > 0 || !hasReader) return
    if (unwritten.length === 0) unwritten = takeLines()
    if (unwritten.length === 0) return
    inFlight = findWriteLength(unwritten, writeBytesMax)
    write(standardError, unwritten, 0, inFlight, null, (error, written) => {
      inFlight = 0
      if (error === null) {
        unwritten = unwritten.subarray(written)
        if (unwritten.length > 0 || bufferedLength >= flushLength) flush()
      } else if (isFull(error)) setTimeout(flush, retryDelayMs).unref()
      else close()
    })
  }

  /** Without a reader there is nowhere to report it. */
  function close(): void {
    hasReader = false
    clearInterval(timer)
    lines = []
    unwritten = Buffer.alloc(0)
  }

  process.on('exit', () => {
    let rest: Buffer = Buffer.concat([unwritten.subarray(inFlight), takeLines()])
    for (let retries = 0; rest.length > 0 && hasReader && retries < exitRetriesMax; ) {
      try {
        rest = rest.subarray(writeSync(standardError, rest))
      } catch (error) {
        if (!isFull(error)) return
        retries += 1
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryDelayMs)
      }
    }
  })

  return {
    write: line => {
      if (!hasReader) return
      lines.push(line)
      bufferedLength += line.length
      if (bufferedLength >= flushLength) flush()
    }
  }
}

/** Whole lines, so that those of several processes do not mix; only a line that is too long is cut. */
function findWriteLength(bytes: Buffer, bytesMax: number): number {
  if (bytes.length <= bytesMax) return bytes.length
  const lineEnd = bytes.lastIndexOf('\n', bytesMax - 1) + 1
  return lineEnd === 0 ? bytesMax : lineEnd
}

const isFull = (error: unknown) => ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
