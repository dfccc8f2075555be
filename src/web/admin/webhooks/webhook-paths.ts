import type { AdminContext } from '../shared/context.ts'

/** Menu entry of these pages. */
export const menu = '/admin/webhooks'

/** API path of the webhook that the page's URL names. */
export function getWebhookApiPath({ params }: AdminContext, below = ''): string {
  return `/webhooks/${encodeURIComponent(params.id ?? '')}${below}`
}

export function getWebhookPagePath({ params }: AdminContext, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}
