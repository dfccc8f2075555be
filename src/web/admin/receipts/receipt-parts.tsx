import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { Receipt } from '#fundraising/receipts/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { GivenPart } from './given-part.tsx'

/** Menu entry of these pages. */
export const menu = '/admin/receipts'

export function StateBadge({
  context,
  receipt
}: {
  context: AdminContext
  receipt: Pick<Receipt, 'state' | 'needsWithdrawal'>
}) {
  const strings = getMessages('receipt', context.language).states
  if (receipt.state === 'withdrawn') return <span class="badge plain">{strings.withdrawn}</span>
  if (receipt.needsWithdrawal) return <span class="badge warn">{strings['needs-withdrawal']}</span>
  return <span class="badge good">{strings.issued}</span>
}

/** Lists legal data that the organisation has to fill in first. */
export function Incomplete({ context, organisation }: { context: AdminContext; organisation: Organisation }) {
  const strings = getMessages('receipt', context.language)
  return (
    <section class="card narrow" aria-labelledby="incomplete">
      <h2 id="incomplete">{strings.incomplete}</h2>
      <p>{strings.incompleteText}</p>
      <ul>
        {organisation.missingForReceipts.map(field => (
          <li key={field}>{strings.fields[field] ?? field}</li>
        ))}
      </ul>
      {context.hasRole() ? (
        <p>
          <a class="button" href="/admin/organisation">
            {strings.complete}
          </a>
        </p>
      ) : (
        <p class="muted">{strings.askAdmin}</p>
      )}
    </section>
  )
}

/** Section of the donation page: its receipts, or the form to issue one. */
export function ReceiptPart({ context, donation }: { context: AdminContext; donation: DonationWithHistory }) {
  const { language } = context
  const strings = getMessages('receipt', language)
  const { receipts = [], campaignId, id, status, history = [], receivedOn = null } = donation
  // After erasure the donor's name for a receipt is unknown.
  const isErased = (donation.erasedAt ?? null) !== null
  const canBeIssued = !isErased && status === 'TRANSFERRED' && receipts.every(({ state }) => state === 'withdrawn')
  const hasCome = history.some(one => one.status === 'TRANSFERRED')
  const year = receivedOn?.slice(0, 4)
  const fields = { campaignId: String(campaignId), donationId: id }
  return (
    <section class="card" aria-labelledby="receipt-part">
      <h2 id="receipt-part">{strings.part}</h2>
      {receipts.length === 0 ? (
        <p class="muted">
          {donation.receiptRequested === true ? strings.wanted : strings.notWanted} {hasCome ? '' : strings.notYet}
        </p>
      ) : (
        <ul class="plain-list">
          {receipts.map(receipt => (
            <li key={receipt.id}>
              <a href={`${menu}/${receipt.id}`}>{receipt.number}</a> <StateBadge context={context} receipt={receipt} />
              <span class="below">{formatDay(language, receipt.issuedOn)}</span>
            </li>
          ))}
        </ul>
      )}
      {canBeIssued ? <GivenPart context={context} donation={donation} /> : null}
      {canBeIssued && year !== undefined ? (
        <>
          <p class="muted">{strings.issueHint}</p>
          <div class="actions">
            <ActionButton
              context={context}
              action={menu}
              label={strings.issue}
              fields={{ ...fields, kind: 'single' }}
              look="small"
            />
            <ActionButton
              context={context}
              action={menu}
              label={strings.issueYear({ year })}
              fields={{ ...fields, kind: 'collective', year }}
            />
          </div>
        </>
      ) : null}
    </section>
  )
}

/** Link to the next page of a list with cursor paging. */
export function MoreLink({ context, link }: { context: AdminContext; link: string }) {
  const strings = getMessages('receipt', context.language)
  const cursor = /[?&]cursor=([\w-]{1,100})/.exec(link)?.[1]
  const { cursor: begun = '', ...filter } = context.query
  if (cursor === undefined && begun === '') return null
  return (
    <nav class="pager" aria-label={strings.list}>
      {begun === '' ? (
        <span />
      ) : (
        <a class="button quiet small" href={withQuery(menu, filter)}>
          {strings.first}
        </a>
      )}
      {cursor === undefined ? null : (
        <a class="button quiet small" href={withQuery(menu, { ...filter, cursor })}>
          {strings.next}
        </a>
      )}
    </nav>
  )
}
