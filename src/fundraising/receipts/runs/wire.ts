import { type Language, pickByLanguage } from '#platform/language.ts'
import { toAmount } from '../../money/money.ts'
import type { ReceiptCandidate } from '../issuing/eligible-payments.ts'
import type { NamePlan, RunRow } from './queries.ts'
import { type ReceiptRun, type ReceiptRunPreview, skipReasons } from './schema.ts'

/** What a run would do for the people of these names. */
export function toPreviewJson(plans: NamePlan[], { year, today }: { year: number; today: string }): ReceiptRunPreview {
  const end = `${year}-12-31`
  return {
    year,
    isOver: today > end,
    upTo: today > end ? end : today,
    receipts: plans.flatMap(({ drafts }) =>
      drafts.map(({ content, lines }) => ({
        donor: content.donor,
        kind: content.kind,
        language: content.language,
        period: content.period,
        amount: toAmount(content.amountCents),
        currency: content.currency,
        signedByHand: content.issuer.signature === null || content.issuer.taxOfficeInformedOn === null,
        donations: lines.map(toLineJson)
      }))
    ),
    leftOut: plans.flatMap(({ skipped }) =>
      skipped.map(({ reason, receiptNumber, lines }) => ({
        donor: lines.at(-1)?.donorName ?? null,
        reason,
        receiptNumber,
        amount: toAmount(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)),
        currency: lines[0]?.currency ?? '',
        donations: lines.map(toLineJson)
      }))
    )
  }
}

function toLineJson({ campaignId, id, reference, receivedOn, kind, amountCents }: ReceiptCandidate) {
  return { campaignId, id, reference, receivedOn, kind, amount: toAmount(amountCents) }
}

export function toWire(run: RunRow, language: Language): ReceiptRun {
  const { done, total, skipped, problems, version: _version, position: _position, ...plain } = run
  return {
    ...plain,
    progress: { done, total },
    skipped: skipReasons.flatMap(reason => {
      const count = skipped[reason] ?? 0
      return count === 0 ? [] : [{ reason, count }]
    }),
    problems: problems.map(({ code, message }) => ({ code, message: pickByLanguage(message, language) }))
  }
}
