import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void
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
    text: async () => await registry.metrics(),
    contentType: registry.contentType
  }
}
