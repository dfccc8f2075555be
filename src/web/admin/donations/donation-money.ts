import type { Donation } from '#fundraising/donations/schema.ts'
import { dayIn, money } from '../../format.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import type { Desk } from '../console.ts'
import { toCents } from '../typed-amount.ts'
import { isDay } from '../typed-moment.ts'

type Money = Pick<Donation, 'amount' | 'amountReceived' | 'status'>

/** What is missing of the promise, in cents; below 0 for what came on top of it. */
export function getMissingCents({ amount, amountReceived }: Money): number {
  return toCents(amount) - toCents(amountReceived)
}

/** How what was received differs from what was promised, in words; undefined where it does not, or nothing came. */
export function formatDifference({ language }: Desk, currency: string, donation: Money): string | undefined {
  const cents = getMissingCents(donation)
  if (cents === 0 || toCents(donation.amountReceived) === 0) return undefined
  const words = paymentWords[language]
  const sum = money(language, currency, Math.abs(cents) / 100, true)
  if (cents < 0) return words.more(sum)
  return donation.status === 'IN_PROCESS' ? words.missing(sum) : words.less(sum)
}

/** Today where the site is: money is received on a day there. */
export function getToday({ site, now }: Desk): string {
  return dayIn(site.timezone, now)
}

/** What is wrong with a day on which money came or went. */
export function findDayError(desk: Desk, day: string): string | undefined {
  const { wrong } = moneyWords[desk.language]
  if (!isDay(day)) return wrong.date
  return day > getToday(desk) ? wrong.dateInFuture : undefined
}
