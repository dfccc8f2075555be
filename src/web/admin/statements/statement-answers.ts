import type { Result, Statement, StatementEntry } from '#fundraising/statements/schema.ts'
import { money, plainDay } from '../../format.ts'
import { type StatementWords, statementWords } from '../../text/statements.ts'
import type { Desk } from '../console.ts'
import { toCents } from '../typed-amount.ts'

export type { Result, Statement, StatementEntry }
/** A campaign that money can be booked for. */
export interface CampaignChoice {
  id: number
  name: string
  currency: string
}

export type Match = StatementEntry['suggestions'][number]

/** The entry of the menu that all of these pages belong to. */
export const menu = '/admin/statements'
export const statementsPath = '/bank-statements'

/** What asks for a decision comes first. */
export const results: Result[] = ['suggested', 'problem', 'unmatched', 'booked', 'returned', 'ignored', 'known']

/** Where the API has the statement that the address of a page names. */
export function apiPath({ params }: Desk, below = ''): string {
  return `${statementsPath}/${encodeURIComponent(params.id ?? '')}${below}`
}

/** The page of that statement. */
export function pagePath({ params }: Desk, below = ''): string {
  return `${menu}/${encodeURIComponent(params.id ?? '')}${below}`
}

/** Entries that wait for somebody. */
export function openCount({ counts }: Statement): number {
  return counts.suggested + counts.unmatched + counts.problem
}

/** 2 March 2026 – 31 March 2026; undefined where nothing was booked. */
export function daysOf({ language }: Desk, { from, to }: Statement): string | undefined {
  if (from === null || to === null) return undefined
  return from === to ? plainDay(language, from) : `${plainDay(language, from)} – ${plainDay(language, to)}`
}

export function fileOf({ language }: Desk, { fileName }: Statement): string {
  return fileName === null || fileName === '' ? statementWords[language].unnamed : fileName
}

/** A bank may name any three letters as a currency: what is none is written as it is. */
export function amountOf({ language }: Desk, currency: string, amount: number): string {
  try {
    return money(language, currency, amount, true)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `${amount.toFixed(2)} ${currency}`
  }
}

export function donorOf(words: StatementWords, { donorName }: Pick<Match, 'donorName'>): string {
  return donorName ?? words.anonymous
}

/** How what came and what was promised compare, in plain words. */
export function differenceOf(desk: Desk, currency: string, difference: number | null): string {
  const words = statementWords[desk.language]
  if (difference === null) return words.otherCurrency
  if (difference === 0) return words.exact
  const amount = amountOf(desk, currency, Math.abs(difference))
  return difference < 0 ? words.less(amount) : words.more(amount)
}

/** Campaigns that a payment may be for, also those that have ended; none where no entry asks for one. */
export async function listCampaigns({ api }: Desk, entries: StatementEntry[]): Promise<CampaignChoice[]> {
  const isAsked = entries.some(
    ({ direction, result }) => direction === 'in' && (result === 'unmatched' || result === 'suggested')
  )
  if (!isAsked) return []
  const { body } = await api.get<(CampaignChoice & { status: string })[]>('/campaigns', { limit: 200 })
  return body.filter(({ status }) => status !== 'draft').map(({ id, name, currency }) => ({ id, name, currency }))
}

/** The donations that a payment names, where they wait for exactly what came with it, together; else none. */
export function getExactSplit({ result, direction, amount, currency, suggestions }: StatementEntry): Match[] {
  if (result !== 'suggested' || direction !== 'in') return []
  const named = suggestions.filter(one => one.by === 'reference' && one.currency === currency)
  const waiting = named.filter(one => one.status === 'IN_PROCESS')
  const cents = waiting.reduce((sum, one) => sum + toCents(one.donationAmount) - toCents(one.received), 0)
  return waiting.length > 1 && cents === toCents(amount) ? waiting : []
}
