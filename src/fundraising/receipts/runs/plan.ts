import type { Database } from '#platform/database/database.ts'
import { Problem } from '#platform/problem.ts'
import { toLocalDay } from '../../dates.ts'
import * as organisation from '../../organisation/queries.ts'
import { findSampleDonations } from '../../sample-donations.ts'
import * as claims from '../claims.ts'
import { type Draft, draftReceipt, type IssueContext } from '../issuing/draft.ts'
import type { ReceiptCandidate } from '../issuing/eligible-payments.ts'
import * as candidates from '../issuing/eligible-payments.ts'
import { groupByDonor, isOwnClaim } from '../issuing/group-by-donor.ts'
import { canBeListed, type ReceiptSelection, selectSingle, splitByPeriod } from '../issuing/selection.ts'
import { legalCurrency, simplifiedProofMaxCents } from '../schema.ts'
import type { NamePlan, RunRow } from './queries.ts'
import type { LeftOutReason, SkipReason } from './schema.ts'

/** What a run issues to the people of one name; shared by the run and its preview. */
export async function planName(
  tx: Database,
  issuing: IssueContext,
  run: Pick<RunRow, 'year' | 'language' | 'send'>,
  name: string
): Promise<NamePlan> {
  const { timezone } = issuing.settings
  await candidates.lockName(tx, name)
  const found = await candidates.listByName(tx, name, run.year)
  // Read again under the lock, so that they can be neither changed nor certified.
  const locked = await candidates.lockCandidates(tx, found)
  const samples = await findSampleDonations(tx, locked)
  const [claimed, { membershipFeesDeductible }] = await Promise.all([
    claims.listClaims(tx, name, run.year),
    organisation.find(tx)
  ])
  const today = toLocalDay(issuing.now, timezone)
  const plan: NamePlan = { drafts: [], skipped: [] }
  const leaveOut = (reason: LeftOutReason, lines: ReceiptCandidate[], receiptNumber: string | null = null) => {
    if (lines.length > 0) plan.skipped.push({ reason, lines, receiptNumber })
  }
  const received = locked.filter(one => one.status === 'TRANSFERRED')
  leaveOut(
    'sample',
    received.filter(one => samples.has(one.id) && one.receiptNumber === null)
  )
  for (const own of groupByDonor(received.filter(one => !samples.has(one.id) || one.receiptNumber !== null))) {
    for (const number of new Set(own.flatMap(one => one.receiptNumber ?? []))) {
      leaveOut(
        'has-receipt',
        own.filter(one => one.receiptNumber === number),
        number
      )
    }
    const open = own.filter(one => one.receiptNumber === null)
    const unasked = open.filter(one => !one.receiptRequested)
    leaveOut('small-amount', unasked.filter(isSmall))
    leaveOut(
      'not-requested',
      unasked.filter(one => !isSmall(one))
    )
    const requested = open.filter(one => one.receiptRequested)
    const things = requested.filter(one => one.kind === 'in_kind')
    leaveOut(
      'fee-not-deductible',
      requested.filter(one => one.kind !== 'in_kind' && !canBeListed(one, membershipFeesDeductible))
    )
    const choices: ReceiptSelection[] = things.map(selectSingle)
    const ownClaims = claimed.filter(claim => isOwnClaim(claim, own))
    for (const lines of groupByCurrency(requested.filter(one => canBeListed(one, membershipFeesDeductible)))) {
      const split = splitByPeriod(lines, { year: run.year, claimed: ownClaims, today })
      for (const { lines: blocked, claim } of split.blocked) leaveOut('period-taken', blocked, claim.number)
      choices.push(...split.choices.map(toSingleIfAlone))
    }
    for (const choice of choices) {
      const draft = await tryDraft(tx, issuing, run, choice)
      if (typeof draft === 'string') leaveOut(draft, choice.lines)
      else plan.drafts.push(draft)
    }
  }
  return plan
}

/** Computes what a run would do for these names, without doing it. */
export async function previewNames(
  db: Database,
  issuing: IssueContext,
  run: Pick<RunRow, 'year' | 'language' | 'send'>,
  names: string[]
): Promise<NamePlan[]> {
  const plans: NamePlan[] = []
  // One short transaction per name, so that locks are not held for the whole page.
  for (const name of names) plans.push(await db.transaction(async tx => await planName(tx, issuing, run, name)))
  return plans
}

/** Payments of unknown donors get no receipt. */
export async function previewNameless(db: Database, year: number): Promise<NamePlan[]> {
  const found = await candidates.listNameless(db, year)
  return found.map(one => ({
    drafts: [],
    skipped: [{ reason: 'no-name', lines: [one], receiptNumber: one.receiptNumber }]
  }))
}

/** A single line needs no annex. */
function toSingleIfAlone(choice: ReceiptSelection): ReceiptSelection {
  const [first, ...others] = choice.lines
  return first !== undefined && others.length === 0 ? selectSingle(first) : choice
}

async function tryDraft(
  tx: Database,
  issuing: IssueContext,
  { language, send }: Pick<RunRow, 'language' | 'send'>,
  choice: ReceiptSelection
): Promise<Draft | SkipReason> {
  try {
    return await draftReceipt(tx, issuing, choice, {
      ...(send ? {} : { send }),
      ...(language === null ? {} : { language })
    })
  } catch (error) {
    const reason = error instanceof Problem ? skipReasonByProblem[error.code] : undefined
    if (reason === undefined) throw error
    return reason
  }
}

const skipReasonByProblem: Record<string, SkipReason> = {
  'donor-not-known': 'no-address',
  'receipt-needs-euro': 'not-euro',
  'donor-not-printable': 'not-printable',
  'too-many-donations': 'too-many-donations'
}

/** Whether a bank statement is sufficient proof. */
function isSmall({ kind, amountCents, currency }: ReceiptCandidate): boolean {
  return kind === 'money' && currency === legalCurrency && amountCents <= simplifiedProofMaxCents
}

function groupByCurrency(group: ReceiptCandidate[]): ReceiptCandidate[][] {
  const currencies = [...new Set(group.map(one => one.currency))]
  return currencies.map(currency => group.filter(one => one.currency === currency))
}
