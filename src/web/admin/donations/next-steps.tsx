import { formatDate, money, shortMoment } from '../../format.ts'
import { guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import { paymentWords } from '../../text/payments.ts'
import type { Desk } from '../console.ts'
import { Act, Form } from '../form.tsx'
import { actorOf } from '../site/activity-words.ts'
import { toCents } from '../typed-amount.ts'
import { getDonationPath, getStepPath } from './addresses.ts'
import { parseVersion } from './chosen.ts'
import { releasePath } from './donation-list.tsx'
import { formatDifference, getMissingCents } from './donation-money.ts'
import { findReceiptObstacle } from './obstacle.tsx'
import { PaymentForm, preparePayment } from './payment-form.tsx'
import type { Shown } from './shown.ts'
import { formatUndo, undoPath } from './undo.ts'

type Part = { desk: Desk; shown: Shown }

/** What can be done next with a donation, and how its newest change is undone. */
export function NextSteps({ desk, shown }: Part) {
  const { donation } = shown
  const isPart = donation.status === 'IN_PROCESS' && donation.amountReceived > 0
  return (
    <div class="next-steps">
      <DifferenceHint desk={desk} shown={shown} />
      {isPart ? <AcceptStep desk={desk} shown={shown} /> : <StatusSteps desk={desk} shown={shown} />}
      <UndoStep desk={desk} shown={shown} />
    </div>
  )
}

/** Less or more than was promised, said in words. */
function DifferenceHint({ desk, shown: { donation, campaign } }: Part) {
  const { language } = desk
  const words = paymentWords[language]
  const sum = (amount: number) => money(language, campaign.currency, amount, true)
  if (donation.amountReceived === 0 || formatDifference(desk, campaign.currency, donation) === undefined) return null
  const missing = getMissingCents(donation) / 100
  if (missing < 0) return <p class="notice warn">{words.moreHint(sum(-missing))}</p>
  if (donation.status === 'IN_PROCESS') return <p class="notice warn">{words.waitHint(sum(missing))}</p>
  const backCents = (donation.payments ?? []).reduce((all, { amountReturned }) => all + toCents(amountReturned), 0)
  return (
    <p class="hint">
      {backCents > 0
        ? words.returnedHint(sum(backCents / 100), sum(donation.amountReceived))
        : words.lessHint(sum(donation.amountReceived), sum(donation.amount))}
    </p>
  )
}

function AcceptStep({ desk, shown: { donation, campaign, etag } }: Part) {
  const { language } = desk
  const sum = (amount: number) => money(language, campaign.currency, amount, true)
  return (
    <div class="actions">
      <Act
        desk={desk}
        action={`${getDonationPath(donation)}/accept`}
        fields={{ etag }}
        label={paymentWords[language].accept(sum(donation.amountReceived), sum(donation.amount))}
        look=""
      />
    </div>
  )
}

/** Received opens the small form; what takes the donation out of the sums asks first. */
function StatusSteps({ desk, shown }: Part) {
  const { donation } = shown
  const { page: words, steps } = moneyWords[desk.language]
  const next = donation.nextStatuses ?? []
  const isWaiting = donation.review === 'waiting'
  const receipt = donation.status === 'TRANSFERRED' ? findReceiptObstacle(desk, donation) : undefined
  if (next.length === 0) return <p class="faded">{words.final}</p>
  if (receipt !== undefined) {
    return (
      <p class="notice">
        {receipt.text} {receipt.way === undefined ? null : <a href={receipt.way.href}>{receipt.way.label}</a>}
      </p>
    )
  }
  return (
    <fieldset class="actions">
      <legend class="visually-hidden">{words.next}</legend>
      {isWaiting ? (
        <Form desk={desk} action={releasePath} class="act">
          <input type="hidden" name="page" value="donation" />
          <button type="submit" name="release" value={`${donation.campaignId} ${donation.id}`}>
            {guardWords[desk.language].review.release}
          </button>
        </Form>
      ) : null}
      {next.includes('TRANSFERRED') ? (
        <details class="step-form">
          <summary class={isWaiting ? 'button quiet' : 'button'}>{steps.TRANSFERRED}</summary>
          <PaymentForm desk={desk} shown={shown} typed={preparePayment(desk, shown, '')} />
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

/** The newest change of status, as long as nothing is known that rests on it. */
function UndoStep({ desk, shown: { donation, campaign, etag } }: Part) {
  const { language, site } = desk
  const words = paymentWords[language]
  const { status, payments = [], history = [], campaignId, id } = donation
  const change = history.at(-1)
  const version = parseVersion(etag)
  if (status === 'IN_PROCESS' || change === undefined || version === undefined) return null
  const isReceived = status === 'TRANSFERRED'
  if (isReceived && findReceiptObstacle(desk, donation) !== undefined) return null
  const collected = isReceived ? payments.find(({ collectionId }) => collectionId !== null) : undefined
  if (collected !== undefined) {
    const batch = String(collected.collectionId)
    return (
      <p class="hint">
        {words.collected(batch)} <a href={`/admin/collections/${batch}`}>{words.toCollection(batch)}</a>
      </p>
    )
  }
  const later = payments.findLast(({ recordedAt }) => Date.parse(recordedAt) > Date.parse(change.at))
  if (later !== undefined) {
    const amount = money(language, campaign.currency, later.amount, true)
    return <p class="hint">{words.laterPayment(amount, formatDate(language, later.receivedOn))}</p>
  }
  const isOfBank = payments.some(
    ({ statementId, recordedAt }) => statementId !== null && Date.parse(recordedAt) === Date.parse(change.at)
  )
  const label = moneyWords[language].statuses[status]
  const at = shortMoment(language, change.at, site.timezone)
  return (
    <div class="undo-step">
      <Act
        desk={desk}
        action={undoPath}
        fields={{ changes: formatUndo([{ campaignId, id, version }]) }}
        label={words.undo(label)}
        look="small quiet"
      />
      <p class="hint">
        {words.undoHint(label, at, actorOf(language, change.actor))} {isOfBank ? words.undoBank : null}
      </p>
    </div>
  )
}
