import { Refused } from '../../api.ts'
import { number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { statementWords } from '../../text/statements.ts'
import { field } from '../../visit.ts'
import type { Desk, Notice } from '../console.ts'
import { isConflict } from '../form.tsx'
import { backTo } from '../list-address.ts'
import { amountOf, apiPath, pagePath, type StatementEntry } from './statement-answers.ts'

/** Assigns an entry, puts it aside, or takes either back; each can be undone where it is told of. */
export async function decide(desk: Desk): Promise<Redirect> {
  const change = changeIn(desk)
  if (change === undefined) throw new Refused(404, 'not-found', '', {})
  const version = field(desk, 'version')
  const isKnown = /^\d{1,9}$/.test(version)
  try {
    const { body } = await desk.api.patch<StatementEntry>(
      apiPath(desk, `/entries/${encodeURIComponent(desk.params.entry ?? '')}`),
      change.body,
      isKnown ? { 'if-match': `"${version}"` } : {}
    )
    desk.say(noticeOf(desk, change.kind, body))
  } catch (error) {
    desk.say(refusalOf(desk, error))
  }
  return redirect(backTo(pagePath(desk), field(desk, 'back')), 303)
}

type Kind = 'assign' | 'back' | 'ignore' | 'unignore'

function changeIn(desk: Desk): { kind: Kind; body: object } | undefined {
  switch (field(desk, 'do')) {
    case 'assign': {
      const donation = donationIn(field(desk, 'donation'))
      return donation === undefined ? undefined : { kind: 'assign', body: { donation } }
    }
    case 'back':
      return { kind: 'back', body: { donation: null } }
    case 'ignore':
      return { kind: 'ignore', body: { ignored: true } }
    case 'unignore':
      return { kind: 'unignore', body: { ignored: false } }
    default:
      return undefined
  }
}

function donationIn(text: string): { campaignId: number; id: string } | undefined {
  const [, campaignId, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(text) ?? []
  return id === undefined ? undefined : { campaignId: Number(campaignId), id }
}

const opposite: Partial<Record<Kind, Kind>> = { assign: 'back', ignore: 'unignore' }

function noticeOf(desk: Desk, kind: Kind, entry: StatementEntry): Notice {
  const { said } = statementWords[desk.language]
  const amount = amountOf(desk, entry.currency, entry.amount)
  const reference = entry.match?.reference ?? ''
  const texts: Record<Kind, string> = {
    assign: entry.result === 'returned' ? said.returned(amount, reference) : said.assigned(amount, reference),
    back: said.takenBack(amount),
    ignore: said.ignored(amount),
    unignore: said.unignored(amount)
  }
  const undo = opposite[kind]
  if (undo === undefined) return { text: texts[kind] }
  const action = pagePath(desk, `/entries/${entry.id}`)
  return { text: texts[kind], undo: { action, fields: { do: undo, back: field(desk, 'back') } } }
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
