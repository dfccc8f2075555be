import { maskedIban, number, plainDay } from '../../format.ts'
import { moneyWords } from '../../text/money.ts'
import { statementWords } from '../../text/statements.ts'
import type { Desk } from '../console.ts'
import { DonationBadge } from '../donations/donation-list.tsx'
import { Decisions } from './statement-actions.tsx'
import {
  amountOf,
  type CampaignChoice,
  differenceOf,
  donorOf,
  getExactSplit,
  type Match,
  menu,
  type StatementEntry
} from './statement-answers.ts'
import { MarkedText, ResultBadge } from './statement-parts.tsx'

/** One entry: what the bank says on one side, what it is for on the other. */
export function EntryCard({
  desk,
  entry,
  campaigns
}: {
  desk: Desk
  entry: StatementEntry
  campaigns: CampaignChoice[]
}) {
  return (
    <li class={`entry card ${entry.result}`} id={`entry-${entry.position}`}>
      <Booking desk={desk} entry={entry} />
      <div class="entry-for">
        <Found desk={desk} entry={entry} />
        <Decisions desk={desk} entry={entry} campaigns={campaigns} />
      </div>
    </li>
  )
}

export function Booking({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const { language } = desk
  const words = statementWords[language]
  const { name, iban } = entry.counterpart
  const day = entry.bookedOn ?? entry.valueOn
  const matches = entry.match === null ? entry.suggestions : entry.matches
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

/** The donations, or the best guess; and why it is not simply booked. */
function Found({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  const parts = getExactSplit(entry).map(part => ({ ...part, difference: 0 }))
  const guessed = entry.result !== 'suggested' ? [] : parts.length > 0 ? parts : entry.suggestions.slice(0, 1)
  const shown = entry.matches.length > 0 ? entry.matches : guessed
  const [first] = shown
  const isSaid = entry.reason !== null && !(first !== undefined && waysSaid.includes(entry.reason.code))
  return (
    <>
      <p class="entry-result">
        <ResultBadge desk={desk} result={entry.result} />
        {first === undefined ? null : <span class="faded">{words.ways[first.by]}</span>}
      </p>
      {shown.map(match => (
        <Donation key={match.donationId} desk={desk} entry={entry} match={match} isShared={shown.length > 1} />
      ))}
      <Batch desk={desk} entry={entry} />
      {isSaid ? <p class="entry-reason">{entry.reason?.message}</p> : null}
      {entry.firstSeen === null ? null : (
        <p>
          <a href={`${menu}/${entry.firstSeen.statementId}?result=all`}>{words.firstSeen}</a>
        </p>
      )}
    </>
  )
}

/** Reasons that say no more than how the donation was found, or how the amounts differ, which is said beside it. */
const waysSaid = ['typo', 'same-account', 'same-name', 'paid-less', 'paid-more']

/** The direct debits that were booked together. */
function Batch({ desk, entry }: { desk: Desk; entry: StatementEntry }) {
  const words = statementWords[desk.language]
  if (entry.collection === null) return null
  const { id, amount, collectOn } = entry.collection
  return (
    <p>
      <a href={`/admin/collections/${id}`}>{words.batch(number(desk.language, id))}</a>{' '}
      <span class="faded">
        {words.batchFor(amountOf(desk, entry.currency, amount), plainDay(desk.language, collectOn))}
      </span>
    </p>
  )
}

export function Donation({
  desk,
  entry,
  match,
  isShared = false
}: {
  desk: Desk
  entry: StatementEntry
  match: Match
  /** The entry is for several, and each has a part of it. */
  isShared?: boolean
}) {
  const { language } = desk
  const words = statementWords[language]
  const isOff = match.difference !== 0
  const isBooked = match.share !== null
  const received = isBooked ? words.received : words.receivedBefore
  const isMore = isBooked ? match.received !== entry.amount : match.received > 0
  return (
    <div class="entry-donation">
      <p class="anywhere">
        <strong>{donorOf(words, match)}</strong>{' '}
        <a class="reference" href={`/admin/donations/${match.campaignId}/${match.donationId}`}>
          {match.reference}
        </a>
      </p>
      <p class="faded anywhere">{match.campaignName}</p>
      {isShared && match.share !== null ? <p>{words.share(amountOf(desk, match.currency, match.share))}</p> : null}
      <p>
        {words.promised(amountOf(desk, match.currency, match.donationAmount))},{' '}
        {isMore && (isOff || !isBooked) ? `${received(amountOf(desk, match.currency, match.received))}, ` : null}
        <span class={isOff ? 'entry-off' : 'entry-exact'}>{differenceOf(desk, match.currency, match.difference)}</span>
      </p>
      {isBooked === (match.status === 'IN_PROCESS') ? (
        <p>
          <DonationBadge status={match.status} label={moneyWords[language].statuses[match.status]} />
        </p>
      ) : null}
    </div>
  )
}
