import { getMessages } from '#platform/messages/messages.ts'
import { formatDay, formatNumber, maskIban } from '../../format/format.ts'
import { DonationBadge } from '../donations/links/status-badge.tsx'
import type { AdminContext } from '../shared/context.ts'
import {
  type CampaignChoice,
  describeDifference,
  formatDonor,
  formatStatementAmount,
  getExactSplit,
  type Match,
  menu,
  type StatementEntry
} from './statement.ts'
import { Decisions } from './statement-actions.tsx'
import { MarkedText, ResultBadge } from './statement-parts.tsx'

/** One entry: the bank's data on one side, the donations it pays for on the other. */
export function EntryCard({
  context,
  entry,
  campaigns
}: {
  context: AdminContext
  entry: StatementEntry
  campaigns: CampaignChoice[]
}) {
  return (
    <li class={`entry card ${entry.result}`} id={`entry-${entry.position}`}>
      <Booking context={context} entry={entry} />
      <div class="entry-for">
        <FoundDonations context={context} entry={entry} />
        <Decisions context={context} entry={entry} campaigns={campaigns} />
      </div>
    </li>
  )
}

export function Booking({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  const { language } = context
  const strings = getMessages('statement', language)
  const { name, iban } = entry.counterpart
  const day = entry.bookedOn ?? entry.valueOn
  const matches = entry.match === null ? entry.suggestions : entry.matches
  const sign = entry.direction === 'in' ? '+' : '−'
  return (
    <div class="entry-booking">
      <p class="entry-head">
        {entry.result === 'problem' && entry.amount === 0 ? (
          <span class="entry-amount">{strings.amountUnknown}</span>
        ) : (
          <span class={`entry-amount ${entry.direction}`}>
            {sign}
            {formatStatementAmount(context, entry.currency, entry.amount)}
          </span>
        )}
        {day === null ? (
          <span class="muted">{strings.pendingDay}</span>
        ) : (
          <time class="muted" dateTime={day}>
            {formatDay(language, day)}
          </time>
        )}
      </p>
      <p class="entry-payer anywhere">
        <strong>{name ?? strings.anonymous}</strong>
        {iban === null ? null : <span class="muted reference">{maskIban(iban)}</span>}
      </p>
      <p class="entry-text anywhere">
        {entry.text === '' ? (
          <span class="muted">{strings.withoutText}</span>
        ) : (
          <MarkedText text={entry.text} matches={matches} />
        )}
      </p>
    </div>
  )
}

/** Matched donations, or the best suggestion, with the reason why it is not booked automatically. */
function FoundDonations({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  const strings = getMessages('statement', context.language)
  const parts = getExactSplit(entry).map(part => ({ ...part, difference: 0 }))
  const guessed = entry.result !== 'suggested' ? [] : parts.length > 0 ? parts : entry.suggestions.slice(0, 1)
  const shown = entry.matches.length > 0 ? entry.matches : guessed
  const [first] = shown
  const isSaid = entry.reason !== null && !(first !== undefined && reasonsShownElsewhere.includes(entry.reason.code))
  return (
    <>
      <p class="entry-result">
        <ResultBadge context={context} result={entry.result} />
        {first === undefined ? null : <span class="muted">{strings.ways[first.by]}</span>}
      </p>
      {shown.map(match => (
        <Donation key={match.donationId} context={context} entry={entry} match={match} isShared={shown.length > 1} />
      ))}
      <Batch context={context} entry={entry} />
      {isSaid ? <p class="entry-reason">{entry.reason?.message}</p> : null}
      {entry.firstSeen === null ? null : (
        <p>
          <a href={`${menu}/${entry.firstSeen.statementId}?result=all`}>{strings.firstSeen}</a>
        </p>
      )}
    </>
  )
}

/** Reasons that only repeat how the donation was found, or how the amounts differ: both are shown beside it. */
const reasonsShownElsewhere = ['typo', 'same-account', 'same-name', 'paid-less', 'paid-more']

/** Direct debits that the bank booked as one batch. */
function Batch({ context, entry }: { context: AdminContext; entry: StatementEntry }) {
  const strings = getMessages('statement', context.language)
  if (entry.collection === null) return null
  const { id, amount, collectOn } = entry.collection
  return (
    <p>
      <a href={`/admin/collections/${id}`}>{strings.batch({ batch: formatNumber(context.language, id) })}</a>{' '}
      <span class="muted">
        {strings.batchFor({
          amount: formatStatementAmount(context, entry.currency, amount),
          day: formatDay(context.language, collectOn)
        })}
      </span>
    </p>
  )
}

export function Donation({
  context,
  entry,
  match,
  isShared = false
}: {
  context: AdminContext
  entry: StatementEntry
  match: Match
  /** The entry is split between several donations. */
  isShared?: boolean
}) {
  const { language } = context
  const strings = getMessages('statement', language)
  const isOff = match.difference !== 0
  const isBooked = match.share !== null
  const received = isBooked ? strings.received : strings.receivedBefore
  const isMore = isBooked ? match.received !== entry.amount : match.received > 0
  return (
    <div class="entry-donation">
      <p class="anywhere">
        <strong>{formatDonor(strings, match)}</strong>{' '}
        <a class="reference" href={`/admin/donations/${match.campaignId}/${match.donationId}`}>
          {match.reference}
        </a>
      </p>
      <p class="muted anywhere">{match.campaignName}</p>
      {isShared && match.share !== null ? (
        <p>{strings.share({ amount: formatStatementAmount(context, match.currency, match.share) })}</p>
      ) : null}
      <p>
        {strings.promised({ amount: formatStatementAmount(context, match.currency, match.donationAmount) })},{' '}
        {isMore && (isOff || !isBooked)
          ? `${received({ amount: formatStatementAmount(context, match.currency, match.received) })}, `
          : null}
        <span class={isOff ? 'entry-off' : 'entry-exact'}>
          {describeDifference(context, match.currency, match.difference)}
        </span>
      </p>
      {isBooked === (match.status === 'IN_PROCESS') ? (
        <p>
          <DonationBadge status={match.status} label={getMessages('donation', language).statuses[match.status]} />
        </p>
      ) : null}
    </div>
  )
}
