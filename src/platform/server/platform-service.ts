import { registerActivityRoutes } from '../activity/routes.ts'
import { accountRoutes } from '../auth/account-routes.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { BackupOperations } from '../backup/files/operations.ts'
import { registerBackupRoutes } from '../backup/files/routes.ts'
import type { Hub } from '../event-stream/hub.ts'
import { registerStreamRoutes } from '../event-stream/routes.ts'
import { problemJson } from '../http/errors.ts'
import { registerHealthRoutes } from '../http/health-routes.ts'
import { registerOpenApiRoutes } from '../http/openapi-routes.ts'
import { platformGroups } from '../http/platform-groups.ts'
import type { ActivityType, RegisterRoutes, RouteContext, Service } from '../http/service.ts'
import type { Metrics } from '../metrics.ts'
import { registerPageRoutes } from '../pages/routes.ts'
import { pageRules } from '../pages/schema.ts'
import { registerReleaseRoutes } from '../release/routes.ts'
import { registerSampleRoutes } from '../samples/routes.ts'
import { registerSetupRoutes } from '../setup/routes.ts'
import { registerSiteRoutes } from '../site/routes.ts'
import { siteRules } from '../site/schema.ts'
import { registerWebhookRoutes } from '../webhooks/routes.ts'
import { webhookRules } from '../webhooks/schema.ts'

interface PlatformOptions {
  /** The other services; without any, the process is a worker and serves health checks only. */
  services: Service[]
  activityTypes: Record<string, ActivityType>
  hub: Hub
  authenticator: Authenticator
  metrics: Metrics
  getStatus: () => Promise<string>
  buildOpenApi: (name?: string) => object
  backups: BackupOperations | undefined
}

const rules = [...siteRules, ...pageRules, ...webhookRules]

/** The service of everything that is neither a campaign nor an event. It also answers for paths of no service. */
export function newPlatformService({ services, getStatus, metrics, ...options }: PlatformOptions): Service {
  const registerHealth: RegisterRoutes = scope =>
    registerHealthRoutes(scope, { status: getStatus, isDraining: () => scope.app.shutdown.isClosing(), metrics })
  const platform: Service = {
    name: 'platform',
    title: 'Kalends: site, users, keys, activity log, health',
    groups: platformGroups,
    errorFormat: problemJson,
    rules,
    examples: [],
    routes: services.length === 0 ? [registerHealth] : [...listRoutes(), registerHealth, registerDocuments]
  }
  return platform

  function listRoutes(): RegisterRoutes[] {
    const { activityTypes, hub, authenticator, backups } = options
    return [
      registerSiteRoutes,
      registerPageRoutes,
      scope => registerSetupRoutes(scope, services),
      scope => registerSampleRoutes(scope, services),
      ...accountRoutes,
      registerActivityRoutes,
      registerReleaseRoutes,
      ...(backups === undefined ? [] : [(scope: RouteContext) => registerBackupRoutes(scope, backups)]),
      scope => registerWebhookRoutes(scope, activityTypes),
      scope => registerStreamRoutes(scope, { hub, subjects: activityTypes, identify: authenticator.authenticate })
    ]
  }

  function registerDocuments(scope: RouteContext): void {
    registerOpenApiRoutes(scope, [...services, platform], options.buildOpenApi)
  }
}
