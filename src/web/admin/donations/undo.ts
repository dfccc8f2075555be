import { createHmac } from 'node:crypto'
import type { BulkResult } from '#fundraising/donations/all-donations/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { perPage } from '../shared/list-query.ts'
import { getReturnPath } from './links/paths.ts'
import { parseDonationRefs } from './links/selection.ts'

/** What a flash message offers to undo: the latest status change of a donation, or the one recorded payment. */
export interface Undoable {
  campaignId: number
  id: string
  /** Version after the change: if the donation has changed since, the API refuses. */
  version: number
  payment?: string | undefined
}

export const undoPath = '/admin/donations/undo'

/** Donation and version, followed by the payment id if a payment is undone. */
const undoForm = /^(.+? \d+)(?: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/

export function formatUndo(changes: Undoable[]): string {
  return changes
    .map(({ campaignId, id, version, payment }) =>
      [campaignId, id, version, ...(payment === undefined ? [] : [payment])].join(' ')
    )
    .join(',')
}

export function parseUndo(text: string): Undoable[] {
  return text.split(',', perPage).flatMap(part => {
    const [, donation = '', payment] = undoForm.exec(part) ?? []
    return parseDonationRefs(donation).flatMap(({ campaignId, id, version }) =>
      version === undefined ? [] : [{ campaignId, id, version, payment }]
    )
  })
}

/**
 * URL that offers to undo the changes. It is signed with the form token of this session, so that a link made by
 * others shows no button; the API decides what is undone, as it compares versions.
 */
export function withUndo(context: AdminContext, path: string, changes: Undoable[]): string {
  if (changes.length === 0) return path
  const text = formatUndo(changes)
  return withQuery(path, { undo: text, proof: sign(context, text) })
}

/** Adds the undo button to the flash message; returns the context without the offer, for the page's own links. */
export function offerUndo(context: AdminContext, back: (context: AdminContext) => string): AdminContext {
  const { undo = '', proof = '', ...query } = context.query
  const plain = { ...context, query }
  const changes = parseUndo(undo)
  if (context.flashMessage !== undefined && changes.length > 0 && proof === sign(context, undo)) {
    const fields = { changes: formatUndo(changes), back: back(plain) }
    context.flashMessage = { ...context.flashMessage, undo: { kind: 'undo-donations', params: {}, fields } }
  }
  return plain
}

function sign({ formToken }: AdminContext, text: string): string {
  return createHmac('sha256', formToken).update(`undo ${text}`).digest('base64url').slice(0, 22)
}

/** Undoes the changes that a flash message or a donation's page offers to undo. */
export async function undoChanges(
  context: AdminContext,
  showRefused: (one: Undoable, error: unknown) => Promise<AdminPage>
): Promise<AdminPage | Redirect> {
  const changes = parseUndo(getFormField(context, 'changes'))
  const [first] = changes
  const strings = getMessages('payment', context.language)
  const back = getReturnPath(context, first)
  if (first === undefined) {
    context.flash({ text: strings.nothingToUndo, tone: 'bad' })
    return redirect(back, 303)
  }
  if (changes.length > 1) {
    await undoSome(context, changes)
    return redirect(back, 303)
  }
  try {
    await undoOne(context, first)
  } catch (error) {
    return await showRefused(first, error)
  }
  const { language, site } = context
  const { body } = await context.api.get<DonationWithHistory>(`/campaigns/${first.campaignId}/donations/${first.id}`)
  const { anonymous, statuses } = getMessages('donation', language)
  const amount = formatMoney(language, site.currency, body.amount, true)
  context.flash({
    text: strings.undone({
      amount,
      name: body.donorName ?? anonymous,
      reference: body.reference ?? '',
      status: statuses[body.status]
    })
  })
  return redirect(back, 303)
}

async function undoOne({ api }: AdminContext, { campaignId, id, version, payment }: Undoable): Promise<void> {
  const path = `/campaigns/${campaignId}/donations/${id}`
  const headers = { 'if-match': `"${version}"` }
  if (payment === undefined) await api.post(`${path}/undo`, undefined, headers)
  else await api.delete(`${path}/payments/${payment}`, headers)
}

/** Reports each reason of refusal once. */
async function undoSome(context: AdminContext, changes: Undoable[]): Promise<void> {
  const strings = getMessages('payment', context.language)
  const donations = changes.map(({ campaignId, id, version }) => ({ campaignId, id, version }))
  const { body } = await context.api.post<BulkResult>('/donations/undo', { donations })
  const reasons = new Set(body.results.flatMap(({ ok, message }) => (ok || message === undefined ? [] : [message])))
  const done =
    body.changed === 0
      ? strings.undoneNone
      : strings.undoneSome({ count: formatNumber(context.language, body.changed) })
  context.flash({ text: [done, ...[...reasons].slice(0, 3)].join(' '), tone: body.changed === 0 ? 'bad' : 'good' })
}
