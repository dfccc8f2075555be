import { type Language, pickByLanguage, type Text } from '#platform/language.ts'
import { toAmount } from '../../../money/money.ts'
import type { CollectionItemRow } from './item-queries.ts'
import type { CollectionRow, Preview, SkippedDonations, StoredBlock } from './queries.ts'
import {
  type CollectedDonation,
  type Collection,
  type CollectionPreview,
  nextCollectionStatuses,
  type Warning,
  type WarningCode
} from './schema.ts'

/** `changed` are references of donations that changed since the file was created. */
export function toWire(row: CollectionRow, language: Language, changed: string[] = []): Collection {
  const warnings = [
    ...toOutOfDateWarning(changed),
    ...row.skipped,
    ...toNotNotifiedWarning(row.count - row.notifiedCount)
  ]
  return {
    id: row.id,
    status: row.status,
    nextStatuses: [...nextCollectionStatuses[row.status]],
    collectOn: row.collectOn,
    count: row.count,
    amount: toAmount(row.amountCents),
    currency: 'EUR',
    messageId: row.messageId,
    batchBooking: row.batchBooking,
    blocks: row.blocks.map(toBlockJson),
    warnings: warnings.map(one => toWarning(language, one)),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    by: row.actor
  }
}

export function toPreviewJson(
  { blocks, skipped, notNotifiedCount, earliestOn }: Preview,
  language: Language
): CollectionPreview {
  return {
    count: blocks.reduce((sum, { count }) => sum + count, 0),
    amount: toAmount(blocks.reduce((sum, { amountCents }) => sum + amountCents, 0)),
    currency: 'EUR',
    earliestOn,
    blocks: blocks.map(toBlockJson),
    warnings: [...skipped, ...toNotNotifiedWarning(notNotifiedCount)].map(one => toWarning(language, one))
  }
}

export function toItemJson({ amountCents, ...row }: CollectionItemRow): CollectedDonation {
  return { ...row, amount: toAmount(amountCents) }
}

/** Collections from before one-off mandates have no sequence type: it was RCUR. */
const toBlockJson = ({ account, sequenceType = 'RCUR', count, amountCents }: StoredBlock) => ({
  account,
  sequenceType,
  count,
  amount: toAmount(amountCents)
})

const toNotNotifiedWarning = (count: number): SkippedDonations[] =>
  count === 0 ? [] : [{ code: 'not-told', count, references: [] }]

const toOutOfDateWarning = (references: string[]): SkippedDonations[] =>
  references.length === 0
    ? []
    : [{ code: 'out-of-date', count: references.length, references: references.slice(0, 20) }]

function toWarning(language: Language, { code, count, references }: SkippedDonations): Warning {
  return { code, message: pickByLanguage(warnings[code], language), count, references }
}

/** Each sentence works for one donation and for many. */
const warnings: Record<WarningCode, Text> = {
  'account-erased': {
    en: 'Skipped: the personal data of the donor was erased, including the account.',
    de: 'Ausgelassen: Die Personendaten wurden gelöscht, auch das Konto.'
  },
  'account-invalid': {
    en: 'Skipped: the IBAN of the donor is not valid.',
    de: 'Ausgelassen: Die IBAN der Spenderin oder des Spenders ist ungültig.'
  },
  'campaign-account': {
    en: 'Skipped: the campaign has no valid account in euros in the European Economic Area.',
    de: 'Ausgelassen: Die Spendenaktion hat kein gültiges Konto in Euro im Europäischen Wirtschaftsraum.'
  },
  'campaign-deleted': {
    en: 'Skipped: the campaign was deleted.',
    de: 'Ausgelassen: Die Spendenaktion wurde gelöscht.'
  },
  'waiting-for-review': {
    en: 'Skipped: the donation is held for review.',
    de: 'Ausgelassen: Die Spende muss erst freigegeben werden.'
  },
  'mandate-expired': {
    en: 'Skipped: the mandate has expired (not used for 36 months).',
    de: 'Ausgelassen: Das Mandat ist erloschen (36 Monate nicht genutzt).'
  },
  'creditor-changed': {
    en: 'Skipped: the mandate was given to another creditor identifier.',
    de: 'Ausgelassen: Das Mandat wurde für eine andere Gläubiger-Identifikationsnummer erteilt.'
  },
  'mandate-revoked': {
    en: 'Skipped: the mandate was revoked.',
    de: 'Ausgelassen: Das Mandat wurde widerrufen.'
  },
  'no-mandate': {
    en: 'Skipped: there is no mandate.',
    de: 'Ausgelassen: Es gibt kein Mandat.'
  },
  'not-in-process': {
    en: 'Skipped: the donation is no longer pending.',
    de: 'Ausgelassen: Die Spende ist nicht mehr im Status „Zugesagt“.'
  },
  'in-collection': {
    en: 'Skipped: the donation is already in a direct debit batch.',
    de: 'Ausgelassen: Die Spende gehört schon zu einem Einzug.'
  },
  'not-found': {
    en: 'Skipped: donation not found.',
    de: 'Ausgelassen: Spende nicht gefunden.'
  },
  'too-many': {
    en: 'Left for the next batch: a file can contain 5,000 donations.',
    de: 'Bleibt für den nächsten Einzug: Eine Datei fasst 5.000 Spenden.'
  },
  'not-told': {
    en: 'No pre-notification by email, because there is no address or SMTP is not configured. Notify these donors in another way; the collection date is also shown on the page of their donation.',
    de: 'Keine Ankündigung per E-Mail, weil eine Adresse fehlt oder kein Mailserver eingerichtet ist. Teilen Sie das Einzugsdatum auf anderem Weg mit; es wird auch auf der Seite der Spende angezeigt.'
  },
  'out-of-date': {
    en: 'Donations have changed since the file was created. Cancel this batch and create a new one, so that no donor is debited twice.',
    de: 'Seit die Datei erstellt wurde, haben sich Spenden darin geändert. Stornieren Sie diesen Einzug und erstellen Sie einen neuen, damit niemand doppelt zahlt.'
  }
}
