import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { Refused } from '../../api.ts'
import { money } from '../../format.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import type { Desk } from '../console.ts'

/** Why something cannot be done to a donation, and where what is in the way can be dealt with. */
export interface Obstacle {
  text: string
  way?: { label: string; href: string }
}

export function ObstacleNotice({ obstacle: { text, way } }: { obstacle: Obstacle }) {
  return (
    <div class="notice bad" role="alert" tabIndex={-1} id="obstacle" data-focus autofocus>
      <p>{text}</p>
      {way === undefined ? null : (
        <p>
          <a href={way.href}>{way.label}</a>
        </p>
      )}
    </div>
  )
}

/** The receipt that holds for the donation: as long as it does, the money it certifies stays. */
export function findReceiptObstacle(desk: Desk, { receipts = [] }: DonationWithHistory): Obstacle | undefined {
  const receipt = receipts.find(({ state }) => state === 'issued')
  if (receipt === undefined) return undefined
  const words = paymentWords[desk.language]
  return {
    text: words.certified(receipt.number),
    way: { label: words.toReceipt(receipt.number), href: `/admin/receipts/${receipt.id}` }
  }
}

/** Puts a refusal of the API into words of the console. Anything that is no matter of the donation is thrown on. */
export function toObstacle(desk: Desk, error: unknown, donation: DonationWithHistory): Obstacle {
  if (!(error instanceof Refused) || ![400, 404, 409, 412, 422].includes(error.status)) throw error
  const { language, site } = desk
  const words = paymentWords[language]
  const { payments = [] } = donation
  const collection = error.message.match(/\d+/)?.[0] ?? ''
  const entry = payments.findLast(({ statementId }) => statementId !== null)
  const toEntry =
    entry === undefined ? {} : { way: { label: words.toEntry, href: entryPath(entry.statementId, entry.entryId) } }
  const toCollection = { way: { label: words.toCollection(collection), href: `/admin/collections/${collection}` } }
  switch (error.code) {
    case 'donation-has-receipt':
      return findReceiptObstacle(desk, donation) ?? { text: error.message }
    case 'payment-of-collection':
      return { text: words.collected(collection), ...toCollection }
    case 'donation-is-being-collected':
      return { text: words.isCollected(collection), ...toCollection }
    case 'payment-of-bank-entry':
      return { text: words.ofEntry, ...toEntry }
    case 'entry-is-shared':
      return { text: words.ofSharedEntry, ...toEntry }
    case 'donation-has-payments':
      return { text: words.hasPayments(money(language, site.currency, donation.amountReceived, true)) }
    case 'donation-is-over':
      return { text: words.isOver(moneyWords[language].statuses[donation.status]) }
    case 'illegal-status-change':
      return { text: `${moneyWords[language].statuses[donation.status]}. ${words.stopped}` }
    case 'changed-meanwhile':
      return { text: words.meanwhile }
    case 'nothing-to-undo':
      return { text: words.nothingToUndo }
    default:
      return { text: error.message }
  }
}

/** Where the transaction of a bank statement can be seen, and what it is assigned to. */
export function entryPath(statementId: number | null, entryId: string | null): string {
  return `/admin/statements/${statementId}/entries/${entryId}`
}
