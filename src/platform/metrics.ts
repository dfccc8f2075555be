import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry
} from 'prom-client'
import { build, version } from './version.ts'

/** All metrics of one process. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[]

export interface Metrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void
  /** Counts an attempt to deliver a message to a webhook, by its outcome. */
  countAttempt(outcome: string): void
  /** Counts a request of a visitor, by the server that it is read from. */
  countRead(from: 'replica' | 'database'): void
  /** A gauge whose value is read when metrics are collected. */
  addGauge(name: string, help: string, now: () => number): void
  /** Several gauges that are read together, by name. */
  addGaugeGroup<Name extends string>(help: Record<Name, string>, now: () => Promise<Record<Name, number>>): void
  /** All metrics in the text format of Prometheus: of this process, or of all that share its port. */
  render(): Promise<string>
  collect(): Promise<MetricValues>
  /** For one of several processes on a port: whichever is asked returns the metrics of all. */
  aggregateWith(ask: () => Promise<string>): void
  contentType: string
}

/** The metrics of several processes in the text format: counters are summed. */
export async function aggregateMetrics(collected: MetricValues[]): Promise<string> {
  return await AggregatorRegistry.aggregate(collected).metrics()
}

export function newMetrics(): Metrics {
  const registry = new Registry()
  let renderAll: (() => Promise<string>) | undefined
  collectDefaultMetrics({ register: registry })
  // Of several processes the newest start counts, so that it shows when one restarts again and again.
  Object.assign(registry.getSingleMetric('process_start_time_seconds') ?? {}, { aggregator: 'max' })
  /** Keyed by route, which is always the same string: one concatenated for each request would be hashed each time. */
  const durations = new Map<string, DurationSeries[]>()
  registry.registerMetric(buildHistogram(durations) as Metric)
  new Gauge({
    name: 'kalends_build_info',
    help: 'Always 1; the labels say which release, build and version of Node run.',
    labelNames: ['version', 'build', 'node'],
    registers: [registry],
    aggregator: 'max'
  }).set({ version, build, node: process.version }, 1)
  const attempts = new Counter({
    name: 'kalends_webhook_attempts_total',
    help: 'Webhook delivery attempts by outcome: delivered, waiting (for a retry) or given_up.',
    labelNames: ['outcome'],
    registers: [registry]
  })
  const readings = new Counter({
    name: 'kalends_visitor_reads_total',
    help: 'Anonymous requests by data source: replica or database. Only with a replica.',
    labelNames: ['from'],
    registers: [registry]
  })
  return {
    observe: ({ method, route, status, seconds }) => {
      const routeSeries = durations.get(route) ?? []
      let series = routeSeries.find(one => one.status === status && one.method === method)
      if (series === undefined) {
        const labels = { method, route, status: String(status) }
        series = { method, status, labels, counts: bucketBounds.map(() => 0), count: 0, sum: 0 }
        durations.set(route, [...routeSeries, series])
      }
      series.count += 1
      series.sum += seconds
      const bound = bucketBounds.findIndex(most => seconds <= most)
      if (bound >= 0) series.counts[bound] = (series.counts[bound] ?? 0) + 1
    },
    countAttempt: outcome => attempts.inc({ outcome }),
    countRead: from => readings.inc({ from }),
    addGauge: (name, help, now) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(now())
        }
      })
    },
    addGaugeGroup: (help, now) => {
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
          // Every process reads the same values.
          aggregator: 'max',
          async collect() {
            this.set((await read())[name])
          }
        })
      }
    },
    render: async () => await (renderAll?.() ?? registry.metrics()),
    collect: async () => await registry.getMetricsAsJSON(),
    aggregateWith: ask => {
      renderAll = ask
    },
    contentType: registry.contentType
  }
}

/** In seconds. */
const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Requests with the same labels: how many took no longer than each bound, but longer than the one before. */
interface DurationSeries {
  method: string
  status: number
  labels: Record<string, string>
  counts: number[]
  count: number
  sum: number
}

/** In the format of Prometheus. The library's histogram looks up every label again, which costs more than counting. */
function buildHistogram(durations: Map<string, DurationSeries[]>): object {
  const name = 'kalends_http_request_duration_seconds'
  return {
    name,
    get: async () => ({
      name,
      help: 'Duration of HTTP requests in seconds.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...durations.values()].flat().flatMap(({ labels, counts, count, sum }) => {
        let soFar = 0
        const buckets = counts.map((some, place) => {
          soFar += some
          return { metricName: `${name}_bucket`, labels: { le: bucketBounds[place], ...labels }, value: soFar }
        })
        return [
          ...buckets,
          { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
          { metricName: `${name}_sum`, labels, value: sum },
          { metricName: `${name}_count`, labels, value: count }
        ]
      })
    })
  }
}
