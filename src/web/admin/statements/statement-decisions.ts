import type { DonatedEntries } from '#fundraising/payments/statements/entry-donation-schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import type { Flash } from '../shared/flash.ts'
import { isConflict } from '../shared/form.tsx'
import { getListPath } from '../shared/list-query.ts'
import { toCents } from '../shared/parse-amount.ts'
import { formatStatementAmount, getStatementApiPath, getStatementPagePath, type StatementEntry } from './statement.ts'

/** Books or ignores an entry, creates a donation from it, or reverts that; the flash message offers to undo it. */
export async function decide(context: AdminContext): Promise<Redirect> {
  const donation = parseNewDonation(context)
  const change = donation === undefined ? parseChange(context) : undefined
  if (donation === undefined && change === undefined) throw new ApiError(404, 'not-found')
  const path = getStatementApiPath(context, `/entries/${encodeURIComponent(context.params.entry ?? '')}`)
  const version = getFormField(context, 'version')
  const seen: Record<string, string> = /^\d{1,9}$/.test(version) ? { 'if-match': `"${version}"` } : {}
  try {
    if (donation !== undefined && !('campaignId' in donation)) {
      context.flash({ text: getMessages('statement', context.language).chooseCampaign, tone: 'bad' })
    } else if (donation !== undefined) {
      const { body } = await context.api.post<DonatedEntries>(`${path}/donation`, donation, seen)
      context.flash(buildDonationsFlash(context, body))
    } else if (change !== undefined) {
      const { body } = await context.api.patch<StatementEntry>(path, change.body, seen)
      context.flash(buildFlash(context, change.kind, body))
    }
  } catch (error) {
    context.flash(toRefusalFlash(context, error))
  }
  return redirect(getListPath(getStatementPagePath(context), getFormField(context, 'back')), 303)
}

type Kind =
  | 'assign'
  | 'accept'
  | 'wait'
  | 'extra'
  | 'split'
  | 'batch'
  | 'back'
  | 'ignore'
  | 'always-ignore'
  | 'unignore'

function parseChange(context: AdminContext): { kind: Kind; body: object } | undefined {
  const kind = getFormField(context, 'do')
  switch (kind) {
    case 'assign':
    case 'accept':
    case 'wait':
    case 'extra': {
      const donation = parseDonation(getFormField(context, 'donation'))
      if (donation === undefined) return undefined
      const besides = { assign: {}, wait: {}, accept: { accept: true }, extra: { extra: 'donation' } }[kind]
      return { kind, body: { donation, ...besides } }
    }
    case 'split': {
      const parts = getFormField(context, 'donations').split(';').map(parsePart)
      return parts.includes(undefined) ? undefined : { kind, body: { donations: parts } }
    }
    case 'batch': {
      const batch = getFormField(context, 'batch')
      return /^\d{1,15}$/.test(batch) ? { kind, body: { collectionId: Number(batch) } } : undefined
    }
    case 'back':
      return { kind, body: { donation: null } }
    case 'ignore':
      return { kind, body: { ignored: true } }
    case 'always-ignore':
      return { kind, body: { ignored: true, remember: true } }
    case 'unignore':
      return { kind, body: { ignored: false } }
    default:
      return undefined
  }
}

/** Request body for a new donation; undefined if the form asks for another action. */
function parseNewDonation(context: AdminContext): object | undefined {
  const kind = getFormField(context, 'do')
  if (kind !== 'donate' && kind !== 'donate-all') return undefined
  const [campaign, donor] = [getFormField(context, 'campaign'), getFormField(context, 'donor').trim()]
  return {
    ...(/^\d{1,15}$/.test(campaign) ? { campaignId: Number(campaign) } : {}),
    ...(donor === '' ? {} : { donorName: donor }),
    ...(kind === 'donate-all' ? { allOfPayer: true } : {}),
    ...(getFormField(context, 'remember') === 'yes' ? { remember: true } : {})
  }
}

function parseDonation(text: string): { campaignId: number; id: string } | undefined {
  const [, campaignId, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { campaignId: Number(campaignId), id }
}

function parsePart(text: string): object | undefined {
  const [, donation = '', amount] = /^(\d{1,15} [0-9a-f-]{36}) (\d{1,9}\.\d{2})$/.exec(text) ?? []
  const one = parseDonation(donation)
  return one === undefined ? undefined : { ...one, amount }
}

const opposite: Partial<Record<Kind, Kind>> = {
  assign: 'back',
  accept: 'back',
  wait: 'back',
  extra: 'back',
  split: 'back',
  batch: 'back',
  ignore: 'unignore'
}

function buildFlash(context: AdminContext, kind: Kind, entry: StatementEntry): Flash {
  const { said } = getMessages('statement', context.language)
  const amount = formatStatementAmount(context, entry.currency, entry.amount)
  const reference = entry.match?.reference ?? ''
  const assigned =
    entry.result === 'returned' ? said.returned({ amount, reference }) : said.assigned({ amount, reference })
  const texts: Record<Kind, string> = {
    assign: assigned,
    accept: assigned,
    wait: said.waiting({ amount, reference }),
    extra: said.extra({ amount }),
    split: said.split({ amount, count: formatNumber(context.language, entry.matches.length) }),
    batch: said.batch({ amount, batch: formatNumber(context.language, entry.collection?.id ?? 0) }),
    back: said.takenBack({ amount }),
    ignore: said.ignored({ amount }),
    'always-ignore': said.alwaysIgnored({ amount }),
    unignore: said.unignored({ amount })
  }
  const undo = opposite[kind]
  return undo === undefined ? { text: texts[kind] } : buildUndoableFlash(context, texts[kind], entry, undo)
}

function buildDonationsFlash(context: AdminContext, { entry, donations }: DonatedEntries): Flash {
  const { said } = getMessages('statement', context.language)
  const [first] = donations
  if (donations.length === 1 && first !== undefined) {
    const amount = formatStatementAmount(context, entry.currency, entry.amount)
    return buildUndoableFlash(context, said.donated({ amount, reference: first.reference }), entry, 'back')
  }
  const cents = donations.reduce((sum, { amount }) => sum + toCents(amount), 0)
  const all = formatStatementAmount(context, entry.match?.currency ?? entry.currency, cents / 100)
  return { text: said.donatedAll({ count: formatNumber(context.language, donations.length), amount: all }) }
}

function buildUndoableFlash(context: AdminContext, text: string, entry: StatementEntry, undo: Kind): Flash {
  const params = { id: context.params.id ?? '', entry: entry.id }
  return { text, undo: { kind: 'revert-entry', params, fields: { do: undo, back: getFormField(context, 'back') } } }
}

/** Shows expected API errors as a flash message; rethrows all others. */
function toRefusalFlash(context: AdminContext, error: unknown): Flash {
  if (isConflict(error)) return { text: getMessages('statement', context.language).conflict, tone: 'bad' }
  if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error
  return { text: error.message, tone: 'bad' }
}

interface Confirmed {
  booked: number
  results: { ok: boolean; message?: string }[]
}

/** Confirms the entries that the page showed as exact, one by one. */
export async function confirmExact(context: AdminContext): Promise<Redirect> {
  const { said } = getMessages('statement', context.language)
  const { entries } = context.form
  const wanted = (Array.isArray(entries) ? entries : []).flatMap(parseWanted)
  if (wanted.length === 0) throw new ApiError(404, 'not-found')
  try {
    const { body } = await context.api.post<Confirmed>(getStatementApiPath(context, '/confirm'), { entries: wanted })
    const refused = body.results.filter(({ ok }) => !ok)
    const count = (value: number) => formatNumber(context.language, value)
    const text = [
      ...(body.booked === 0 ? [] : [said.confirmed({ count: count(body.booked) })]),
      ...(refused.length === 0
        ? []
        : [said.notConfirmed({ count: count(refused.length), why: refused[0]?.message ?? '' })])
    ].join(' ')
    context.flash({ text, ...(refused.length === 0 ? {} : { tone: 'bad' }) })
  } catch (error) {
    context.flash(toRefusalFlash(context, error))
  }
  return redirect(getListPath(getStatementPagePath(context), getFormField(context, 'back')), 303)
}

function parseWanted(given: unknown): object[] {
  if (typeof given !== 'string') return []
  const [id = '', version = '', ...rest] = given.split(' ')
  const donation = parseDonation(rest.join(' '))
  if (donation === undefined || !/^\d{1,9}$/.test(version)) return []
  return [{ id, version: Number(version), donation }]
}
