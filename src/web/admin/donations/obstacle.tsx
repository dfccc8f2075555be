import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney } from '../../format/format.ts'
import { ApiError } from '../../server/api-client.ts'
import type { AdminContext } from '../shared/context.ts'

/** Why an action on a donation is impossible, with a link to where the obstacle can be removed. */
export interface Obstacle {
  text: string
  link?: { label: string; href: string }
}

export function ObstacleNotice({ obstacle: { text, link } }: { obstacle: Obstacle }) {
  return (
    <div class="notice bad" role="alert" tabIndex={-1} id="obstacle" data-focus autofocus>
      <p>{text}</p>
      {link === undefined ? null : (
        <p>
          <a href={link.href}>{link.label}</a>
        </p>
      )}
    </div>
  )
}

/** The valid receipt of the donation: while it is valid, the payments it certifies cannot be changed. */
export function findReceiptObstacle(
  context: AdminContext,
  { receipts = [] }: DonationWithHistory
): Obstacle | undefined {
  const receipt = receipts.find(({ state }) => state === 'issued')
  if (receipt === undefined) return undefined
  const strings = getMessages('payment', context.language)
  return {
    text: strings.certified({ number: receipt.number }),
    link: { label: strings.toReceipt({ number: receipt.number }), href: `/admin/receipts/${receipt.id}` }
  }
}

/** Turns an API error into an obstacle. Rethrows errors that do not concern the donation. */
export function toObstacle(context: AdminContext, error: unknown, donation: DonationWithHistory): Obstacle {
  if (!(error instanceof ApiError) || ![400, 404, 409, 412, 422].includes(error.status)) throw error
  const { language, site } = context
  const strings = getMessages('payment', language)
  const { payments = [] } = donation
  const collection = error.message.match(/\d+/)?.[0] ?? ''
  const entry = payments.findLast(({ statementId }) => statementId !== null)
  const toEntry =
    entry === undefined
      ? {}
      : { link: { label: strings.toEntry, href: getStatementEntryPath(entry.statementId, entry.entryId) } }
  const toCollection = {
    link: { label: strings.toCollection({ id: collection }), href: `/admin/collections/${collection}` }
  }
  switch (error.code) {
    case 'donation-has-receipt':
      return findReceiptObstacle(context, donation) ?? { text: error.message }
    case 'payment-of-collection':
      return { text: strings.collected({ id: collection }), ...toCollection }
    case 'donation-is-being-collected':
      return { text: strings.isCollected({ id: collection }), ...toCollection }
    case 'payment-of-bank-entry':
      return { text: strings.ofEntry, ...toEntry }
    case 'entry-is-shared':
      return { text: strings.ofSharedEntry, ...toEntry }
    case 'donation-has-payments':
      return {
        text: strings.hasPayments({ received: formatMoney(language, site.currency, donation.amountReceived, true) })
      }
    case 'donation-is-over':
      return { text: strings.isOver({ status: getMessages('donation', language).statuses[donation.status] }) }
    case 'illegal-status-change':
      return { text: `${getMessages('donation', language).statuses[donation.status]}. ${strings.stopped}` }
    case 'changed-meanwhile':
      return { text: strings.meanwhile }
    case 'nothing-to-undo':
      return { text: strings.nothingToUndo }
    default:
      return { text: error.message }
  }
}

/** Page of the bank transaction and of the donations it is assigned to. */
export function getStatementEntryPath(statementId: number | null, entryId: string | null): string {
  return `/admin/statements/${statementId}/entries/${entryId}`
}
