import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void
  /** An attempt to bring a message to a webhook, and what it led to. */
  countAttempt(outcome: string): void
  /** A figure that is looked at when it is asked for. */
  watch(name: string, help: string, now: () => number): void
  /** Several that are read together, by name. */
  watchTogether<Name extends string>(help: Record<Name, string>, now: () => Promise<Record<Name, number>>): void
  /** All figures in the text form that Prometheus reads. */
  text(): Promise<string>
  contentType: string
}

export function newMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'kalends_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry]
  })
  const attempts = new Counter({
    name: 'kalends_webhook_attempts_total',
    help: 'Attempts to bring a message to a webhook: delivered, waiting for the next attempt, or given_up.',
    labelNames: ['outcome'],
    registers: [registry]
  })
  // Looking the labels up costs more than counting.
  const series = new Map<string, Histogram.Internal<string>>()
  return {
    observe: ({ method, route, status, seconds }) => {
      const key = `${method} ${status} ${route}`
      let one = series.get(key)
      if (one === undefined) {
        one = duration.labels(method, route, String(status))
        series.set(key, one)
      }
      one.observe(seconds)
    },
    countAttempt: outcome => attempts.inc({ outcome }),
    watch: (name, help, now) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(now())
        }
      })
    },
    watchTogether: (help, now) => {
      let reading: ReturnType<typeof now> | undefined
      const read = () => {
        reading ??= now().finally(() => {
          reading = undefined
        })
        return reading
      }
      for (const name of Object.keys(help) as (keyof typeof help)[]) {
        new Gauge({
          name,
          help: help[name],
          registers: [registry],
          async collect() {
            this.set((await read())[name])
          }
        })
      }
    },
    text: async () => await registry.metrics(),
    contentType: registry.contentType
  }
}
