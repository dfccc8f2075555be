import type { Kalends } from './lab.ts'

export interface Figures {
  residentMb: number
  heapMb: number
  /** The 99th percentile since the figures were asked for last. */
  delayMs: number
}

/** The timer that measures the delay of the event loop goes off this often by itself. */
const timerMs = 10

/** What the process says of itself at /metrics. */
export async function figuresOf({ url }: Kalends): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  const mb = (bytes: number) => bytes / 2 ** 20
  return {
    residentMb: mb(figure('process_resident_memory_bytes')),
    heapMb: mb(figure('nodejs_heap_size_used_bytes')),
    delayMs: Math.max(0, figure('nodejs_eventloop_lag_p99_seconds') * 1000 - timerMs)
  }
}
