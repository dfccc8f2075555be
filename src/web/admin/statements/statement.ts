import type { EntryResult, Statement, StatementEntry } from '#fundraising/payments/statements/schema.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatDay, formatMoney } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { toCents } from '../shared/parse-amount.ts'

export type { EntryResult, Statement, StatementEntry }
/** A campaign that payments can be booked to. */
export interface CampaignChoice {
  id: number
  name: string
  currency: string
}

export type Match = StatementEntry['suggestions'][number]

/** Menu entry of these pages. */
export const menu = '/admin/statements'
export const statementsPath = '/bank-statements'

/** Results that need a decision come first. */
export const results: EntryResult[] = ['suggested', 'problem', 'unmatched', 'booked', 'returned', 'ignored', 'known']

/** API path of the statement that the page's URL names. */
export function getStatementApiPath({ params }: AdminContext, below = ''): string {
  return `${statementsPath}/${encodeURIComponent(params.id ?? '')}${below}`
}

export function getStatementPagePath({ params }: AdminContext, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}

/** Number of entries that need a decision. */
export function countOpenEntries({ counts }: Statement): number {
  return counts.suggested + counts.unmatched + counts.problem
}

/** 2 March 2026 – 31 March 2026; undefined if nothing was booked. */
export function formatPeriod({ language }: AdminContext, { from, to }: Statement): string | undefined {
  if (from === null || to === null) return undefined
  return from === to ? formatDay(language, from) : `${formatDay(language, from)} – ${formatDay(language, to)}`
}

export function formatFileName({ language }: AdminContext, { fileName }: Statement): string {
  return fileName === null || fileName === '' ? getMessages('statement', language).unnamed : fileName
}

/** A bank may send any three letters as currency: an unknown code is shown unchanged. */
export function formatStatementAmount({ language }: AdminContext, currency: string, amount: number): string {
  try {
    return formatMoney(language, currency, amount, true)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `${amount.toFixed(2)} ${currency}`
  }
}

export function formatDonor(strings: Messages<'statement'>, { donorName }: Pick<Match, 'donorName'>): string {
  return donorName ?? strings.anonymous
}

/** Describes the difference between paid and promised. */
export function describeDifference(context: AdminContext, currency: string, difference: number | null): string {
  const strings = getMessages('statement', context.language)
  if (difference === null) return strings.otherCurrency
  if (difference === 0) return strings.exact
  const amount = formatStatementAmount(context, currency, Math.abs(difference))
  return difference < 0 ? strings.less({ amount }) : strings.more({ amount })
}

/** Campaigns a payment may be for, including ended ones; empty if no entry needs them. */
export async function listCampaigns({ api }: AdminContext, entries: StatementEntry[]): Promise<CampaignChoice[]> {
  const hasOpenEntries = entries.some(
    ({ direction, result }) => direction === 'in' && (result === 'unmatched' || result === 'suggested')
  )
  if (!hasOpenEntries) return []
  const { body } = await api.get<(CampaignChoice & { status: string })[]>('/campaigns', { limit: 200 })
  return body.filter(({ status }) => status !== 'draft').map(({ id, name, currency }) => ({ id, name, currency }))
}

/** Donations that a payment names, if their outstanding amounts add up to it exactly; else empty. */
export function getExactSplit({ result, direction, amount, currency, suggestions }: StatementEntry): Match[] {
  if (result !== 'suggested' || direction !== 'in') return []
  const named = suggestions.filter(one => one.by === 'reference' && one.currency === currency)
  const waiting = named.filter(one => one.status === 'IN_PROCESS')
  const cents = waiting.reduce((sum, one) => sum + toCents(one.donationAmount) - toCents(one.received), 0)
  return waiting.length > 1 && cents === toCents(amount) ? waiting : []
}
