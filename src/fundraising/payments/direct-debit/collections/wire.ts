import type { Language, Text } from '#platform/language.ts'
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
  return { code, message: warnings[code][language], count, references }
}

/** Each sentence works for one donation and for many. */
const warnings: Record<WarningCode, Text> = {
  'account-erased': {
    en: 'Left out: the donor was erased, and the account with them.',
    de: 'Ausgelassen: Die spendende Person wurde gelöscht, ihr Konto damit auch.'
  },
  'account-invalid': {
    en: 'Left out: the IBAN of the donor is not valid.',
    de: 'Ausgelassen: Die IBAN der spendenden Person ist ungültig.'
  },
  'campaign-account': {
    en: 'Left out: the campaign has no valid account in euros in the European Economic Area.',
    de: 'Ausgelassen: Die Kampagne hat kein gültiges Konto in Euro im Europäischen Wirtschaftsraum.'
  },
  'campaign-deleted': {
    en: 'Left out: the campaign was deleted.',
    de: 'Ausgelassen: Die Kampagne wurde gelöscht.'
  },
  'waiting-for-review': {
    en: 'Left out: the donation waits until a treasurer has released it.',
    de: 'Ausgelassen: Die Spende wartet darauf, dass die Kassenführung sie freigibt.'
  },
  'mandate-expired': {
    en: 'Left out: the mandate is older than 36 months and was never used, so it is void.',
    de: 'Ausgelassen: Das Mandat ist älter als 36 Monate und wurde nie genutzt, also erloschen.'
  },
  'creditor-changed': {
    en: 'Left out: the mandate was given to another creditor identifier.',
    de: 'Ausgelassen: Das Mandat wurde für eine andere Gläubiger-Identifikationsnummer erteilt.'
  },
  'mandate-revoked': {
    en: 'Left out: the mandate was taken back.',
    de: 'Ausgelassen: Das Mandat wurde widerrufen.'
  },
  'no-mandate': {
    en: 'Left out: there is no mandate.',
    de: 'Ausgelassen: Es gibt kein Mandat.'
  },
  'not-in-process': {
    en: 'Left out: the donation does not wait for money any more.',
    de: 'Ausgelassen: Die Spende wartet nicht mehr auf Geld.'
  },
  'in-collection': {
    en: 'Left out: the donation is in a collection already.',
    de: 'Ausgelassen: Die Spende gehört schon zu einem Einzug.'
  },
  'not-found': {
    en: 'Left out: there is no such donation.',
    de: 'Ausgelassen: Diese Spende gibt es nicht.'
  },
  'too-many': {
    en: 'Left for the next collection: a file has room for 5,000 donations.',
    de: 'Bleibt für den nächsten Einzug: Eine Datei fasst 5.000 Spenden.'
  },
  'not-told': {
    en: 'No e-mail about the day, because there is no address or no mail server is set. Tell these donors in another way; the day also stands on the page of their donation.',
    de: 'Keine Ankündigung per E-Mail, weil eine Adresse fehlt oder kein Mailserver eingerichtet ist. Teilen Sie den Tag auf anderem Weg mit; er steht auch auf der Seite der Spende.'
  },
  'out-of-date': {
    en: 'Something happened to donations since the file was made. Cancel this collection and make a new one, so that nobody pays twice.',
    de: 'Seit die Datei erstellt wurde, ist mit Spenden darin etwas geschehen. Stornieren Sie diesen Einzug und erstellen Sie einen neuen, damit niemand doppelt zahlt.'
  }
}
