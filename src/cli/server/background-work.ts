import { startChainWriter } from '#platform/activity/chain/chain.ts'
import type { Settings } from '#platform/config.ts'
import type { Store } from '#platform/database/database.ts'
import type { ActivityType } from '#platform/http/service.ts'
import { type Job, startWorker } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import type { Server } from '#platform/server.ts'
import { startWebhookSender } from '#platform/webhooks/sender.ts'

interface BackgroundOptions {
  settings: Settings
  store: Store
  log: Log
  jobs: Job[]
  activityTypes: Record<string, ActivityType>
  address: string
  server: Server
}

/** Starts jobs, webhooks and the chain of the activity log. The server is announced before, because it answers already. */
export async function startBackgroundWork(options: BackgroundOptions): Promise<{ stop(): Promise<void> }> {
  const { settings, store, log, jobs, activityTypes, address, server } = options
  const worker = await startWorker(store, jobs, log)
  // Webhook messages are signed with secrets that only processes with the encryption key can decrypt.
  const webhookSender =
    settings.encryptionKey === undefined
      ? undefined
      : startWebhookSender({
          db: store,
          keys: settings,
          activityTypes,
          origin: settings.publicUrl ?? address,
          allowPrivate: settings.allowPrivateAddresses,
          log,
          onAttempt: server.metrics.countAttempt
        })
  const chainWriter = startChainWriter(store, log)
  return {
    stop: async () => {
      try {
        await Promise.all([worker.stop(), webhookSender?.stop()])
      } finally {
        await chainWriter.stop()
      }
    }
  }
}
