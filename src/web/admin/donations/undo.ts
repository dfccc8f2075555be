import { createHmac } from 'node:crypto'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { StatusMoved } from '#fundraising/ledger/schema.ts'
import { withQuery } from '../../api.ts'
import { money, number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { perPage } from '../list-address.ts'
import { getReturnPath } from './addresses.ts'
import { chosenIn } from './chosen.ts'

/** What a notice offers to undo: the newest change of a donation's status, or the one payment that was recorded. */
export interface Undoable {
  campaignId: number
  id: string
  /** The donation as the change left it: if it has moved on, the API refuses. */
  version: number
  payment?: string | undefined
}

export const undoPath = '/admin/donations/undo'

/** The donation with its version, and the payment if it is one. */
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
    return chosenIn(donation).flatMap(({ campaignId, id, version }) =>
      version === undefined ? [] : [{ campaignId, id, version, payment }]
    )
  })
}

/**
 * An address that offers to undo the changes. It is signed with the proof of this session's forms, so that a link made by
 * somebody else shows no button; what is undone is decided by the API, which compares versions.
 */
export function withUndo(desk: Desk, path: string, changes: Undoable[]): string {
  if (changes.length === 0) return path
  const text = formatUndo(changes)
  return withQuery(path, { undo: text, proof: sign(desk, text) })
}

/** Adds the button to the notice of the page, and answers the desk as the page's own links need it: without the offer. */
export function offerUndo(desk: Desk, back: (desk: Desk) => string): Desk {
  const { undo = '', proof = '', ...query } = desk.query
  const plain = { ...desk, query }
  const changes = parseUndo(undo)
  if (desk.notice !== undefined && changes.length > 0 && proof === sign(desk, undo)) {
    const fields = { changes: formatUndo(changes), back: back(plain) }
    desk.notice = { ...desk.notice, undo: { kind: 'undo-donations', params: {}, fields } }
  }
  return plain
}

function sign({ formToken }: Desk, text: string): string {
  return createHmac('sha256', formToken).update(`undo ${text}`).digest('base64url').slice(0, 22)
}

/** Takes back what a notice or a donation's page offers to undo. */
export async function undoChanges(
  desk: Desk,
  showRefused: (one: Undoable, error: unknown) => Promise<ConsolePage>
): Promise<ConsolePage | Redirect> {
  const changes = parseUndo(field(desk, 'changes'))
  const [first] = changes
  const words = paymentWords[desk.language]
  const back = getReturnPath(desk, first)
  if (first === undefined) {
    desk.say({ text: words.nothingToUndo, tone: 'bad' })
    return redirect(back, 303)
  }
  if (changes.length > 1) {
    await undoSome(desk, changes)
    return redirect(back, 303)
  }
  try {
    await undoOne(desk, first)
  } catch (error) {
    return await showRefused(first, error)
  }
  const { language, site } = desk
  const { body } = await desk.api.get<DonationWithHistory>(`/campaigns/${first.campaignId}/donations/${first.id}`)
  const { anonymous, statuses } = moneyWords[language]
  const amount = money(language, site.currency, body.amount, true)
  desk.say({
    text: words.undone(amount, body.donorName ?? anonymous, body.reference ?? '', statuses[body.status])
  })
  return redirect(back, 303)
}

async function undoOne({ api }: Desk, { campaignId, id, version, payment }: Undoable): Promise<void> {
  const path = `/campaigns/${campaignId}/donations/${id}`
  const headers = { 'if-match': `"${version}"` }
  if (payment === undefined) await api.post(`${path}/undo`, undefined, headers)
  else await api.delete(`${path}/payments/${payment}`, headers)
}

/** The reasons of those that are refused are said, each once. */
async function undoSome(desk: Desk, changes: Undoable[]): Promise<void> {
  const words = paymentWords[desk.language]
  const donations = changes.map(({ campaignId, id, version }) => ({ campaignId, id, version }))
  const { body } = await desk.api.post<StatusMoved>('/donations/undo', { donations })
  const reasons = new Set(body.results.flatMap(({ ok, message }) => (ok || message === undefined ? [] : [message])))
  const done = body.changed === 0 ? words.undoneNone : words.undoneSome(number(desk.language, body.changed))
  desk.say({ text: [done, ...[...reasons].slice(0, 3)].join(' '), tone: body.changed === 0 ? 'bad' : 'good' })
}
