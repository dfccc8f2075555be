// The worker of sanitize-in-worker.ts: cleans one text and ends.
import { parentPort, workerData } from 'node:worker_threads'
import { sanitize } from './html.ts'

parentPort?.postMessage(sanitize(workerData))
