import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newPayerRuleNotFoundProblem = () =>
  new Problem(404, 'payer-rule-not-found', {
    en: 'Payer rule not found.',
    de: 'Regel nicht gefunden.'
  })

export const newPayerMissingProblem = () =>
  newFieldProblem(422, '/iban', 'payer-missing', {
    en: 'Exactly one of iban and entry is required, to identify the payer.',
    de: 'Genau eines von iban und entry ist nötig, um die zahlende Person zu bestimmen.'
  })

export const newPayerHasNoIbanProblem = (pointer: '/entry' | '/remember' | '/allOfPayer') =>
  newFieldProblem(422, pointer, 'payer-without-iban', {
    en: `${pointer.slice(1)}: the transaction has no IBAN of the payer, so later payments cannot be recognised.`,
    de: `${pointer.slice(1)}: Der Umsatz hat keine IBAN der zahlenden Person; weitere Zahlungen können nicht erkannt werden.`
  })

export const newRuleCampaignMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-missing', {
    en: 'campaignId is required for the action campaign.',
    de: 'campaignId fehlt: Die Aktion campaign braucht sie.'
  })

export const newRuleCampaignNotExpectedProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-not-used', {
    en: 'campaignId must be absent for the action ignore.',
    de: 'campaignId muss bei der Aktion ignore fehlen.'
  })

export const newEntryCampaignMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-missing', {
    en: 'campaignId is required: neither a payer rule nor the remittance text names a campaign.',
    de: 'campaignId fehlt: Weder eine Regel für die zahlende Person noch der Verwendungszweck nennt eine Spendenaktion.'
  })

export const newEntryCampaignNotFoundProblem = (id: number) =>
  newFieldProblem(422, '/campaignId', 'campaign-not-found', {
    en: `campaignId: campaign ${id} does not exist or is deleted.`,
    de: `campaignId: Die Spendenaktion ${id} gibt es nicht, oder sie ist gelöscht.`
  })

export const newEntryCampaignDraftProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-is-draft', {
    en: 'campaignId must not be a draft: publish the campaign first.',
    de: 'campaignId darf kein Entwurf sein: Veröffentlichen Sie die Spendenaktion zuerst.'
  })

export const newEntryDonorNameMissingProblem = () =>
  newFieldProblem(422, '/donorName', 'donor-name-missing', {
    en: 'donorName is required: the transaction has no name.',
    de: 'donorName fehlt: Der Umsatz nennt keinen Namen.'
  })

export const newEntryOutgoingProblem = () =>
  new Problem(409, 'entry-is-outgoing', {
    en: 'The transaction is a debit; only a credit can become a donation.',
    de: 'Der Umsatz ist eine Belastung; nur eine Gutschrift kann eine Spende werden.'
  })

export const newEntryNotOpenProblem = (result: string) =>
  new Problem(409, 'entry-is-not-open', {
    en: `The transaction is ${result}. Only an unmatched or suggested one can become a new donation.`,
    de: `Der Umsatz ist ${result}. Nur ein Umsatz mit unmatched oder suggested kann eine neue Spende werden.`
  })

export const newEntryDonationAmountProblem = (cents: number) =>
  newFieldProblem(422, '/amount', 'amount-differs', {
    en: `amount must be ${toAmount(cents)}, the amount of the transaction, or absent. To divide it among several donations, split it (donations).`,
    de: `amount muss ${toAmount(cents)} sein, der Betrag des Umsatzes, oder fehlen. Für mehrere Spenden teilen Sie ihn auf (donations).`
  })

export const newEntryDonationCurrencyProblem = (currency: string, ofCampaign: string) =>
  newFieldProblem(422, '/amount', 'other-currency', {
    en: `amount is required: the transaction is in ${currency}, the campaign in ${ofCampaign}. Give the amount in ${ofCampaign}.`,
    de: `amount fehlt: Der Umsatz ist in ${currency}, die Spendenaktion rechnet in ${ofCampaign}. Geben Sie den Betrag in der Währung der Spendenaktion an.`
  })

export const newAmountForOneEntryProblem = () =>
  newFieldProblem(422, '/amount', 'amount-for-one', {
    en: 'amount must be absent with allOfPayer: each donation has the amount of its transaction.',
    de: 'amount muss bei allOfPayer fehlen: Jede Spende hat den Betrag ihres Umsatzes.'
  })

export const newTooManyPayerEntriesProblem = (most: number) =>
  newFieldProblem(422, '/allOfPayer', 'too-many', {
    en: `allOfPayer: more than ${most} open transactions of this payer. Create the donations one by one.`,
    de: `allOfPayer: Von dieser zahlenden Person sind mehr als ${most} Umsätze offen. Legen Sie die Spenden einzeln an.`
  })

export const newExtraNeedsDonationProblem = () =>
  newFieldProblem(422, '/extra', 'donation-missing', {
    en: 'extra requires donation, the donation that gets its outstanding amount.',
    de: 'extra braucht donation: die Spende, für die der ausstehende Betrag gebucht wird.'
  })

export const newNoExtraProblem = (waitsCents: number) =>
  newFieldProblem(422, '/extra', 'no-extra', {
    en: `extra: the transaction does not exceed the outstanding amount (${toAmount(waitsCents)}).`,
    de: `extra: Der Umsatz ist nicht höher als der ausstehende Betrag (${toAmount(waitsCents)}).`
  })

export const newExtraInOtherCurrencyProblem = () =>
  newFieldProblem(422, '/extra', 'other-currency', {
    en: 'extra is only possible if transaction and campaign have the same currency.',
    de: 'extra geht nur, wenn Umsatz und Spendenaktion dieselbe Währung haben.'
  })

export const newRememberNeedsIgnoredProblem = () =>
  newFieldProblem(422, '/remember', 'remember-without-ignored', {
    en: 'remember requires ignored: true.',
    de: 'remember braucht ignored: true.'
  })

export const newCollectionNotAloneProblem = () =>
  newFieldProblem(422, '/collectionId', 'collection-alone', {
    en: 'collectionId cannot be combined with other fields.',
    de: 'collectionId kann nicht mit anderen Feldern kombiniert werden.'
  })

export const newEntryCollectionNotFoundProblem = () =>
  newFieldProblem(422, '/collectionId', 'collection-not-found', {
    en: 'collectionId: direct debit batch not found.',
    de: 'collectionId: Lastschrifteinzug nicht gefunden.'
  })

export const newStatementNotFoundProblem = (id: number) =>
  new Problem(404, 'statement-not-found', {
    en: id === 0 ? 'There is no such bank statement.' : `There is no bank statement ${id}.`,
    de: id === 0 ? 'Diesen Kontoauszug gibt es nicht.' : `Den Kontoauszug ${id} gibt es nicht.`
  })

export const newEntryNotFoundProblem = () =>
  new Problem(404, 'entry-not-found', {
    en: 'Transaction not found.',
    de: 'Umsatz nicht gefunden.'
  })

export const newStatementFileMissingProblem = () =>
  newFieldProblem(400, '/file', 'required', {
    en: 'file is required: the bank statement, as a form field.',
    de: 'file fehlt: der Kontoauszug, als Feld des Formulars.'
  })

export const newInvalidMappingProblem = (columnsMax: number) =>
  newFieldProblem(400, '/mapping', 'mapping', {
    en: `mapping must be a JSON object of at most ${columnsMax} columns, each with the name of a field.`,
    de: `mapping muss ein JSON-Objekt mit höchstens ${columnsMax} Spalten sein, jede mit dem Namen eines Feldes.`
  })

export const newIgnoredAndAssignedProblem = () =>
  newFieldProblem(422, '/ignored', 'ignored-and-assigned', {
    en: 'ignored must be false or absent if a donation is given.',
    de: 'ignored muss false sein oder fehlen, wenn eine Spende angegeben ist.'
  })

export const newEntryAssignedProblem = () =>
  new Problem(409, 'entry-is-assigned', {
    en: 'The transaction is booked for a donation. Undo that first (donation: null).',
    de: 'Der Umsatz ist für eine Spende gebucht. Heben Sie das zuerst auf (donation: null).'
  })

export const newEntryNotAssignableProblem = (result: string) =>
  new Problem(
    409,
    'entry-cannot-be-assigned',
    result === 'known'
      ? {
          en: 'Duplicate of a transaction in an earlier file. Change it there (firstSeen).',
          de: 'Dublette eines Umsatzes in einer früheren Datei. Ändern Sie ihn dort (firstSeen).'
        }
      : {
          en: 'Nothing to book: the transaction is pending at the bank, or has no amount.',
          de: 'Nichts zu buchen: Der Umsatz ist bei der Bank erst vorgemerkt oder hat keinen Betrag.'
        }
  )
export const newEntryDonationNotFoundProblem = () =>
  newFieldProblem(422, '/donation', 'donation-not-found', {
    en: 'donation does not exist.',
    de: 'donation: Spende nicht gefunden.'
  })

export const newNoSuggestionProblem = () =>
  new Problem(409, 'nothing-suggested', {
    en: 'No donation is suggested for this transaction. Specify donation.',
    de: 'Für diesen Umsatz ist keine Spende vorgeschlagen. Geben Sie donation an.'
  })

export const newEntryCountProblem = (most: number) =>
  newFieldProblem(400, '/entries', 'wrong-number', {
    en: `entries must contain 1 to ${most} transactions.`,
    de: `entries muss 1 bis ${most} Umsätze enthalten.`
  })
