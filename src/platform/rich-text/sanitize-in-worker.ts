import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OwnHosts } from './html.ts'

const workerFile = new URL('./sanitize-worker.js', import.meta.url)
/** Node loads no TypeScript in a worker, so only the built program has one. */
export const hasWorker = import.meta.url.endsWith('.js')
let previous: Promise<unknown> = Promise.resolve()

/** Sanitizes one text at a time, so that requests keep one CPU. */
export async function sanitizeInWorker(html: string, ownHosts: OwnHosts): Promise<string> {
  const cleaned = previous.then(async () => await runWorker(html, ownHosts))
  // The caller gets the error; the next text only waits for the end.
  previous = cleaned.catch(() => undefined)
  return await cleaned
}

/** Starts a new worker per text: texts this long are rare, and an idle worker would hold memory. */
async function runWorker(html: string, ownHosts: OwnHosts): Promise<string> {
  const [cleaned] = await once(new Worker(workerFile, { workerData: { html, ownHosts } }), 'message')
  return cleaned
}
