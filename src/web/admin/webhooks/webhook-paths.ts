import type { AdminContext } from '../shared/context.ts'

/** The entry of the menu that all of these pages belong to. */
export const menu = '/admin/webhooks'

/** Where the API has the webhook that the address of a page names. */
export function getWebhookApiPath({ params }: AdminContext, below = ''): string {
  return `/webhooks/${encodeURIComponent(params.id ?? '')}${below}`
}

/** The page of that webhook. */
export function getWebhookPagePath({ params }: AdminContext, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}
