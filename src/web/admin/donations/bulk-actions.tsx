import type { BulkResult } from '#fundraising/donations/all-donations/schema.ts'
import type { DonationStatus, DonationWithHistory } from '#fundraising/donations/schema.ts'
import { formatMessage, getMessages } from '#platform/messages/messages.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField, getFormFieldValues } from '../../server/context.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import type { Flash } from '../shared/flash.ts'
import { perPage } from '../shared/list-query.ts'
import { isDonationStatus } from './donation-filter.ts'
import { findDayError } from './donation-money.ts'
import { donationsMenu, getDonationPath, getReturnPath } from './links/paths.ts'
import { type DonationRef, parseDonationRefs, parseVersion } from './links/selection.ts'
import { ReturnDateField } from './status-change.tsx'
import { type Undoable, withUndo } from './undo.ts'

/** A selected donation before the change; only its reference if it can no longer be read. */
interface SelectedDonation extends DonationRef {
  donation?: DonationWithHistory
}

/** Uses one date for all selected donations; changes that reduce the totals ask for confirmation first. */
export async function changeStatuses(context: AdminContext): Promise<AdminPage | Redirect> {
  const status = getFormField(context, 'all')
  const chosen = getFormFieldValues(context, 'donations').slice(0, perPage).flatMap(parseDonationRefs)
  const back = getReturnPath(context, undefined)
  if (!isDonationStatus(status) || chosen.length === 0) {
    context.flash({ text: getMessages('donation', context.language).chooseSome, tone: 'bad' })
    return redirect(back, 303)
  }
  const ticked = await Promise.all(chosen.map(async one => await readSelected(context, one)))
  const goesBack = status !== 'TRANSFERRED' && ticked.some(({ donation }) => donation?.status === 'TRANSFERRED')
  const isConfirmed = getFormField(context, 'confirmed') === 'yes'
  const needsConfirmation = status === 'CANCELLED' || status === 'FAILED' || status === 'REFUNDED'
  const needsDay = status === 'TRANSFERRED' || (goesBack && isConfirmed)
  const day = getFormField(context, 'receivedOn')
  const dayError = needsDay ? findDayError(context, day) : undefined
  if (needsConfirmation && (!isConfirmed || dayError !== undefined))
    return buildConfirmAllPage(context, status, ticked, { goesBack, dayError })
  if (dayError !== undefined) {
    context.flash({ text: `${dayError} ${getMessages('payment', context.language).stopped}`, tone: 'bad' })
    return redirect(back, 303)
  }
  const { notice, changes } = await changeAll(context, status, ticked, day)
  context.flash(notice)
  return redirect(withUndo(context, back, changes), 303)
}

async function readSelected(
  context: AdminContext,
  { campaignId, id, version }: DonationRef
): Promise<SelectedDonation> {
  try {
    const { body, etag } = await context.api.get<DonationWithHistory>(`/campaigns/${campaignId}/donations/${id}`)
    const seen = version ?? parseVersion(etag)
    return { campaignId, id, donation: body, ...(seen === undefined ? {} : { version: seen }) }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { campaignId, id }
    throw error
  }
}

function buildConfirmAllPage(
  context: AdminContext,
  status: 'CANCELLED' | 'FAILED' | 'REFUNDED',
  ticked: SelectedDonation[],
  { goesBack, dayError }: { goesBack: boolean; dayError: string | undefined }
): AdminPage {
  const { language, site } = context
  const strings = getMessages('payment', language)
  const { anonymous } = getMessages('donation', language)
  const known = ticked.flatMap(({ donation, version }) => (donation === undefined ? [] : [{ donation, version }]))
  const count = formatNumber(language, ticked.length)
  const describe = ({ amount, amountReceived, status: before, donorName, reference = '' }: DonationWithHistory) =>
    strings.what({
      amount: formatMoney(language, site.currency, before === 'TRANSFERRED' ? amountReceived : amount, true),
      name: donorName ?? anonymous,
      reference
    })
  const [only] = known
  const isOne = ticked.length === 1 && only !== undefined
  const one = strings.ask[status]
  const some = strings.askSome[status]
  const page = buildConfirmPage(context, {
    title: isOne ? one.title : some.title({ count }),
    text: `${isOne ? one.text({ what: describe(only.donation) }) : some.text} ${strings.canUndo}`,
    menu: donationsMenu,
    action: `${donationsMenu}/status`,
    fields: (
      <>
        <input type="hidden" name="all" value={status} />
        <input type="hidden" name="confirmed" value="yes" />
        <input type="hidden" name="back" value={getFormField(context, 'back')} />
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
        {goesBack ? <ReturnDateField context={context} error={dayError} /> : null}
      </>
    ),
    yes: isOne ? one.yes : some.yes({ count }),
    no: { label: strings.back, href: getReturnPath(context, undefined) }
  })
  return dayError === undefined ? page : { ...page, status: 422 }
}

/** Changes the donations that do not have the status yet, each with its version, and returns what can be undone. */
async function changeAll(
  context: AdminContext,
  status: DonationStatus,
  ticked: SelectedDonation[],
  day: string
): Promise<{ notice: Flash; changes: Undoable[] }> {
  const open = ticked.filter(({ donation }) => donation !== undefined && donation.status !== status)
  const refusals = new Map<string, { code: string; message: string }>()
  const changes: Undoable[] = []
  // A date belongs to a payment: a donation that was only promised fails without one.
  const groups = [
    { receivedOn: day, members: open.filter(({ donation }) => hasDay(status, donation)) },
    { receivedOn: undefined, members: open.filter(({ donation }) => !hasDay(status, donation)) }
  ]
  for (const { receivedOn, members } of groups) {
    if (members.length === 0) continue
    const donations = members.map(({ campaignId, id, version }) => ({ campaignId, id, version }))
    const { body } = await context.api.post<BulkResult>('/donations/status', { status, receivedOn, donations })
    for (const [index, { campaignId, id, version }] of members.entries()) {
      const result = body.results[index]
      if (result?.ok !== true) refusals.set(id, { code: result?.code ?? '', message: result?.message ?? '' })
      else if (version !== undefined) changes.push({ campaignId, id, version: version + 1 })
    }
  }
  return {
    notice: describeChanges(context, status, ticked, { changed: open.length - refusals.size, refusals }),
    changes
  }
}

function hasDay(status: DonationStatus, donation: DonationWithHistory | undefined): boolean {
  return status === 'TRANSFERRED' || donation?.status === 'TRANSFERRED'
}

/** Limited by the size of the flash cookie. */
const reasonsMax = 3

/** 3 received, 1 was already cancelled. AC-…: reason. */
function describeChanges(
  context: AdminContext,
  status: DonationStatus,
  ticked: SelectedDonation[],
  { changed, refusals }: { changed: number; refusals: Map<string, { code: string; message: string }> }
): Flash {
  const { language } = context
  const strings = getMessages('donation', language)
  const [first] = ticked
  if (ticked.length === 1 && changed === 1 && first?.donation !== undefined) {
    const { amount, amountReceived, donorName, reference = '' } = first.donation
    const sum = formatMoney(language, context.site.currency, status === 'REFUNDED' ? amountReceived : amount, true)
    return {
      text: strings.movedOne({
        status: strings.statuses[status],
        amount: sum,
        name: donorName ?? strings.anonymous,
        reference
      })
    }
  }
  const counts = new Map<string, number>()
  const reasons: string[] = []
  for (const { id, donation } of ticked) {
    const refusal = refusals.get(id)
    if (refusal === undefined && donation !== undefined && donation.status !== status) continue
    const kind = getRefusalKind(donation, refusal?.code)
    if (kind === undefined) reasons.push(`${donation?.reference ?? ''}: ${refusal?.message ?? ''}`)
    else counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const parts = [...counts].map(([kind, count]) =>
    kind === 'meanwhile'
      ? getMessages('payment', language).meanwhileSome({ count })
      : (formatMessage(strings.already, kind, { count }) ?? '')
  )
  const moved = changed > 0 ? [strings.moved[status]({ count: formatNumber(language, changed) })] : []
  const sentence = [...moved, ...parts].join(', ')
  const left = reasons.length - reasonsMax
  return {
    text: [
      ...(sentence === '' ? [getMessages('payment', language).stopped] : [`${sentence}.`]),
      ...reasons.slice(0, reasonsMax),
      ...(left > 0 ? [getMessages('payment', language).andMore({ count: formatNumber(language, left) })] : [])
    ].join(' '),
    tone: changed > 0 ? 'good' : 'bad'
  }
}

/** Groups refused donations by the status that blocks the change; undefined if the error has its own message. */
function getRefusalKind(donation: DonationWithHistory | undefined, code: string | undefined): string | undefined {
  if (donation === undefined || code === 'donation-not-found' || code === 'campaign-not-found') return 'gone'
  if (code === 'changed-meanwhile') return 'meanwhile'
  return code === undefined || code === 'illegal-status-change' ? donation.status : undefined
}
