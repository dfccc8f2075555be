import type { FastifyInstance } from 'fastify'
import { platformActivityTypes } from '../activity/resource-types.ts'
import { newAuthenticator } from '../auth/authenticate.ts'
import { newProxyDetector } from '../auth/local-access/untrusted-proxy.ts'
import type { BackupOperations } from '../backup/files/operations.ts'
import { newCache } from '../cache/cache.ts'
import { newChangeNotifier } from '../cache/notify.ts'
import type { Settings } from '../config.ts'
import type { Store } from '../database/database.ts'
import { newReadRouter } from '../database/replica/read-replica.ts'
import { registerDatabaseMetrics } from '../database-metrics.ts'
import { newHub } from '../event-stream/hub.ts'
import { newHttpClient, newInjectClient } from '../http/internal-client.ts'
import { newKnownRoutes } from '../http/known-paths.ts'
import { buildOpenApi, type DocumentedRoute } from '../http/openapi.ts'
import { newErrorSender } from '../http/plugins/error-handler.ts'
import { newServiceLookup } from '../http/plugins/request-context.ts'
import { newResponseHeaders } from '../http/plugins/response-headers.ts'
import type { ActivityType, RouteContext, Service } from '../http/service.ts'
import { newDebouncedEnqueuer } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { newMetrics } from '../metrics.ts'
import { newRateLimiter } from '../rate-limit/limiter.ts'
import { followSite } from '../site/site.ts'
import { version } from '../version.ts'
import { newPlatformService } from './platform-service.ts'

export interface ServerDependencies {
  store: Store
  settings: Settings
  log: Log
  /** Activity types of services that other processes serve. */
  otherActivityTypes?: Record<string, ActivityType>
  /** Without them, the server has no routes of backups. */
  backups?: Omit<BackupOperations, 'connection'>
}

/** Creates what lives as long as the server, and is shared by its plugins and routes. */
export async function newServerParts(
  ownServices: Service[],
  { store, settings, log, otherActivityTypes = {}, backups }: ServerDependencies,
  getApp: () => FastifyInstance
) {
  const metrics = newMetrics()
  const authenticator = newAuthenticator(store, settings)
  const readRouter = newReadRouter(store, settings, metrics, log)
  const jobEnqueuer = newDebouncedEnqueuer(store, log)
  const site = await followSite(store, settings, log)
  const activityTypes: Record<string, ActivityType> = Object.assign(
    {},
    platformActivityTypes,
    otherActivityTypes,
    ...ownServices.map(service => service.activityTypes)
  )
  const notifier = newChangeNotifier(store, () => {
    cache?.pollSoon()
    hub.pollSoon()
  })
  const hub = newHub(store, activityTypes, { log, listenForChanges: notifier.subscribe })
  metrics.addGauge('kalends_stream_listeners', 'Open connections to /stream.', hub.count)
  registerDatabaseMetrics(metrics, store)
  const cache = newCache(store, {
    megabytes: settings.responseCache,
    activityTypes,
    metrics,
    notifier,
    onSiteChange: site.refresh
  })
  const stopPublishing = store.onCommit(() => {
    hub.pollSoon()
    notifier.publish()
  })
  // After an invalidation, no response is cached that a replica without the change has read.
  cache?.onInvalidate(readRouter.markWritten)

  const documentedRoutes: DocumentedRoute[] = []
  const platform = newPlatformService({
    services: ownServices,
    activityTypes,
    hub,
    authenticator,
    metrics,
    getStatus: readRouter.status,
    buildOpenApi: buildDocument,
    backups: backups && { ...backups, connection: store.connection }
  })
  const services = [...ownServices, platform]
  const setResponseHeaders = newResponseHeaders(settings, services)

  function buildDocument(name?: string): object {
    const service = services.find(one => one.name === name)
    const routes =
      service === undefined ? documentedRoutes : documentedRoutes.filter(route => route.service === service.name)
    return buildOpenApi(service?.title ?? 'Kalends', version, routes)
  }

  const routeContext: Omit<RouteContext, 'app'> = {
    db: readRouter.db,
    settings,
    log,
    enqueueSoon: jobEnqueuer.enqueueSoon,
    internalClient: settings.apiUrl === undefined ? newInjectClient(getApp) : newHttpClient(settings.apiUrl),
    valueCache: cache?.values
  }

  return {
    services,
    settings,
    log,
    metrics,
    authenticator,
    readRouter,
    hub,
    cache,
    documentedRoutes,
    routeContext,
    isCacheEnabled: cache !== undefined,
    limiter: newRateLimiter(store, settings),
    proxyDetector: newProxyDetector(store, settings, log),
    knownRoutes: newKnownRoutes(),
    findService: newServiceLookup(services, platform),
    setResponseHeaders,
    sendError: newErrorSender(settings, log, setResponseHeaders),
    server: {
      authenticator,
      metrics,
      buildOpenApi: buildDocument,
      drain: async () => {
        const { shutdown } = getApp()
        if (shutdown.isClosing()) return
        hub.close()
        await shutdown.run(settings.drainSeconds * 1000)
        jobEnqueuer.close()
        cache?.close()
        stopPublishing()
        await notifier.close()
        site.close()
        await Promise.all([authenticator.close(), readRouter.close()])
      }
    }
  }
}
