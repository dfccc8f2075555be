import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { StatusMoved } from '#fundraising/ledger/schema.ts'
import { money, number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import { field, fieldValues } from '../../visit.ts'
import type { Desk } from '../console.ts'
import type { Notice } from '../flash.ts'
import { backTo, perPage } from '../list-address.ts'
import { donationsMenu } from './addresses.ts'
import { type Chosen, chosenIn } from './chosen.ts'

/** The button of one row releases that donation, the one below the table all that are ticked. */
export async function releaseDonations(desk: Desk): Promise<Redirect> {
  const one = field(desk, 'release')
  const chosen = one === 'ticked' ? fieldValues(desk, 'donations').slice(0, perPage).flatMap(chosenIn) : chosenIn(one)
  desk.say(await release(desk, chosen))
  const [first] = chosen
  const from = field(desk, 'page')
  if (from === 'dashboard') return redirect('/admin', 303)
  const path =
    from === 'donation' && first !== undefined ? `${donationsMenu}/${first.campaignId}/${first.id}` : undefined
  return redirect(path ?? backTo(donationsMenu, field(desk, 'back')), 303)
}

async function release(desk: Desk, donations: Chosen[]): Promise<Notice> {
  const { language, site } = desk
  const words = guardWords[language].review
  const [first] = donations
  if (first === undefined) return { text: words.chooseSome, tone: 'bad' }
  const { body } = await desk.api.post<StatusMoved>('/donations/release', { donations })
  if (body.changed === 0) return { text: words.notWaiting, tone: 'bad' }
  if (donations.length > 1) return { text: words.releasedSome(number(language, body.changed)) }
  const { body: one } = await desk.api.get<DonationWithHistory>(`/campaigns/${first.campaignId}/donations/${first.id}`)
  const amount = money(language, site.currency, one.amount, true)
  return { text: words.releasedOne(amount, one.donorName ?? moneyWords[language].anonymous, one.reference ?? '') }
}
