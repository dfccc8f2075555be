import type { Database } from '#platform/database/database.ts'
import type { RequestContext, RouteResult } from '../contract/routing/route.ts'
import { newSubscriptionNotFoundProblem } from './problems.ts'
import * as subscriptions from './queries.ts'
import type { ListedSubscription } from './schema.ts'
import { toSubscriptionJson } from './wire.ts'

export async function requireSubscription(db: Database, id: number): Promise<ListedSubscription> {
  const found = await subscriptions.find(db, id)
  if (found === undefined) throw newSubscriptionNotFoundProblem(id)
  return found
}

export async function buildSubscriptionResult(context: RequestContext, db: Database, id: number): Promise<RouteResult> {
  const found = await requireSubscription(db, id)
  return { body: toSubscriptionJson(found, context.language), version: found.version }
}
