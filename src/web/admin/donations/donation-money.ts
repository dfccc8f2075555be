import type { Donation } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney, toLocalDay } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { toCents } from '../shared/parse-amount.ts'
import { isDay } from '../shared/parse-datetime.ts'

type Money = Pick<Donation, 'amount' | 'amountReceived' | 'status'>

/** Outstanding amount in cents; negative if more was received than promised. */
export function getMissingCents({ amount, amountReceived }: Money): number {
  return toCents(amount) - toCents(amountReceived)
}

/** Describes the difference between received and promised; undefined if there is none, or nothing was received. */
export function formatDifference({ language }: AdminContext, currency: string, donation: Money): string | undefined {
  const cents = getMissingCents(donation)
  if (cents === 0 || toCents(donation.amountReceived) === 0) return undefined
  const strings = getMessages('payment', language)
  const sum = formatMoney(language, currency, Math.abs(cents) / 100, true)
  if (cents < 0) return strings.more({ amount: sum })
  return donation.status === 'IN_PROCESS' ? strings.missing({ amount: sum }) : strings.less({ amount: sum })
}

/** Today in the site's time zone, in which payment dates are recorded. */
export function getToday({ site, now }: AdminContext): string {
  return toLocalDay(site.timezone, now)
}

/** Validation error of a payment date. */
export function findDayError(context: AdminContext, day: string): string | undefined {
  const { wrong } = getMessages('donation', context.language)
  if (!isDay(day)) return wrong.date
  return day > getToday(context) ? wrong.dateInFuture : undefined
}
