import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const workerFile = new URL('./sanitize-worker.js', import.meta.url)
/** Node loads no TypeScript in a worker: the program has one when it is built. */
export const hasWorker = import.meta.url.endsWith('.js')
let previous: Promise<unknown> = Promise.resolve()

/** Texts are cleaned one after the other, so that one processor is left for everybody else. */
export async function sanitizeInWorker(html: string): Promise<string> {
  const cleaned = previous.then(async () => await runWorker(html))
  previous = cleaned.catch(() => undefined)
  return await cleaned
}

/** A new worker for each text: so long a text is rare, and a worker that waits for the next would take memory. */
async function runWorker(html: string): Promise<string> {
  const [cleaned] = await once(new Worker(workerFile, { workerData: html }), 'message')
  return cleaned
}
