import type { DonatedEntries } from '#fundraising/statements/schema.ts'
import { Refused } from '../../api.ts'
import { number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { statementWords } from '../../text/statements.ts'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import type { Notice } from '../flash.ts'
import { isConflict } from '../form.tsx'
import { backTo } from '../list-address.ts'
import { toCents } from '../typed-amount.ts'
import { amountOf, apiPath, pagePath, type StatementEntry } from './statement-answers.ts'

/** Books an entry, ignores it, makes a donation of it, or takes any of that back; each can be undone where it is told of. */
export async function decide(desk: Desk): Promise<Redirect> {
  const donation = newDonationIn(desk)
  const change = donation === undefined ? changeIn(desk) : undefined
  if (donation === undefined && change === undefined) throw new Refused(404, 'not-found', '', {})
  const path = apiPath(desk, `/entries/${encodeURIComponent(desk.params.entry ?? '')}`)
  const version = field(desk, 'version')
  const seen: Record<string, string> = /^\d{1,9}$/.test(version) ? { 'if-match': `"${version}"` } : {}
  try {
    if (donation !== undefined && !('campaignId' in donation)) {
      desk.say({ text: statementWords[desk.language].chooseCampaign, tone: 'bad' })
    } else if (donation !== undefined) {
      const { body } = await desk.api.post<DonatedEntries>(`${path}/donation`, donation, seen)
      desk.say(noticeOfDonations(desk, body))
    } else if (change !== undefined) {
      const { body } = await desk.api.patch<StatementEntry>(path, change.body, seen)
      desk.say(noticeOf(desk, change.kind, body))
    }
  } catch (error) {
    desk.say(refusalOf(desk, error))
  }
  return redirect(backTo(pagePath(desk), field(desk, 'back')), 303)
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

function changeIn(desk: Desk): { kind: Kind; body: object } | undefined {
  const kind = field(desk, 'do')
  switch (kind) {
    case 'assign':
    case 'accept':
    case 'wait':
    case 'extra': {
      const donation = donationIn(field(desk, 'donation'))
      if (donation === undefined) return undefined
      const besides = { assign: {}, wait: {}, accept: { accept: true }, extra: { extra: 'donation' } }[kind]
      return { kind, body: { donation, ...besides } }
    }
    case 'split': {
      const parts = field(desk, 'donations').split(';').map(partIn)
      return parts.includes(undefined) ? undefined : { kind, body: { donations: parts } }
    }
    case 'batch': {
      const batch = field(desk, 'batch')
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

/** What a donation is made of; undefined if that is not what was asked. */
function newDonationIn(desk: Desk): object | undefined {
  const kind = field(desk, 'do')
  if (kind !== 'donate' && kind !== 'donate-all') return undefined
  const [campaign, donor] = [field(desk, 'campaign'), field(desk, 'donor').trim()]
  return {
    ...(/^\d{1,15}$/.test(campaign) ? { campaignId: Number(campaign) } : {}),
    ...(donor === '' ? {} : { donorName: donor }),
    ...(kind === 'donate-all' ? { allOfPayer: true } : {}),
    ...(field(desk, 'remember') === 'yes' ? { remember: true } : {})
  }
}

function donationIn(text: string): { campaignId: number; id: string } | undefined {
  const [, campaignId, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { campaignId: Number(campaignId), id }
}

function partIn(text: string): object | undefined {
  const [, donation = '', amount] = /^(\d{1,15} [0-9a-f-]{36}) (\d{1,9}\.\d{2})$/.exec(text) ?? []
  const one = donationIn(donation)
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

function noticeOf(desk: Desk, kind: Kind, entry: StatementEntry): Notice {
  const { said } = statementWords[desk.language]
  const amount = amountOf(desk, entry.currency, entry.amount)
  const reference = entry.match?.reference ?? ''
  const assigned = entry.result === 'returned' ? said.returned(amount, reference) : said.assigned(amount, reference)
  const texts: Record<Kind, string> = {
    assign: assigned,
    accept: assigned,
    wait: said.waiting(amount, reference),
    extra: said.extra(amount),
    split: said.split(amount, number(desk.language, entry.matches.length)),
    batch: said.batch(amount, number(desk.language, entry.collection?.id ?? 0)),
    back: said.takenBack(amount),
    ignore: said.ignored(amount),
    'always-ignore': said.alwaysIgnored(amount),
    unignore: said.unignored(amount)
  }
  const undo = opposite[kind]
  return undo === undefined ? { text: texts[kind] } : undoable(desk, texts[kind], entry, undo)
}

function noticeOfDonations(desk: Desk, { entry, donations }: DonatedEntries): Notice {
  const { said } = statementWords[desk.language]
  const [first] = donations
  if (donations.length === 1 && first !== undefined) {
    const amount = amountOf(desk, entry.currency, entry.amount)
    return undoable(desk, said.donated(amount, first.reference), entry, 'back')
  }
  const cents = donations.reduce((sum, { amount }) => sum + toCents(amount), 0)
  const all = amountOf(desk, entry.match?.currency ?? entry.currency, cents / 100)
  return { text: said.donatedAll(number(desk.language, donations.length), all) }
}

function undoable(desk: Desk, text: string, entry: StatementEntry, undo: Kind): Notice {
  const params = { id: desk.params.id ?? '', entry: entry.id }
  return { text, undo: { kind: 'revert-entry', params, fields: { do: undo, back: field(desk, 'back') } } }
}

/** What can be said of a refusal is said on the page that comes next; anything else is no matter of a decision. */
function refusalOf(desk: Desk, error: unknown): Notice {
  if (isConflict(error)) return { text: statementWords[desk.language].conflict, tone: 'bad' }
  if (!(error instanceof Refused) || ![400, 409, 422].includes(error.status)) throw error
  return { text: error.message, tone: 'bad' }
}

interface Confirmed {
  booked: number
  results: { ok: boolean; message?: string }[]
}

/** Confirms what the page showed as exact, each by itself. */
export async function confirmExact(desk: Desk): Promise<Redirect> {
  const { said } = statementWords[desk.language]
  const { entries } = desk.form
  const wanted = (Array.isArray(entries) ? entries : []).flatMap(wantedIn)
  if (wanted.length === 0) throw new Refused(404, 'not-found', '', {})
  try {
    const { body } = await desk.api.post<Confirmed>(apiPath(desk, '/confirm'), { entries: wanted })
    const refused = body.results.filter(({ ok }) => !ok)
    const count = (value: number) => number(desk.language, value)
    const text = [
      ...(body.booked === 0 ? [] : [said.confirmed(count(body.booked))]),
      ...(refused.length === 0 ? [] : [said.notConfirmed(count(refused.length), refused[0]?.message ?? '')])
    ].join(' ')
    desk.say({ text, ...(refused.length === 0 ? {} : { tone: 'bad' }) })
  } catch (error) {
    desk.say(refusalOf(desk, error))
  }
  return redirect(backTo(pagePath(desk), field(desk, 'back')), 303)
}

function wantedIn(given: unknown): object[] {
  if (typeof given !== 'string') return []
  const [id = '', version = '', ...rest] = given.split(' ')
  const donation = donationIn(rest.join(' '))
  if (donation === undefined || !/^\d{1,9}$/.test(version)) return []
  return [{ id, version: Number(version), donation }]
}
