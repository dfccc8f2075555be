import type { SubscriptionJson } from '#calendar/contract/subscription-shapes.ts'
import { calendarPath } from '../../server/calendar-api.ts'
import type { AdminContext } from '../shared/context.ts'

/** Menu entry of these pages. */
export const menu = '/admin/subscriptions'
export const subscriptionsPath = `${calendarPath}/subscriptions`

export interface SubscriptionList {
  subscriptions: SubscriptionJson[]
  total: number
  total_pages: number
}

/** API path of the subscription that the page's URL names. */
export function getSubscriptionApiPath({ params }: AdminContext, below = ''): string {
  return `${subscriptionsPath}/${encodeURIComponent(params.id ?? '')}${below}`
}

export function getSubscriptionPagePath({ params }: AdminContext, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}
