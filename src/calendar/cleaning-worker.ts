// The worker of clean-in-worker.ts: cleans one text and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { sanitized } from './html.ts'

parentPort?.postMessage(sanitized(workerData))
