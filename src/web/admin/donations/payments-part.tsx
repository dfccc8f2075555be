import type { Payment } from '#fundraising/donations/payments/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDate, formatMoney } from '../../format/format.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'
import { type Column, Table } from '../shared/table.tsx'
import type { DonationDetails } from './donation-details.ts'
import { getDonationPath, getStepPath } from './links/paths.ts'
import { getStatementEntryPath } from './obstacle.tsx'
import { PaymentForm, preparePayment } from './payment-form.tsx'
import { findReturnObstacle } from './payment-return.tsx'

/** Payments and refunds of a donation, with the forms to record more. */
export function PaymentsPart({ context, shown }: { context: AdminContext; shown: DonationDetails }) {
  const strings = getMessages('payment', context.language)
  const { donation } = shown
  const { payments = [], status, amountReceived } = donation
  const isOpen = status === 'IN_PROCESS' || status === 'TRANSFERRED'
  const canGoBack = isOpen && findReturnObstacle(context, donation) === undefined
  return (
    <section class="card payments" aria-labelledby="payments">
      <h2 id="payments">{strings.card}</h2>
      {payments.length === 0 ? <p class="muted">{strings.none}</p> : <PaymentTable context={context} shown={shown} />}
      {payments.some(({ isAssumed }) => isAssumed) ? <p class="hint">{strings.assumed}</p> : null}
      {isOpen && amountReceived > 0 ? (
        <details class="step-form">
          <summary>{strings.recordMore}</summary>
          <PaymentForm context={context} shown={shown} typed={preparePayment(context, shown, '')} />
        </details>
      ) : null}
      {canGoBack ? (
        <p>
          <a href={getStepPath(donation, 'REFUNDED', '')}>{strings.goBack}</a>
        </p>
      ) : null}
    </section>
  )
}

function PaymentTable({ context, shown }: { context: AdminContext; shown: DonationDetails }) {
  const { language } = context
  const strings = getMessages('payment', language)
  const { donation, campaign } = shown
  const { payments = [], receipts = [] } = donation
  const sum = (amount: number) => formatMoney(language, campaign.currency, amount, true)
  const hasReceipts = payments.some(({ receiptId }) => receiptId !== null)
  const hasRemovable = payments.some(isRemovable)
  const columns: Column<Payment>[] = [
    {
      label: strings.day,
      isHead: true,
      cell: ({ receivedOn }) => <time dateTime={receivedOn}>{formatDate(language, receivedOn)}</time>
    },
    {
      label: strings.amount,
      isNumber: true,
      cell: ({ amount, amountReturned }) => (
        <>
          {sum(amount)}
          {amount < 0 ? <span class="below">{strings.wentBack}</span> : null}
          {amountReturned > 0 ? (
            <span class="below">
              {amountReturned === amount ? strings.wentBack : strings.wentBackPart({ amount: sum(amountReturned) })}
            </span>
          ) : null}
        </>
      )
    },
    { label: strings.source, isNamed: true, cell: payment => <Source context={context} payment={payment} /> },
    {
      label: strings.recordedBy,
      isNamed: true,
      cell: ({ recordedBy }) => <span class="anywhere">{formatActor(language, recordedBy)}</span>
    },
    ...(hasReceipts
      ? [
          {
            label: strings.receipt,
            isNamed: true,
            cell: ({ receiptId }: Payment) =>
              receiptId === null ? null : (
                <a href={`/admin/receipts/${receiptId}`}>
                  {receipts.find(({ id }) => id === receiptId)?.number ?? strings.receipt}
                </a>
              )
          }
        ]
      : []),
    ...(hasRemovable
      ? [
          {
            label: <span class="visually-hidden">{strings.remove}</span>,
            cell: (payment: Payment) =>
              isRemovable(payment) ? (
                <a
                  href={`${getDonationPath(donation)}/payments/${payment.id}/remove`}
                  aria-label={strings.removeOf({
                    amount: sum(payment.amount),
                    day: formatDate(language, payment.receivedOn)
                  })}
                >
                  {strings.remove}
                </a>
              ) : null
          }
        ]
      : [])
  ]
  return <Table context={context} caption={strings.caption} columns={columns} rows={payments} empty={null} />
}

/** Payments from a statement or collection are reverted there; those certified by a receipt cannot be reverted. */
function isRemovable({ statementId, collectionId, receiptId }: Payment): boolean {
  return statementId === null && collectionId === null && receiptId === null
}

function Source({ context, payment }: { context: AdminContext; payment: Payment }) {
  const { source, statementId, entryId, collectionId } = payment
  const label = getMessages('payment', context.language).sources[source]
  if (statementId !== null && entryId !== null) return <a href={getStatementEntryPath(statementId, entryId)}>{label}</a>
  if (collectionId !== null) return <a href={`/admin/collections/${collectionId}`}>{label}</a>
  return <>{label}</>
}
