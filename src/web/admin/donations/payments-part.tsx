import type { Payment } from '#fundraising/payments/schema.ts'
import { formatDate, money } from '../../format.ts'
import { paymentWords } from '../../text/payments.ts'
import type { Desk } from '../console.ts'
import { actorOf } from '../site/activity-words.ts'
import { type Column, Table } from '../table.tsx'
import { getDonationPath, getStepPath } from './addresses.ts'
import { entryPath } from './obstacle.tsx'
import { PaymentForm, preparePayment } from './payment-form.tsx'
import { findReturnObstacle } from './payment-return.tsx'
import type { Shown } from './shown.ts'

/** Everything that came for a donation and went back, and the ways to record more of it. */
export function PaymentsPart({ desk, shown }: { desk: Desk; shown: Shown }) {
  const words = paymentWords[desk.language]
  const { donation } = shown
  const { payments = [], status, amountReceived } = donation
  const isOpen = status === 'IN_PROCESS' || status === 'TRANSFERRED'
  const canGoBack = isOpen && findReturnObstacle(desk, donation) === undefined
  return (
    <section class="card payments" aria-labelledby="payments">
      <h2 id="payments">{words.card}</h2>
      {payments.length === 0 ? <p class="faded">{words.none}</p> : <PaymentTable desk={desk} shown={shown} />}
      {payments.some(({ isAssumed }) => isAssumed) ? <p class="hint">{words.assumed}</p> : null}
      {isOpen && amountReceived > 0 ? (
        <details class="step-form">
          <summary>{words.recordMore}</summary>
          <PaymentForm desk={desk} shown={shown} typed={preparePayment(desk, shown, '')} />
        </details>
      ) : null}
      {canGoBack ? (
        <p>
          <a href={getStepPath(donation, 'REFUNDED', '')}>{words.goBack}</a>
        </p>
      ) : null}
    </section>
  )
}

function PaymentTable({ desk, shown }: { desk: Desk; shown: Shown }) {
  const { language } = desk
  const words = paymentWords[language]
  const { donation, campaign } = shown
  const { payments = [], receipts = [] } = donation
  const sum = (amount: number) => money(language, campaign.currency, amount, true)
  const hasReceipts = payments.some(({ receiptId }) => receiptId !== null)
  const hasRemovable = payments.some(isRemovable)
  const columns: Column<Payment>[] = [
    {
      label: words.day,
      isHead: true,
      cell: ({ receivedOn }) => <time dateTime={receivedOn}>{formatDate(language, receivedOn)}</time>
    },
    {
      label: words.amount,
      isNumber: true,
      cell: ({ amount, amountReturned }) => (
        <>
          {sum(amount)}
          {amount < 0 ? <span class="below">{words.wentBack}</span> : null}
          {amountReturned > 0 ? (
            <span class="below">
              {amountReturned === amount ? words.wentBack : words.wentBackPart(sum(amountReturned))}
            </span>
          ) : null}
        </>
      )
    },
    { label: words.source, isNamed: true, cell: payment => <Source desk={desk} payment={payment} /> },
    {
      label: words.recordedBy,
      isNamed: true,
      cell: ({ recordedBy }) => <span class="anywhere">{actorOf(language, recordedBy)}</span>
    },
    ...(hasReceipts
      ? [
          {
            label: words.receipt,
            isNamed: true,
            cell: ({ receiptId }: Payment) =>
              receiptId === null ? null : (
                <a href={`/admin/receipts/${receiptId}`}>
                  {receipts.find(({ id }) => id === receiptId)?.number ?? words.receipt}
                </a>
              )
          }
        ]
      : []),
    ...(hasRemovable
      ? [
          {
            label: <span class="visually-hidden">{words.remove}</span>,
            cell: (payment: Payment) =>
              isRemovable(payment) ? (
                <a
                  href={`${getDonationPath(donation)}/payments/${payment.id}/remove`}
                  aria-label={words.removeOf(sum(payment.amount), formatDate(language, payment.receivedOn))}
                >
                  {words.remove}
                </a>
              ) : null
          }
        ]
      : [])
  ]
  return <Table desk={desk} caption={words.caption} columns={columns} rows={payments} empty={null} />
}

/** What came from a bank statement or a collection is taken back there, and what a receipt certifies not at all. */
function isRemovable({ statementId, collectionId, receiptId }: Payment): boolean {
  return statementId === null && collectionId === null && receiptId === null
}

function Source({ desk, payment }: { desk: Desk; payment: Payment }) {
  const { source, statementId, entryId, collectionId } = payment
  const label = paymentWords[desk.language].sources[source]
  if (statementId !== null && entryId !== null) return <a href={entryPath(statementId, entryId)}>{label}</a>
  if (collectionId !== null) return <a href={`/admin/collections/${collectionId}`}>{label}</a>
  return <>{label}</>
}
