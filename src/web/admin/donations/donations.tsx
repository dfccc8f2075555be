import type { DonationStatus, DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { StatusMoved } from '#fundraising/ledger/schema.ts'
import { Refused } from '../../api.ts'
import { money, number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { moneyWords } from '../../text/money.ts'
import { field, fieldValues } from '../../visit.ts'
import type { Console, ConsoleRole, Desk, Notice } from '../console.ts'
import { backTo, perPage } from '../list-address.ts'
import { type Chosen, chosenIn } from './chosen.ts'
import { isDonationStatus } from './donation-filter.ts'
import { donationsMenu, downloadDonations, showDonations } from './donation-list.tsx'
import { addNote, correctDonation, removeNote, showDonation } from './donation-page.tsx'
import { recordDonation, showRecordForm } from './donation-record.tsx'
import { askToErase, downloadDonor, eraseDonor } from './donor-data.tsx'
import { messagePath, reviewMessage } from './message-review.tsx'
import { releaseDonations } from './release.ts'

const treasurers: ConsoleRole[] = ['treasurer']

export function donationPages(console: Console): void {
  const one = `${donationsMenu}/:campaign/:donation`
  console.show(donationsMenu, treasurers, showDonations)
  console.show(`${donationsMenu}.csv`, treasurers, downloadDonations)
  console.take(`${donationsMenu}/status`, treasurers, moveDonations)
  console.take(`${donationsMenu}/release`, treasurers, releaseDonations)
  console.take(messagePath, treasurers, reviewMessage)
  console.show(`${donationsMenu}/new`, treasurers, showRecordForm)
  console.take(`${donationsMenu}/new`, treasurers, recordDonation)
  console.show(one, treasurers, showDonation)
  console.take(one, treasurers, correctDonation)
  console.show(`${one}/donor.json`, treasurers, downloadDonor)
  console.show(`${one}/erase`, treasurers, askToErase)
  console.take(`${one}/erase`, treasurers, eraseDonor)
  console.take(`${one}/notes`, treasurers, addNote)
  console.take(`${one}/notes/:note/remove`, treasurers, removeNote)
}

/** A button of one row moves that row, whatever is ticked; a button below the table moves all that are ticked. */
async function moveDonations(desk: Desk): Promise<Redirect> {
  const one = field(desk, 'one').split(' ')
  const [status = '', campaign = '', id = ''] = field(desk, 'one') === '' ? [field(desk, 'all')] : one
  const chosen = field(desk, 'one') === '' ? tickedIn(desk) : chosenIn(`${campaign} ${id}`)
  desk.say(await move(desk, status, chosen))
  const [first] = chosen
  const isOnPage = field(desk, 'page') === 'donation' && first !== undefined
  const path = isOnPage ? `${donationsMenu}/${first.campaignId}/${first.id}` : undefined
  return redirect(path ?? backTo(donationsMenu, field(desk, 'back')), 303)
}

function tickedIn(desk: Desk): Chosen[] {
  return fieldValues(desk, 'donations').slice(0, perPage).flatMap(chosenIn)
}

async function move(desk: Desk, status: string, donations: Chosen[]): Promise<Notice> {
  const words = moneyWords[desk.language]
  const [first] = donations
  if (!isDonationStatus(status) || first === undefined) return { text: words.chooseSome, tone: 'bad' }
  const { body } = await desk.api.post<StatusMoved>('/donations/status', { status, donations })
  if (donations.length === 1 && body.changed === 1) return { text: await movedOne(desk, status, first) }
  return await movedSome(desk, status, donations, body)
}

/** 25.00 € from Ada Lovelace. */
async function movedOne(desk: Desk, status: DonationStatus, one: Chosen): Promise<string> {
  const { language, site } = desk
  const words = moneyWords[language]
  const { body } = await desk.api.get<DonationWithHistory>(pathOf(one))
  const amount = money(language, site.currency, body.amount, true)
  return words.movedOne(words.statuses[status], amount, body.donorName ?? words.anonymous, body.reference ?? '')
}

/** 3 received, 1 was already cancelled. */
async function movedSome(
  desk: Desk,
  status: DonationStatus,
  donations: Chosen[],
  { results, changed }: StatusMoved
): Promise<Notice> {
  const { language } = desk
  const words = moneyWords[language]
  const refused = donations.filter((_, index) => results[index]?.ok !== true)
  const others = await Promise.all(refused.map(async one => await statusOf(desk, one)))
  const unchanged = donations.length - refused.length - changed
  const counts = new Map<string, number>()
  for (const other of [...Array.from({ length: unchanged }, () => status), ...others]) {
    counts.set(other, (counts.get(other) ?? 0) + 1)
  }
  const parts = [...counts].map(([other, count]) => {
    const [single = '', several = ''] = words.already[other] ?? []
    return `${number(language, count)} ${count === 1 ? single : several}`
  })
  const moved = changed > 0 ? [words.moved[status](number(language, changed))] : []
  return { text: `${[...moved, ...parts].join(', ')}.`, tone: changed > 0 ? 'good' : 'bad' }
}

async function statusOf(desk: Desk, one: Chosen): Promise<string> {
  try {
    return (await desk.api.get<DonationWithHistory>(pathOf(one))).body.status
  } catch (error) {
    if (error instanceof Refused && error.status < 500) return 'gone'
    throw error
  }
}

function pathOf({ campaignId, id }: Chosen): string {
  return `/campaigns/${campaignId}/donations/${id}`
}
