import { newFieldProblem, Problem } from '#platform/problem.ts'
import { toAmount } from '../money/money.ts'

export const newPayerRuleNotFoundProblem = () =>
  new Problem(404, 'payer-rule-not-found', {
    en: 'There is no such rule for a payer.',
    de: 'Diese Regel für eine zahlende Person gibt es nicht.'
  })

export const newPayerMissingProblem = () =>
  newFieldProblem(422, '/iban', 'payer-missing', {
    en: 'iban or entry must say whose payments the rule is for: one of them, not both.',
    de: 'iban oder entry muss angeben, für wessen Zahlungen die Regel gilt: eines von beiden, nicht beides.'
  })

export const newPayerHasNoIbanProblem = (pointer: '/entry' | '/remember' | '/allOfPayer') =>
  newFieldProblem(422, pointer, 'payer-without-iban', {
    en: `${pointer.slice(1)}: the bank names no IBAN of the payer, so that later payments cannot be recognised.`,
    de: `${pointer.slice(1)}: Die Bank nennt keine IBAN der zahlenden Person; weitere Zahlungen lassen sich nicht erkennen.`
  })

export const newRuleCampaignMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-missing', {
    en: 'campaignId is needed for the action campaign.',
    de: 'campaignId fehlt: Die Aktion campaign braucht sie.'
  })

export const newRuleCampaignNotExpectedProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-not-used', {
    en: 'campaignId must be absent for the action ignore.',
    de: 'campaignId muss bei der Aktion ignore fehlen.'
  })

export const newEntryCampaignMissingProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-missing', {
    en: 'campaignId is needed: neither a rule for the payer nor the remittance text says which campaign it is for.',
    de: 'campaignId fehlt: Weder eine Regel für die zahlende Person noch der Verwendungszweck nennt eine Spendenaktion.'
  })

export const newEntryCampaignNotFoundProblem = (id: number) =>
  newFieldProblem(422, '/campaignId', 'campaign-not-found', {
    en: `campaignId must be a campaign that there is and that is not deleted; ${id} is none.`,
    de: `campaignId muss eine Spendenaktion sein, die es gibt und die nicht gelöscht ist; ${id} ist keine.`
  })

export const newEntryCampaignDraftProblem = () =>
  newFieldProblem(422, '/campaignId', 'campaign-is-draft', {
    en: 'campaignId must not be a draft: publish the campaign first.',
    de: 'campaignId darf kein Entwurf sein: Veröffentlichen Sie die Spendenaktion zuerst.'
  })

export const newEntryDonorNameMissingProblem = () =>
  newFieldProblem(422, '/donorName', 'donor-name-missing', {
    en: 'donorName is needed: the bank does not say who paid.',
    de: 'donorName fehlt: Die Bank sagt nicht, wer gezahlt hat.'
  })

export const newEntryOutgoingProblem = () =>
  new Problem(409, 'entry-is-outgoing', {
    en: 'Money went out with this transaction: only money that came in can become a donation.',
    de: 'Mit diesem Umsatz ging Geld ab: Nur eingegangenes Geld kann eine Spende werden.'
  })

export const newEntryNotOpenProblem = (result: string) =>
  new Problem(409, 'entry-is-not-open', {
    en: `The transaction is ${result}: only one that is unmatched or suggested can become a donation of its own.`,
    de: `Der Umsatz ist ${result}: Nur einer, der unmatched oder suggested ist, kann eine eigene Spende werden.`
  })

export const newEntryDonationAmountProblem = (cents: number) =>
  newFieldProblem(422, '/amount', 'amount-differs', {
    en: `amount must be ${toAmount(cents)}, the amount of the transaction, or absent. To divide it among several donations, split it (donations).`,
    de: `amount muss ${toAmount(cents)} sein, der Betrag des Umsatzes, oder fehlen. Für mehrere Spenden teilen Sie ihn auf (donations).`
  })

export const newEntryDonationCurrencyProblem = (currency: string, ofCampaign: string) =>
  newFieldProblem(422, '/amount', 'other-currency', {
    en: `amount is needed: the transaction is in ${currency}, the campaign counts ${ofCampaign}. Say what it is worth there.`,
    de: `amount fehlt: Der Umsatz ist in ${currency}, die Spendenaktion rechnet in ${ofCampaign}. Geben Sie an, was er dort wert ist.`
  })

export const newAmountForOneEntryProblem = () =>
  newFieldProblem(422, '/amount', 'amount-for-one', {
    en: 'amount must be absent with allOfPayer: each donation has the amount of its transaction.',
    de: 'amount muss bei allOfPayer fehlen: Jede Spende hat den Betrag ihres Umsatzes.'
  })

export const newTooManyPayerEntriesProblem = (most: number) =>
  newFieldProblem(422, '/allOfPayer', 'too-many', {
    en: `allOfPayer: there are more than ${most} open transactions of this payer. Do fewer at a time.`,
    de: `allOfPayer: Von dieser zahlenden Person sind mehr als ${most} Umsätze offen. Nehmen Sie weniger auf einmal.`
  })

export const newExtraNeedsDonationProblem = () =>
  newFieldProblem(422, '/extra', 'donation-missing', {
    en: 'extra needs donation: the one that gets what it waits for.',
    de: 'extra braucht donation: die Spende, die bekommt, was ihr noch fehlt.'
  })

export const newNoExtraProblem = (waitsCents: number) =>
  newFieldProblem(422, '/extra', 'no-extra', {
    en: `extra: not more came than the donation waits for (${toAmount(waitsCents)}).`,
    de: `extra: Es kam nicht mehr, als der Spende noch fehlt (${toAmount(waitsCents)}).`
  })

export const newExtraInOtherCurrencyProblem = () =>
  newFieldProblem(422, '/extra', 'other-currency', {
    en: 'extra is only possible if transaction and campaign have the same currency.',
    de: 'extra geht nur, wenn Umsatz und Spendenaktion dieselbe Währung haben.'
  })

export const newRememberNeedsIgnoredProblem = () =>
  newFieldProblem(422, '/remember', 'remember-without-ignored', {
    en: 'remember belongs to ignored: true.',
    de: 'remember gehört zu ignored: true.'
  })

export const newCollectionNotAloneProblem = () =>
  newFieldProblem(422, '/collectionId', 'collection-alone', {
    en: 'collectionId must be the only thing that is said of the transaction.',
    de: 'collectionId muss die einzige Angabe zu dem Umsatz sein.'
  })

export const newEntryCollectionNotFoundProblem = () =>
  newFieldProblem(422, '/collectionId', 'collection-not-found', {
    en: 'collectionId must be a direct debit batch that there is.',
    de: 'collectionId muss ein Lastschrifteinzug sein, den es gibt.'
  })

export const newStatementNotFoundProblem = (id: number) =>
  new Problem(404, 'statement-not-found', {
    en: id === 0 ? 'There is no such bank statement.' : `There is no bank statement ${id}.`,
    de: id === 0 ? 'Diesen Kontoauszug gibt es nicht.' : `Den Kontoauszug ${id} gibt es nicht.`
  })

export const newEntryNotFoundProblem = () =>
  new Problem(404, 'entry-not-found', {
    en: 'This bank statement has no such entry.',
    de: 'Diesen Umsatz gibt es auf diesem Kontoauszug nicht.'
  })

export const newStatementFileMissingProblem = () =>
  newFieldProblem(400, '/file', 'required', {
    en: 'file is required: the bank statement, as a part of the form.',
    de: 'file fehlt: der Kontoauszug, als Teil des Formulars.'
  })

export const newInvalidMappingProblem = (columnsMax: number) =>
  newFieldProblem(400, '/mapping', 'mapping', {
    en: `mapping must be a JSON object of at most ${columnsMax} columns, each with the name of a field.`,
    de: `mapping muss ein JSON-Objekt mit höchstens ${columnsMax} Spalten sein, jede mit dem Namen eines Feldes.`
  })

export const newIgnoredAndAssignedProblem = () =>
  newFieldProblem(422, '/ignored', 'ignored-and-assigned', {
    en: 'ignored must be false or absent where a donation is given.',
    de: 'ignored muss false sein oder fehlen, wenn eine Spende angegeben ist.'
  })

export const newEntryAssignedProblem = () =>
  new Problem(409, 'entry-is-assigned', {
    en: 'The entry is booked for a donation. Take that back first (donation: null).',
    de: 'Der Umsatz ist für eine Spende gebucht. Nehmen Sie das zuerst zurück (donation: null).'
  })

export const newEntryNotAssignableProblem = (result: string) =>
  new Problem(
    409,
    'entry-cannot-be-assigned',
    result === 'known'
      ? {
          en: 'This payment stood in an earlier file: change it there (firstSeen).',
          de: 'Diese Zahlung stand schon in einer früheren Datei: Ändern Sie sie dort (firstSeen).'
        }
      : {
          en: 'There is nothing to book: the bank has not booked it, or it has no amount.',
          de: 'Hier gibt es nichts zu buchen: Die Bank hat es noch nicht gebucht, oder es hat keinen Betrag.'
        }
  )
export const newEntryDonationNotFoundProblem = () =>
  newFieldProblem(422, '/donation', 'donation-not-found', {
    en: 'donation must be one that there is.',
    de: 'donation muss eine Spende sein, die es gibt.'
  })

export const newNoSuggestionProblem = () =>
  new Problem(409, 'nothing-suggested', {
    en: 'No donation is suggested for this entry: say which one it is for.',
    de: 'Für diesen Umsatz ist keine Spende vorgeschlagen: Geben Sie an, für welche er ist.'
  })

export const newEntryCountProblem = (most: number) =>
  newFieldProblem(400, '/entries', 'wrong-number', {
    en: `entries must be 1 to ${most} entries.`,
    de: `entries müssen 1 bis ${most} Umsätze sein.`
  })
