import { getMessages } from '#platform/messages/messages.ts'
import { formatDate, formatDateTime, formatMoney } from '../../format/format.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton, Form } from '../shared/form.tsx'
import { toCents } from '../shared/parse-amount.ts'
import type { DonationDetails } from './donation-details.ts'
import { releasePath } from './donation-list.tsx'
import { formatDifference, getMissingCents } from './donation-money.ts'
import { getDonationPath, getStepPath } from './links/paths.ts'
import { parseVersion } from './links/selection.ts'
import { findReceiptObstacle } from './obstacle.tsx'
import { PaymentForm, preparePayment } from './payment-form.tsx'
import { formatUndo, undoPath } from './undo.ts'

type Part = { context: AdminContext; shown: DonationDetails }

/** Possible next status changes of a donation, and undo of the latest one. */
export function NextSteps({ context, shown }: Part) {
  const { donation } = shown
  const isPart = donation.status === 'IN_PROCESS' && donation.amountReceived > 0
  return (
    <div class="next-steps">
      <DifferenceHint context={context} shown={shown} />
      {isPart ? <AcceptStep context={context} shown={shown} /> : <StatusSteps context={context} shown={shown} />}
      <UndoStep context={context} shown={shown} />
    </div>
  )
}

/** Describes a payment above or below the promised amount. */
function DifferenceHint({ context, shown: { donation, campaign } }: Part) {
  const { language } = context
  const strings = getMessages('payment', language)
  const sum = (amount: number) => formatMoney(language, campaign.currency, amount, true)
  if (donation.amountReceived === 0 || formatDifference(context, campaign.currency, donation) === undefined) return null
  const missing = getMissingCents(donation) / 100
  if (missing < 0) return <p class="notice warn">{strings.moreHint({ more: sum(-missing) })}</p>
  if (donation.status === 'IN_PROCESS') return <p class="notice warn">{strings.waitHint({ missing: sum(missing) })}</p>
  const backCents = (donation.payments ?? []).reduce((all, { amountReturned }) => all + toCents(amountReturned), 0)
  return (
    <p class="hint">
      {backCents > 0
        ? strings.returnedHint({ back: sum(backCents / 100), left: sum(donation.amountReceived) })
        : strings.lessHint({ received: sum(donation.amountReceived), promised: sum(donation.amount) })}
    </p>
  )
}

function AcceptStep({ context, shown: { donation, campaign, etag } }: Part) {
  const { language } = context
  const sum = (amount: number) => formatMoney(language, campaign.currency, amount, true)
  return (
    <div class="actions">
      <ActionButton
        context={context}
        action={`${getDonationPath(donation)}/accept`}
        fields={{ etag }}
        label={getMessages('payment', language).accept({
          received: sum(donation.amountReceived),
          promised: sum(donation.amount)
        })}
        look=""
      />
    </div>
  )
}

/** “Received” opens a small form; changes that reduce the totals ask for confirmation. */
function StatusSteps({ context, shown }: Part) {
  const { donation } = shown
  const { page: strings, steps } = getMessages('donation', context.language)
  const next = donation.nextStatuses ?? []
  const isWaiting = donation.review === 'waiting'
  const receipt = donation.status === 'TRANSFERRED' ? findReceiptObstacle(context, donation) : undefined
  if (next.length === 0) return <p class="muted">{strings.final}</p>
  if (receipt !== undefined) {
    return (
      <p class="notice">
        {receipt.text} {receipt.link === undefined ? null : <a href={receipt.link.href}>{receipt.link.label}</a>}
      </p>
    )
  }
  return (
    <fieldset class="actions">
      <legend class="visually-hidden">{strings.next}</legend>
      {isWaiting ? (
        <Form context={context} action={releasePath} class="act">
          <input type="hidden" name="page" value="donation" />
          <button type="submit" name="release" value={`${donation.campaignId} ${donation.id}`}>
            {getMessages('abuse-protection', context.language).review.release}
          </button>
        </Form>
      ) : null}
      {next.includes('TRANSFERRED') ? (
        <details class="step-form">
          <summary class={isWaiting ? 'button quiet' : 'button'}>{steps.TRANSFERRED}</summary>
          <PaymentForm context={context} shown={shown} typed={preparePayment(context, shown, '')} />
        </details>
      ) : null}
      {next
        .filter(status => status !== 'TRANSFERRED')
        .map(status => (
          <a key={status} class="button quiet" href={getStepPath(donation, status, '')}>
            {steps[status]}
          </a>
        ))}
    </fieldset>
  )
}

/** Undo of the latest status change, while nothing depends on it. */
function UndoStep({ context, shown: { donation, campaign, etag } }: Part) {
  const { language, site } = context
  const strings = getMessages('payment', language)
  const { status, payments = [], history = [], campaignId, id } = donation
  const change = history.at(-1)
  const version = parseVersion(etag)
  if (status === 'IN_PROCESS' || change === undefined || version === undefined) return null
  const isReceived = status === 'TRANSFERRED'
  if (isReceived && findReceiptObstacle(context, donation) !== undefined) return null
  const collected = isReceived ? payments.find(({ collectionId }) => collectionId !== null) : undefined
  if (collected !== undefined) {
    const batch = String(collected.collectionId)
    return (
      <p class="hint">
        {strings.collected({ id: batch })}{' '}
        <a href={`/admin/collections/${batch}`}>{strings.toCollection({ id: batch })}</a>
      </p>
    )
  }
  const later = payments.findLast(({ recordedAt }) => Date.parse(recordedAt) > Date.parse(change.at))
  if (later !== undefined) {
    const amount = formatMoney(language, campaign.currency, later.amount, true)
    return <p class="hint">{strings.laterPayment({ amount, day: formatDate(language, later.receivedOn) })}</p>
  }
  const isOfBank = payments.some(
    ({ statementId, recordedAt }) => statementId !== null && Date.parse(recordedAt) === Date.parse(change.at)
  )
  const label = getMessages('donation', language).statuses[status]
  const at = formatDateTime(language, change.at, site.timezone)
  return (
    <div class="undo-step">
      <ActionButton
        context={context}
        action={undoPath}
        fields={{ changes: formatUndo([{ campaignId, id, version }]) }}
        label={strings.undo({ status: label })}
        look="small quiet"
      />
      <p class="hint">
        {strings.undoHint({ status: label, at, who: formatActor(language, change.actor) })}{' '}
        {isOfBank ? strings.undoBank : null}
      </p>
    </div>
  )
}
