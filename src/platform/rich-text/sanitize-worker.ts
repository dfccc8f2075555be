// Worker of sanitize-in-worker.ts: sanitizes one text and exits.
import { parentPort, workerData } from 'node:worker_threads'
import { sanitize } from './html.ts'

parentPort?.postMessage(sanitize(workerData.html, workerData.ownHosts))
