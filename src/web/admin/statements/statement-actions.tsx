import { getMessages } from '#platform/messages/messages.ts'
import { formatNumber } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { formatApiAmount, toCents } from '../shared/parse-amount.ts'
import {
  type CampaignChoice,
  formatDonor,
  formatStatementAmount,
  getExactSplit,
  type Match,
  type StatementEntry
} from './statement.ts'
import { DonateForm } from './statement-donate.tsx'
import { Donation } from './statement-entry.tsx'
import { buildEntryFields, getEntryPath } from './statement-parts.tsx'

/** Actions on an entry: the likeliest first, each with at most two clicks. */
export function Decisions({
  context,
  entry,
  campaigns
}: {
  context: AdminContext
  entry: StatementEntry
  campaigns: CampaignChoice[]
}) {
  const strings = getMessages('statement', context.language)
  const { result, suggestions } = entry
  const [first, ...others] = suggestions
  const isOpen = ['suggested', 'unmatched', 'problem'].includes(result)
  // A pending entry appears again in a later statement, and an entry without amount cannot be booked.
  const canBeFound = (isOpen || result === 'ignored') && entry.amount > 0
  if (result === 'known' || entry.reason?.code === 'pending') return null
  const isWithoutDonation = canBecomeDonation(entry) && (result === 'unmatched' || first === undefined)
  return (
    <>
      {isWithoutDonation ? <DonateForm context={context} entry={entry} campaigns={campaigns} /> : null}
      <div class="actions">
        <Confirm context={context} entry={entry} />
        {entry.collection !== null && result === 'suggested' ? (
          <Change
            context={context}
            entry={entry}
            fields={{ do: 'batch', batch: String(entry.collection.id) }}
            label={strings.bookBatch({ batch: formatNumber(context.language, entry.collection.id) })}
            look="small"
          />
        ) : null}
        <Improve context={context} entry={entry} />
        {canBeFound ? (
          <a class="button small quiet" href={getEntryPath(entry)}>
            {result === 'suggested' ? strings.findAnother : strings.find}
          </a>
        ) : null}
        {isOpen ? <Change context={context} entry={entry} fields={{ do: 'ignore' }} label={strings.ignore} /> : null}
        {result === 'ignored' ? (
          <Change context={context} entry={entry} fields={{ do: 'unignore' }} label={strings.unignore} />
        ) : null}
        {['booked', 'returned'].includes(result) ? (
          <Change context={context} entry={entry} fields={{ do: 'back' }} label={strings.takeBack} />
        ) : null}
      </div>
      {others.length === 0 || result !== 'suggested' || getExactSplit(entry).length > 0 ? null : (
        <details class="entry-others">
          <summary>{strings.others({ count: formatNumber(context.language, others.length) })}</summary>
          <ul>
            {others.map(other => (
              <li key={other.donationId}>
                <Donation context={context} entry={entry} match={other} />
                <Decision context={context} entry={entry} match={other} label={strings.take} look="small quiet" />
              </li>
            ))}
          </ul>
        </details>
      )}
      {isOpen && canBeFound ? (
        <MoreActions context={context} entry={entry} campaigns={isWithoutDonation ? undefined : campaigns} />
      ) : null}
    </>
  )
}

function canBecomeDonation({ direction, result, amount }: StatementEntry): boolean {
  return direction === 'in' && (result === 'unmatched' || result === 'suggested') && amount > 0
}

/** Confirms the first suggestion; the button depends on how the paid and the expected amount compare. */
function Confirm({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  const strings = getMessages('statement', context.language)
  const [first] = entry.suggestions
  if (entry.result !== 'suggested' || first === undefined) return null
  const { difference } = first
  const parts = getExactSplit(entry)
  if (parts.length > 0) {
    const fields = { do: 'split', donations: parts.map(formatPart).join(';') }
    const label = strings.splitThese({ count: formatNumber(context.language, parts.length) })
    return <Change context={context} entry={entry} fields={fields} label={label} look="small" />
  }
  if (entry.direction === 'out') {
    return <Decision context={context} entry={entry} match={first} label={strings.confirmReturn} look="small" />
  }
  if (first.status === 'TRANSFERRED' && difference !== null) {
    return (
      <>
        <Decision context={context} entry={entry} match={first} label={strings.bookOwn} look="small" choice="extra" />
        <Decision context={context} entry={entry} match={first} label={strings.bookAll} look="small quiet" />
      </>
    )
  }
  if (difference !== null && difference > 0) {
    const extra = strings.bookExtra({ extra: formatStatementAmount(context, first.currency, difference) })
    return (
      <>
        <Decision context={context} entry={entry} match={first} label={strings.bookAll} look="small" />
        <Decision context={context} entry={entry} match={first} label={extra} look="small quiet" choice="extra" />
      </>
    )
  }
  if (difference !== null && difference < 0) {
    const sum = (toCents(first.received) + toCents(entry.amount)) / 100
    return (
      <>
        <Decision
          context={context}
          entry={entry}
          match={first}
          label={formatAcceptLabel(context, first, sum)}
          look="small"
          choice="accept"
        />
        <Decision
          context={context}
          entry={entry}
          match={first}
          label={strings.waitForRest}
          look="small quiet"
          choice="wait"
        />
      </>
    )
  }
  return <Decision context={context} entry={entry} match={first} label={strings.confirm} look="small" />
}

const formatPart = (one: Match) =>
  `${one.campaignId} ${one.donationId} ${formatApiAmount(toCents(one.donationAmount) - toCents(one.received))}`

/** For an entry booked to one donation: accept the amount as complete, or book the excess as its own donation. */
function Improve({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  const strings = getMessages('statement', context.language)
  const [match, ...others] = entry.matches
  if (entry.result !== 'booked' || match === undefined || others.length > 0 || match.difference === null) return null
  if (match.status === 'IN_PROCESS' && match.difference < 0) {
    const label = formatAcceptLabel(context, match, match.received)
    return <Decision context={context} entry={entry} match={match} label={label} look="small" choice="accept" />
  }
  const isOwnExtra = match.difference > 0 && match.difference < entry.amount
  if (!isOwnExtra || match.currency !== entry.currency) return null
  const label = strings.bookExtra({ extra: formatStatementAmount(context, match.currency, match.difference) })
  return <Decision context={context} entry={entry} match={match} label={label} look="small quiet" choice="extra" />
}

function formatAcceptLabel(context: AdminContext, match: Match, sum: number): string {
  const strings = getMessages('statement', context.language)
  return strings.accept({
    received: formatStatementAmount(context, match.currency, sum),
    promised: formatStatementAmount(context, match.currency, match.donationAmount)
  })
}

/** Rarely needed actions. */
function MoreActions({
  context,
  entry,
  campaigns
}: {
  context: AdminContext
  entry: StatementEntry
  /** Undefined if the donation form is already shown. */
  campaigns: CampaignChoice[] | undefined
}) {
  const strings = getMessages('statement', context.language)
  const { name, iban } = entry.counterpart
  return (
    <details class="entry-more">
      <summary>{strings.moreActions}</summary>
      <div class="entry-more-inside">
        <div class="actions">
          <a class="button small quiet" href={`${getEntryPath(entry)}#split`}>
            {strings.split}
          </a>
          {entry.direction === 'in' && iban !== null ? (
            <Change
              context={context}
              entry={entry}
              fields={{ do: 'always-ignore' }}
              label={strings.alwaysIgnore({ payer: name ?? strings.anonymous })}
            />
          ) : null}
        </div>
        {campaigns === undefined || !canBecomeDonation(entry) ? null : (
          <DonateForm context={context} entry={entry} campaigns={campaigns} isQuiet />
        )}
      </div>
    </details>
  )
}

/** How an entry is booked: as it is, amount accepted, rest still expected, or excess as its own donation. */
type Choice = 'assign' | 'accept' | 'wait' | 'extra'

/** Assigns the entry to this donation. */
export function Decision({
  context,
  entry,
  match,
  label,
  look,
  choice = 'assign'
}: {
  context: AdminContext
  entry: StatementEntry
  match: Pick<Match, 'campaignId' | 'donationId' | 'donorName'>
  label: string
  look: string
  choice?: Choice
}) {
  const strings = getMessages('statement', context.language)
  return (
    <ActionButton
      context={context}
      action={getEntryPath(entry)}
      fields={{ ...buildEntryFields(context, entry), do: choice, donation: `${match.campaignId} ${match.donationId}` }}
      label={
        <>
          {label}
          <span class="visually-hidden">{strings.confirmFor({ donor: formatDonor(strings, match) })}</span>
        </>
      }
      look={look}
    />
  )
}

function Change({
  context,
  entry,
  fields,
  label,
  look = 'small quiet'
}: {
  context: AdminContext
  entry: StatementEntry
  fields: Record<string, string>
  label: string
  look?: string
}) {
  return (
    <ActionButton
      context={context}
      action={getEntryPath(entry)}
      fields={{ ...buildEntryFields(context, entry), ...fields }}
      label={label}
      look={look}
    />
  )
}
