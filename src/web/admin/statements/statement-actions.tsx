import { number } from '../../format.ts'
import { statementWords } from '../../text/statements.ts'
import type { Desk } from '../console.ts'
import { Act } from '../form.tsx'
import { exactAmount, toCents } from '../typed-amount.ts'
import {
  amountOf,
  type CampaignChoice,
  donorOf,
  getExactSplit,
  type Match,
  type StatementEntry
} from './statement-answers.ts'
import { DonateForm } from './statement-donate.tsx'
import { Donation } from './statement-entry.tsx'
import { about, entryPath } from './statement-parts.tsx'

/** What can be done about an entry: the likely thing first, and all of it with at most two clicks. */
export function Decisions({
  desk,
  entry,
  campaigns
}: {
  desk: Desk
  entry: StatementEntry
  campaigns: CampaignChoice[]
}) {
  const words = statementWords[desk.language]
  const { result, suggestions } = entry
  const [first, ...others] = suggestions
  const isOpen = ['suggested', 'unmatched', 'problem'].includes(result)
  // What is not booked yet comes again, and of what has no amount nothing can be booked.
  const canBeFound = (isOpen || result === 'ignored') && entry.amount > 0
  if (result === 'known' || entry.reason?.code === 'pending') return null
  const isWithoutDonation = canBecomeDonation(entry) && (result === 'unmatched' || first === undefined)
  return (
    <>
      {isWithoutDonation ? <DonateForm desk={desk} entry={entry} campaigns={campaigns} /> : null}
      <div class="actions">
        <Confirm desk={desk} entry={entry} />
        {entry.collection !== null && result === 'suggested' ? (
          <Change
            desk={desk}
            entry={entry}
            fields={{ do: 'batch', batch: String(entry.collection.id) }}
            label={words.bookBatch(number(desk.language, entry.collection.id))}
            look="small"
          />
        ) : null}
        <Improve desk={desk} entry={entry} />
        {canBeFound ? (
          <a class="button small quiet" href={entryPath(entry)}>
            {result === 'suggested' ? words.findAnother : words.find}
          </a>
        ) : null}
        {isOpen ? <Change desk={desk} entry={entry} fields={{ do: 'ignore' }} label={words.ignore} /> : null}
        {result === 'ignored' ? (
          <Change desk={desk} entry={entry} fields={{ do: 'unignore' }} label={words.unignore} />
        ) : null}
        {['booked', 'returned'].includes(result) ? (
          <Change desk={desk} entry={entry} fields={{ do: 'back' }} label={words.takeBack} />
        ) : null}
      </div>
      {others.length === 0 || result !== 'suggested' || getExactSplit(entry).length > 0 ? null : (
        <details class="entry-others">
          <summary>{words.others(number(desk.language, others.length))}</summary>
          <ul>
            {others.map(other => (
              <li key={other.donationId}>
                <Donation desk={desk} entry={entry} match={other} />
                <Decision desk={desk} entry={entry} match={other} label={words.take} look="small quiet" />
              </li>
            ))}
          </ul>
        </details>
      )}
      {isOpen && canBeFound ? (
        <More desk={desk} entry={entry} campaigns={isWithoutDonation ? undefined : campaigns} />
      ) : null}
    </>
  )
}

function canBecomeDonation({ direction, result, amount }: StatementEntry): boolean {
  return direction === 'in' && (result === 'unmatched' || result === 'suggested') && amount > 0
}

/** The first suggestion, as what came compares with what it waits for. */
function Confirm({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  const [first] = entry.suggestions
  if (entry.result !== 'suggested' || first === undefined) return null
  const { difference } = first
  const parts = getExactSplit(entry)
  if (parts.length > 0) {
    const fields = { do: 'split', donations: parts.map(formatPart).join(';') }
    const label = words.splitThese(number(desk.language, parts.length))
    return <Change desk={desk} entry={entry} fields={fields} label={label} look="small" />
  }
  if (entry.direction === 'out') {
    return <Decision desk={desk} entry={entry} match={first} label={words.confirmReturn} look="small" />
  }
  if (first.status === 'TRANSFERRED' && difference !== null) {
    return (
      <>
        <Decision desk={desk} entry={entry} match={first} label={words.bookOwn} look="small" choice="extra" />
        <Decision desk={desk} entry={entry} match={first} label={words.bookAll} look="small quiet" />
      </>
    )
  }
  if (difference !== null && difference > 0) {
    const extra = words.bookExtra(amountOf(desk, first.currency, difference))
    return (
      <>
        <Decision desk={desk} entry={entry} match={first} label={words.bookAll} look="small" />
        <Decision desk={desk} entry={entry} match={first} label={extra} look="small quiet" choice="extra" />
      </>
    )
  }
  if (difference !== null && difference < 0) {
    const sum = (toCents(first.received) + toCents(entry.amount)) / 100
    return (
      <>
        <Decision
          desk={desk}
          entry={entry}
          match={first}
          label={acceptLabel(desk, first, sum)}
          look="small"
          choice="accept"
        />
        <Decision desk={desk} entry={entry} match={first} label={words.waitForRest} look="small quiet" choice="wait" />
      </>
    )
  }
  return <Decision desk={desk} entry={entry} match={first} label={words.confirm} look="small" />
}

const formatPart = (one: Match) =>
  `${one.campaignId} ${one.donationId} ${exactAmount(toCents(one.donationAmount) - toCents(one.received))}`

/** What can still be said of an entry that is booked for one donation: the sum is enough, or the extra is a gift of its own. */
function Improve({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  const [match, ...others] = entry.matches
  if (entry.result !== 'booked' || match === undefined || others.length > 0 || match.difference === null) return null
  if (match.status === 'IN_PROCESS' && match.difference < 0) {
    const label = acceptLabel(desk, match, match.received)
    return <Decision desk={desk} entry={entry} match={match} label={label} look="small" choice="accept" />
  }
  const isOwnExtra = match.difference > 0 && match.difference < entry.amount
  if (!isOwnExtra || match.currency !== entry.currency) return null
  const label = words.bookExtra(amountOf(desk, match.currency, match.difference))
  return <Decision desk={desk} entry={entry} match={match} label={label} look="small quiet" choice="extra" />
}

function acceptLabel(desk: Desk, match: Match, sum: number): string {
  const words = statementWords[desk.language]
  return words.accept(amountOf(desk, match.currency, sum), amountOf(desk, match.currency, match.donationAmount))
}

/** What is needed seldom. */
function More({
  desk,
  entry,
  campaigns
}: {
  desk: Desk
  entry: StatementEntry
  /** Undefined where the form for a donation is shown already. */
  campaigns: CampaignChoice[] | undefined
}) {
  const words = statementWords[desk.language]
  const { name, iban } = entry.counterpart
  return (
    <details class="entry-more">
      <summary>{words.moreActions}</summary>
      <div class="entry-more-inside">
        <div class="actions">
          <a class="button small quiet" href={`${entryPath(entry)}#split`}>
            {words.split}
          </a>
          {entry.direction === 'in' && iban !== null ? (
            <Change
              desk={desk}
              entry={entry}
              fields={{ do: 'always-ignore' }}
              label={words.alwaysIgnore(name ?? words.anonymous)}
            />
          ) : null}
        </div>
        {campaigns === undefined || !canBecomeDonation(entry) ? null : (
          <DonateForm desk={desk} entry={entry} campaigns={campaigns} isQuiet />
        )}
      </div>
    </details>
  )
}

/** How an entry is booked for a donation: as it is, with the sum accepted, waiting for the rest, or with the extra apart. */
type Choice = 'assign' | 'accept' | 'wait' | 'extra'

/** Says that the entry is for this donation. */
export function Decision({
  desk,
  entry,
  match,
  label,
  look,
  choice = 'assign'
}: {
  desk: Desk
  entry: StatementEntry
  match: Pick<Match, 'campaignId' | 'donationId' | 'donorName'>
  label: string
  look: string
  choice?: Choice
}) {
  const words = statementWords[desk.language]
  return (
    <Act
      desk={desk}
      action={entryPath(entry)}
      fields={{ ...about(desk, entry), do: choice, donation: `${match.campaignId} ${match.donationId}` }}
      label={
        <>
          {label}
          <span class="visually-hidden">{words.confirmFor(donorOf(words, match))}</span>
        </>
      }
      look={look}
    />
  )
}

function Change({
  desk,
  entry,
  fields,
  label,
  look = 'small quiet'
}: {
  desk: Desk
  entry: StatementEntry
  fields: Record<string, string>
  label: string
  look?: string
}) {
  return (
    <Act
      desk={desk}
      action={entryPath(entry)}
      fields={{ ...about(desk, entry), ...fields }}
      label={label}
      look={look}
    />
  )
}
