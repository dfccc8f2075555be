// Loaded before a test file. Records the processor time of its process and of the processes that it starts.
import { relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { readChildCpuSeconds, recordCpuTime } from './cpu-time.mjs'

const file = process.argv[1] ?? ''
if (isMainThread && /[\\/]dist-test[\\/]/.test(file)) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage()
    recordCpuTime(relative('dist-test', file), (userCPUTime + systemCPUTime) / 1_000_000 + readChildCpuSeconds())
  })
}
