import type { Kalends } from './environment.ts'

export interface ProcessMetrics {
  residentMb: number
  heapMb: number
  /** The 99th percentile since the metrics were read last. */
  eventLoopDelayMs: number
}

/** The timer that measures the delay of the event loop fires this often by itself. */
const timerMs = 10

/** What the process reports at /metrics. */
export async function readProcessMetrics({ url }: Kalends): Promise<ProcessMetrics> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  const toMb = (bytes: number) => bytes / 2 ** 20
  return {
    residentMb: toMb(read('process_resident_memory_bytes')),
    heapMb: toMb(read('nodejs_heap_size_used_bytes')),
    eventLoopDelayMs: Math.max(0, read('nodejs_eventloop_lag_p99_seconds') * 1000 - timerMs)
  }
}
