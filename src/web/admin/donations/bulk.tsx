import type { DonationStatus, DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { StatusMoved } from '#fundraising/ledger/schema.ts'
import { Refused } from '../../api.ts'
import { money, number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import { field, fieldValues } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import type { Notice } from '../flash.ts'
import { perPage } from '../list-address.ts'
import { questionPage } from '../question.tsx'
import { donationsMenu, getDonationPath, getReturnPath } from './addresses.ts'
import { type Chosen, chosenIn, parseVersion } from './chosen.ts'
import { isDonationStatus } from './donation-filter.ts'
import { findDayError } from './donation-money.ts'
import { WentBackOn } from './status-questions.tsx'
import { type Undoable, withUndo } from './undo.ts'

/** A ticked donation as it is before it moves; nothing else where it cannot be read any more. */
interface Ticked extends Chosen {
  donation?: DonationWithHistory
}

/** One day for all that are ticked; what takes donations out of the sums is asked about first. */
export async function moveDonations(desk: Desk): Promise<ConsolePage | Redirect> {
  const status = field(desk, 'all')
  const chosen = fieldValues(desk, 'donations').slice(0, perPage).flatMap(chosenIn)
  const back = getReturnPath(desk, undefined)
  if (!isDonationStatus(status) || chosen.length === 0) {
    desk.say({ text: moneyWords[desk.language].chooseSome, tone: 'bad' })
    return redirect(back, 303)
  }
  const ticked = await Promise.all(chosen.map(async one => await readTicked(desk, one)))
  const goesBack = status !== 'TRANSFERRED' && ticked.some(({ donation }) => donation?.status === 'TRANSFERRED')
  const isConfirmed = field(desk, 'confirmed') === 'yes'
  const isAsked = status === 'CANCELLED' || status === 'FAILED' || status === 'REFUNDED'
  const needsDay = status === 'TRANSFERRED' || (goesBack && isConfirmed)
  const day = field(desk, 'receivedOn')
  const dayError = needsDay ? findDayError(desk, day) : undefined
  if (isAsked && (!isConfirmed || dayError !== undefined))
    return askAboutAll(desk, status, ticked, { goesBack, dayError })
  if (dayError !== undefined) {
    desk.say({ text: `${dayError} ${paymentWords[desk.language].stopped}`, tone: 'bad' })
    return redirect(back, 303)
  }
  const { notice, changes } = await moveAll(desk, status, ticked, day)
  desk.say(notice)
  return redirect(withUndo(desk, back, changes), 303)
}

async function readTicked(desk: Desk, { campaignId, id, version }: Chosen): Promise<Ticked> {
  try {
    const { body, etag } = await desk.api.get<DonationWithHistory>(`/campaigns/${campaignId}/donations/${id}`)
    const seen = version ?? parseVersion(etag)
    return { campaignId, id, donation: body, ...(seen === undefined ? {} : { version: seen }) }
  } catch (error) {
    if (error instanceof Refused && error.status < 500) return { campaignId, id }
    throw error
  }
}

function askAboutAll(
  desk: Desk,
  status: 'CANCELLED' | 'FAILED' | 'REFUNDED',
  ticked: Ticked[],
  { goesBack, dayError }: { goesBack: boolean; dayError: string | undefined }
): ConsolePage {
  const { language, site } = desk
  const words = paymentWords[language]
  const { anonymous } = moneyWords[language]
  const known = ticked.flatMap(({ donation, version }) => (donation === undefined ? [] : [{ donation, version }]))
  const count = number(language, ticked.length)
  const describe = ({ amount, amountReceived, status: before, donorName, reference = '' }: DonationWithHistory) =>
    words.what(
      money(language, site.currency, before === 'TRANSFERRED' ? amountReceived : amount, true),
      donorName ?? anonymous,
      reference
    )
  const [only] = known
  const isOne = ticked.length === 1 && only !== undefined
  const one = words.ask[status]
  const some = words.askSome[status]
  const page = questionPage(desk, {
    title: isOne ? one.title : some.title(count),
    text: `${isOne ? one.text(describe(only.donation)) : some.text} ${words.canUndo}`,
    menu: donationsMenu,
    action: `${donationsMenu}/status`,
    fields: (
      <>
        <input type="hidden" name="all" value={status} />
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="back" value={field(desk, 'back')} />
        {ticked.map(({ campaignId, id, version }) => (
          <input key={id} type="hidden" name="donations[]" value={[campaignId, id, version ?? ''].join(' ').trim()} />
        ))}
        {isOne ? null : (
          <ul class="asked-about">
            {known.map(({ donation }) => (
              <li key={donation.id}>
                <a href={getDonationPath(donation)}>{describe(donation)}</a>
              </li>
            ))}
          </ul>
        )}
        {goesBack ? <WentBackOn desk={desk} error={dayError} /> : null}
      </>
    ),
    yes: isOne ? one.yes : some.yes(count),
    no: { label: words.back, href: getReturnPath(desk, undefined) }
  })
  return dayError === undefined ? page : { ...page, status: 422 }
}

/** Moves those that are not there yet, each as it was read, and says what can be undone of it. */
async function moveAll(
  desk: Desk,
  status: DonationStatus,
  ticked: Ticked[],
  day: string
): Promise<{ notice: Notice; changes: Undoable[] }> {
  const open = ticked.filter(({ donation }) => donation !== undefined && donation.status !== status)
  const refusals = new Map<string, { code: string; message: string }>()
  const changes: Undoable[] = []
  // A day belongs to money that comes or goes: what was only promised fails without one.
  const groups = [
    { receivedOn: day, members: open.filter(({ donation }) => hasDay(status, donation)) },
    { receivedOn: undefined, members: open.filter(({ donation }) => !hasDay(status, donation)) }
  ]
  for (const { receivedOn, members } of groups) {
    if (members.length === 0) continue
    const donations = members.map(({ campaignId, id, version }) => ({ campaignId, id, version }))
    const { body } = await desk.api.post<StatusMoved>('/donations/status', { status, receivedOn, donations })
    for (const [index, { campaignId, id, version }] of members.entries()) {
      const result = body.results[index]
      if (result?.ok !== true) refusals.set(id, { code: result?.code ?? '', message: result?.message ?? '' })
      else if (version !== undefined) changes.push({ campaignId, id, version: version + 1 })
    }
  }
  return { notice: describeMoves(desk, status, ticked, { changed: open.length - refusals.size, refusals }), changes }
}

function hasDay(status: DonationStatus, donation: DonationWithHistory | undefined): boolean {
  return status === 'TRANSFERRED' || donation?.status === 'TRANSFERRED'
}

/** What the notice of a cookie has room for. */
const reasonsMax = 3

/** 3 received, 1 was already cancelled. AC-…: what was in the way. */
function describeMoves(
  desk: Desk,
  status: DonationStatus,
  ticked: Ticked[],
  { changed, refusals }: { changed: number; refusals: Map<string, { code: string; message: string }> }
): Notice {
  const { language } = desk
  const words = moneyWords[language]
  const [first] = ticked
  if (ticked.length === 1 && changed === 1 && first?.donation !== undefined) {
    const { amount, amountReceived, donorName, reference = '' } = first.donation
    const sum = money(language, desk.site.currency, status === 'REFUNDED' ? amountReceived : amount, true)
    return { text: words.movedOne(words.statuses[status], sum, donorName ?? words.anonymous, reference) }
  }
  const counts = new Map<string, number>()
  const reasons: string[] = []
  for (const { id, donation } of ticked) {
    const refusal = refusals.get(id)
    if (refusal === undefined && donation !== undefined && donation.status !== status) continue
    const kind = kindOf(donation, refusal?.code)
    if (kind === undefined) reasons.push(`${donation?.reference ?? ''}: ${refusal?.message ?? ''}`)
    else counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const parts = [...counts].map(([kind, count]) => {
    const [single, several] =
      kind === 'meanwhile' ? paymentWords[language].meanwhileSome : (words.already[kind] ?? ['', ''])
    return `${number(language, count)} ${count === 1 ? single : several}`
  })
  const moved = changed > 0 ? [words.moved[status](number(language, changed))] : []
  const sentence = [...moved, ...parts].join(', ')
  const left = reasons.length - reasonsMax
  return {
    text: [
      ...(sentence === '' ? [paymentWords[language].stopped] : [`${sentence}.`]),
      ...reasons.slice(0, reasonsMax),
      ...(left > 0 ? [paymentWords[language].andMore(number(language, left))] : [])
    ].join(' '),
    tone: changed > 0 ? 'good' : 'bad'
  }
}

/** Those that are where they cannot move from are counted by it; undefined for what needs a sentence of its own. */
function kindOf(donation: DonationWithHistory | undefined, code: string | undefined): string | undefined {
  if (donation === undefined || code === 'donation-not-found' || code === 'campaign-not-found') return 'gone'
  if (code === 'changed-meanwhile') return 'meanwhile'
  return code === undefined || code === 'illegal-status-change' ? donation.status : undefined
}
