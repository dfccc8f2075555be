import { maskedIban, number, plainDay } from '../../format.ts'
import { moneyWords } from '../../text/money.ts'
import { statementWords } from '../../text/statements.ts'
import type { Desk } from '../console.ts'
import { DonationBadge } from '../donations/donation-list.tsx'
import { Act } from '../form.tsx'
import { hereIn } from '../list-address.ts'
import { amountOf, differenceOf, donorOf, type Match, menu, type StatementEntry } from './statement-answers.ts'
import { MarkedText, ResultBadge } from './statement-parts.tsx'

/** One entry: what the bank says on one side, what it is for on the other. */
export function EntryCard({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  return (
    <li class={`entry card ${entry.result}`} id={`entry-${entry.position}`}>
      <Booking desk={desk} entry={entry} />
      <div class="entry-for">
        <Found desk={desk} entry={entry} />
        <Decisions desk={desk} entry={entry} />
      </div>
    </li>
  )
}

export function Booking({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const { language } = desk
  const words = statementWords[language]
  const { name, iban } = entry.counterpart
  const day = entry.bookedOn ?? entry.valueOn
  const matches = entry.match === null ? entry.suggestions : [entry.match]
  const sign = entry.direction === 'in' ? '+' : '−'
  return (
    <div class="entry-booking">
      <p class="entry-head">
        {entry.result === 'problem' && entry.amount === 0 ? (
          <span class="entry-amount">{words.amountUnknown}</span>
        ) : (
          <span class={`entry-amount ${entry.direction}`}>
            {sign}
            {amountOf(desk, entry.currency, entry.amount)}
          </span>
        )}
        {day === null ? (
          <span class="faded">{words.pendingDay}</span>
        ) : (
          <time class="faded" dateTime={day}>
            {plainDay(language, day)}
          </time>
        )}
      </p>
      <p class="entry-payer anywhere">
        <strong>{name ?? words.anonymous}</strong>
        {iban === null ? null : <span class="faded reference">{maskedIban(iban)}</span>}
      </p>
      <p class="entry-text anywhere">
        {entry.text === '' ? (
          <span class="faded">{words.withoutText}</span>
        ) : (
          <MarkedText text={entry.text} matches={matches} />
        )}
      </p>
    </div>
  )
}

/** The donation, or the best guess; and why it is not simply booked. */
function Found({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  const shown = entry.match ?? (entry.result === 'suggested' ? entry.suggestions[0] : undefined)
  const isSaid = entry.reason !== null && !(shown !== undefined && waysSaid.includes(entry.reason.code))
  return (
    <>
      <p class="entry-result">
        <ResultBadge desk={desk} result={entry.result} />
        {shown === undefined ? null : <span class="faded">{words.ways[shown.by]}</span>}
      </p>
      {shown === undefined ? null : <Donation desk={desk} entry={entry} match={shown} />}
      {isSaid ? <p class="entry-reason">{entry.reason?.message}</p> : null}
      {entry.firstSeen === null ? null : (
        <p>
          <a href={`${menu}/${entry.firstSeen.statementId}?result=all`}>{words.firstSeen}</a>
        </p>
      )}
    </>
  )
}

/** Reasons that say no more than how the donation was found, or how the amounts differ, which stands beside it. */
const waysSaid = ['typo', 'same-account', 'same-name', 'paid-less', 'paid-more']

function Donation({ desk, entry, match }: { desk: Desk; entry: StatementEntry; match: Match }) {
  const { language } = desk
  const words = statementWords[language]
  const isOff = match.difference !== 0
  return (
    <div class="entry-donation">
      <p class="anywhere">
        <strong>{donorOf(words, match)}</strong>{' '}
        <a class="reference" href={`/admin/donations/${match.campaignId}/${match.donationId}`}>
          {match.reference}
        </a>
      </p>
      <p class="faded anywhere">{match.campaignName}</p>
      <p>
        {words.promised(amountOf(desk, match.currency, match.donationAmount))},{' '}
        <span class={isOff ? 'entry-off' : 'entry-exact'}>{differenceOf(desk, match.currency, match.difference)}</span>
        {isOff && match.received > 0 && match.received !== entry.amount
          ? `, ${words.received(amountOf(desk, match.currency, match.received))}`
          : null}
      </p>
      {entry.match === null && match.status !== 'IN_PROCESS' ? (
        <p>
          <DonationBadge status={match.status} label={moneyWords[language].statuses[match.status]} />
        </p>
      ) : null}
    </div>
  )
}

function Decisions({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  const { result, suggestions, match } = entry
  const [first, ...others] = suggestions
  const isOpen = ['suggested', 'unmatched', 'problem'].includes(result)
  // What is not booked yet comes again, and of what has no amount nothing can be booked.
  const canBeFound = (isOpen || result === 'ignored') && entry.amount > 0
  if (result === 'known' || entry.reason?.code === 'pending') return null
  return (
    <>
      <div class="actions">
        {result === 'suggested' && first !== undefined ? (
          <Decision
            desk={desk}
            entry={entry}
            match={first}
            label={entry.direction === 'in' ? words.confirm : words.confirmReturn}
            look="small"
          />
        ) : null}
        {canBeFound ? (
          <a class="button small quiet" href={`${menu}/${entry.statementId}/entries/${entry.id}`}>
            {result === 'suggested' ? words.findAnother : words.find}
          </a>
        ) : null}
        {isOpen ? <Change desk={desk} entry={entry} change="ignore" label={words.ignore} /> : null}
        {result === 'ignored' ? <Change desk={desk} entry={entry} change="unignore" label={words.unignore} /> : null}
        {match === null ? null : <Change desk={desk} entry={entry} change="back" label={words.takeBack} />}
      </div>
      {others.length === 0 || result !== 'suggested' ? null : (
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
    </>
  )
}

/** Says that the entry is for this donation. */
export function Decision({
  desk,
  entry,
  match,
  label,
  look
}: {
  desk: Desk
  entry: StatementEntry
  match: Pick<Match, 'campaignId' | 'donationId' | 'donorName'>
  label: string
  look: string
}) {
  const words = statementWords[desk.language]
  return (
    <Act
      desk={desk}
      action={`${menu}/${entry.statementId}/entries/${entry.id}`}
      fields={{ ...about(desk, entry), do: 'assign', donation: `${match.campaignId} ${match.donationId}` }}
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
  change,
  label
}: {
  desk: Desk
  entry: StatementEntry
  change: 'ignore' | 'unignore' | 'back'
  label: string
}) {
  return (
    <Act
      desk={desk}
      action={`${menu}/${entry.statementId}/entries/${entry.id}`}
      fields={{ ...about(desk, entry), do: change }}
      label={label}
    />
  )
}

/** What was seen when it was decided, and where to go on. */
function about(desk: Desk, { version }: StatementEntry): Record<string, string> {
  const isList = desk.params.entry === undefined
  return { version: String(version), back: isList ? hereIn(desk) : '' }
}
