import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Language, negotiateLanguage } from '#platform/language.ts'
import type { Log } from '#platform/log.ts'
import { getMessages } from '#platform/messages/messages.ts'

type Step = 'stopping' | 'saving' | 'restoring' | 'starting'
/** Called with the step, and the share of it that is done. */
export type ReportProgress = (step: Step, share: number) => void

interface MaintenanceServer {
  /** Takes the port as soon as the stopping server releases it. */
  listen(): Promise<void>
  report: ReportProgress
  close(): Promise<void>
}

const retryMs = 20
/** The stopping server completes its responses for at most this long. */
const portTimeoutMs = 15_000
const refreshSeconds = 2

/** Responds 503 to everything while a backup is restored: pages with the progress, others with a problem. */
export function newMaintenanceServer({ host, port, log }: { host: string; port: number; log: Log }): MaintenanceServer {
  let progress = { step: 'stopping' as Step, share: 0 }
  const server = createServer((request, response) => respond(request, response, progress))

  async function tryToListen(): Promise<boolean> {
    server.listen(port, host)
    try {
      await once(server, 'listening')
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      return false
    }
  }

  return {
    listen: async () => {
      const deadline = Date.now() + portTimeoutMs
      while (!(await tryToListen())) {
        if (Date.now() > deadline) return log.warn({ port }, 'no maintenance page: the port is in use')
        await sleep(retryMs)
      }
    },
    report: (step, share) => {
      progress = { step, share }
    },
    close: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { step, share }: { step: Step; share: number }
): void {
  request.resume()
  response.setHeader('cache-control', 'no-store').setHeader('connection', 'close')
  // The process is alive: a supervisor must not end it.
  if (request.url === '/livez') return void response.end('ok\n')
  const language = negotiateLanguage(request.headers['accept-language'], 'en')
  const strings = getMessages('maintenance', language)
  response.statusCode = 503
  response.setHeader('retry-after', String(refreshSeconds)).setHeader('content-language', language)
  if (!/\btext\/html\b/.test(request.headers.accept ?? '')) {
    response.setHeader('content-type', 'application/problem+json; charset=utf-8')
    const problem = { status: 503, code: 'restoring', title: strings.title, detail: strings.text }
    return void response.end(JSON.stringify(problem))
  }
  response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('refresh', String(refreshSeconds))
  response.setHeader('content-security-policy', `default-src 'none'; style-src 'sha256-${styleHash}'`)
  response.end(renderPage(language, step, share))
}

const style =
  ':root{color-scheme:light dark;background:light-dark(#fbf7ef,#1a1512);color:light-dark(#261d17,#f3eae0)}' +
  'body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}' +
  'h1{font:600 1.9rem/1.2 Georgia,serif}progress{width:100%;accent-color:light-dark(#a5301b,#f39a83)}'
const styleHash = createHash('sha256').update(style).digest('base64')

function renderPage(language: Language, step: Step, share: number): string {
  const { title, text, steps } = getMessages('maintenance', language)
  const label = steps[step]
  const value = step === 'restoring' ? ` value="${share.toFixed(2)}"` : ''
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<style>${style}</style></head>` +
    // The console shows the element in its own page.
    `<body><main><h1>${title}</h1><p>${text}</p><div data-live><p><label for="progress">${label}</label></p>` +
    `<progress id="progress" max="1"${value}></progress></div></main></body></html>`
  )
}
