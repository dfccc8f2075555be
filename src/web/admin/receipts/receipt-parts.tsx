import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { Receipt } from '#fundraising/receipts/schema.ts'
import { withQuery } from '../../api.ts'
import { plainDay } from '../../format.ts'
import { receiptWords } from '../../text/receipts.ts'
import type { Desk } from '../console.ts'
import { Act } from '../form.tsx'
import { GivenPart } from './given-part.tsx'

/** The entry of the menu that all of these pages belong to. */
export const menu = '/admin/receipts'

export function StateBadge({ desk, receipt }: { desk: Desk; receipt: Pick<Receipt, 'state' | 'needsWithdrawal'> }) {
  const words = receiptWords[desk.language].states
  if (receipt.state === 'withdrawn') return <span class="badge plain">{words.withdrawn}</span>
  if (receipt.needsWithdrawal) return <span class="badge warn">{words['needs-withdrawal']}</span>
  return <span class="badge good">{words.issued}</span>
}

/** What the organisation has to say of itself first. */
export function Incomplete({ desk, organisation }: { desk: Desk; organisation: Organisation }) {
  const words = receiptWords[desk.language]
  return (
    <section class="card narrow" aria-labelledby="incomplete">
      <h2 id="incomplete">{words.incomplete}</h2>
      <p>{words.incompleteText}</p>
      <ul>
        {organisation.missingForReceipts.map(field => (
          <li key={field}>{words.fields[field] ?? field}</li>
        ))}
      </ul>
      {desk.may() ? (
        <p>
          <a class="button" href="/admin/organisation">
            {words.complete}
          </a>
        </p>
      ) : (
        <p class="faded">{words.askAdmin}</p>
      )}
    </section>
  )
}

/** Beside a donation: its receipts, or the way to one. */
export function ReceiptPart({ desk, donation }: { desk: Desk; donation: DonationWithHistory }) {
  const { language } = desk
  const words = receiptWords[language]
  const { receipts = [], campaignId, id, status, history = [], receivedOn = null } = donation
  // Nobody knows any more in whose name one would be.
  const isErased = (donation.erasedAt ?? null) !== null
  const canBeIssued = !isErased && status === 'TRANSFERRED' && receipts.every(({ state }) => state === 'withdrawn')
  const hasCome = history.some(one => one.status === 'TRANSFERRED')
  const year = receivedOn?.slice(0, 4)
  const fields = { campaignId: String(campaignId), donationId: id }
  return (
    <section class="card" aria-labelledby="receipt-part">
      <h2 id="receipt-part">{words.part}</h2>
      {receipts.length === 0 ? (
        <p class="faded">
          {donation.receiptRequested === true ? words.wanted : words.notWanted} {hasCome ? '' : words.notYet}
        </p>
      ) : (
        <ul class="plain-list">
          {receipts.map(receipt => (
            <li key={receipt.id}>
              <a href={`${menu}/${receipt.id}`}>{receipt.number}</a> <StateBadge desk={desk} receipt={receipt} />
              <span class="below">{plainDay(language, receipt.issuedOn)}</span>
            </li>
          ))}
        </ul>
      )}
      {canBeIssued ? <GivenPart desk={desk} donation={donation} /> : null}
      {canBeIssued && year !== undefined ? (
        <>
          <p class="faded">{words.issueHint}</p>
          <div class="actions">
            <Act desk={desk} action={menu} label={words.issue} fields={{ ...fields, kind: 'single' }} look="small" />
            <Act
              desk={desk}
              action={menu}
              label={words.issueYear(year)}
              fields={{ ...fields, kind: 'collective', year }}
            />
          </div>
        </>
      ) : null}
    </section>
  )
}

/** The way on in a list that is read from a place on. */
export function More({ desk, link }: { desk: Desk; link: string }) {
  const words = receiptWords[desk.language]
  const cursor = /[?&]cursor=([\w-]{1,100})/.exec(link)?.[1]
  const { cursor: begun = '', ...filter } = desk.query
  if (cursor === undefined && begun === '') return null
  return (
    <nav class="pager" aria-label={words.list}>
      {begun === '' ? (
        <span />
      ) : (
        <a class="button quiet small" href={withQuery(menu, filter)}>
          {words.first}
        </a>
      )}
      {cursor === undefined ? null : (
        <a class="button quiet small" href={withQuery(menu, { ...filter, cursor })}>
          {words.next}
        </a>
      )}
    </nav>
  )
}
