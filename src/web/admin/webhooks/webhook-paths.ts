import type { Desk } from '../console.ts'

/** The entry of the menu that all of these pages belong to. */
export const menu = '/admin/webhooks'

/** Where the API has the webhook that the address of a page names. */
export function apiPath({ params }: Desk, below = ''): string {
  return `/webhooks/${encodeURIComponent(params.id ?? '')}${below}`
}

/** The page of that webhook. */
export function pagePath({ params }: Desk, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}
