import { hash } from 'node:crypto'
import { isSEPACountry } from 'ibantools'
import { record } from '#platform/activity/activity.ts'
import { economicArea, isInEconomicArea } from '#platform/banking/economic-area.ts'
import type { Caller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { legalLanguages } from '#platform/language.ts'
import { endSentence } from '#platform/sentence.ts'
import { toLocalDay } from '../../../dates.ts'
import type { DonationToCollect, SignMandate } from '../../../donations/donate.ts'
import * as donations from '../../../donations/queries.ts'
import type { Account } from '../../../money/account.ts'
import type { OrganisationRow } from '../../../organisation/queries.ts'
import * as organisation from '../../../organisation/queries.ts'
import {
  newAccountNotDebitableProblem,
  newCampaignWithoutDirectDebitProblem,
  newDebitAtBankProblem,
  newDirectDebitNotOfferedProblem,
  newMandateForReceivedMoneyProblem,
  newMandateNotFoundProblem,
  newMandateTextChangedProblem
} from '../../../problems/direct-debit.ts'
import type { MandateRow, SignedMandate } from './queries.ts'
import * as mandates from './queries.ts'
import type { MandateTerms } from './schema.ts'

/** The mandate text that donors agree to; undefined while the organisation cannot collect. */
export function buildMandateTerms(row: OrganisationRow): MandateTerms | undefined {
  const { creditorId, legalName: creditorName, preNotificationDays } = row
  if (creditorId === null || creditorName === '') return undefined
  const texts = { en: buildEnglishText(row, creditorId), de: buildGermanText(row, creditorId) }
  const version = hash('sha1', JSON.stringify(texts), 'hex').slice(0, 12)
  return { creditorId, creditorName, texts, version, preNotificationDays, countries: economicArea }
}

/**
 * The text of the European Payments Council for the CORE scheme and a one-off payment. Our additions follow in a
 * paragraph of their own.
 */
function buildEnglishText({ legalName, address, preNotificationDays }: OrganisationRow, creditorId: string): string {
  return [
    `SEPA Direct Debit Mandate`,
    `Creditor: ${[legalName, ...toAddressLines(address)].join(', ')}`,
    `Creditor identifier: ${creditorId}`,
    `Mandate reference: will be given to you when you have sent the form`,
    `Type of payment: one-off payment`,
    `By signing this mandate form, you authorise (A) ${legalName} to send instructions to your bank to debit your account and (B) your bank to debit your account in accordance with the instructions from ${endSentence(legalName)} As part of your rights, you are entitled to a refund from your bank under the terms and conditions of your agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your account was debited. Your rights are explained in a statement that you can obtain from your bank.`,
    `Notes on the direct debit: the donation that you make now is collected once. You are told the amount and the collection date at least ${preNotificationDays === 1 ? 'one day' : `${preNotificationDays} days`} before.`
  ].join('\n')
}

function buildGermanText({ legalName, address, preNotificationDays }: OrganisationRow, creditorId: string): string {
  return [
    `SEPA-Lastschriftmandat`,
    `Zahlungsempfänger: ${[legalName, ...toAddressLines(address)].join(', ')}`,
    `Gläubiger-Identifikationsnummer: ${creditorId}`,
    `Mandatsreferenz: wird nach dem Absenden mitgeteilt`,
    `Zahlungsart: einmalige Zahlung`,
    `Ich ermächtige ${legalName}, Zahlungen von meinem Konto mittels Lastschrift einzuziehen. Zugleich weise ich mein Kreditinstitut an, die von ${legalName} auf mein Konto gezogenen Lastschriften einzulösen. Hinweis: Ich kann innerhalb von acht Wochen, beginnend mit dem Belastungsdatum, die Erstattung des belasteten Betrages verlangen. Es gelten dabei die mit meinem Kreditinstitut vereinbarten Bedingungen.`,
    `Hinweise zur Lastschrift: Die Spende, die ich jetzt gebe, wird einmalig eingezogen. Betrag und Einzugsdatum werden mir mindestens ${preNotificationDays === 1 ? 'einen Tag' : `${preNotificationDays} Tage`} vorher angekündigt.`
  ].join('\n')
}

function toAddressLines(address: OrganisationRow['address']): string[] {
  return address === null ? [] : [address.street, `${address.postalCode} ${address.city}`, address.country]
}

function canBeDebited({ iban, ibanValid }: Account): boolean {
  return ibanValid && isSEPACountry(iban.slice(0, 2)) && isInEconomicArea(iban)
}

/** Direct debits need euros and a valid account. */
function canCollect({ currency, iban, ibanValid }: DonationToCollect['campaign']): boolean {
  return currency === 'EUR' && ibanValid && isInEconomicArea(iban)
}

export const signMandate: SignMandate = async (tx, by, donation, signed) => {
  const mandate = await prepareMandate(tx, by, donation, signed)
  return async () => await mandates.insert(tx, mandate)
}

/** Builds the mandate of a donor who agreed to a shown text; rejects a donation that could not be collected. */
async function prepareMandate(
  tx: Database,
  by: Caller,
  donation: DonationToCollect,
  { text, settings, now }: { text: string; settings: Settings; now: Date }
): Promise<SignedMandate> {
  if (donation.status !== 'IN_PROCESS') throw newMandateForReceivedMoneyProblem()
  if (!canCollect(donation.campaign)) throw newCampaignWithoutDirectDebitProblem()
  if (donation.account === undefined || !canBeDebited(donation.account)) throw newAccountNotDebitableProblem()
  const terms = buildMandateTerms(await organisation.find(tx))
  if (terms === undefined) throw newDirectDebitNotOfferedProblem()
  // Forms send CRLF line breaks.
  const shown = text.replaceAll('\r\n', '\n')
  const language = legalLanguages.find(one => terms.texts[one] === shown)
  if (language === undefined) throw newMandateTextChangedProblem()
  return {
    campaignId: donation.campaignId,
    donationId: donation.id,
    reference: donation.reference,
    creditorId: terms.creditorId,
    sequenceType: 'OOFF',
    text: shown,
    language,
    signedAt: now.toISOString(),
    signedOn: toLocalDay(now, settings.timezone),
    requestId: by.requestId || null
  }
}

/**
 * Revokes the mandate. A donation that was not collected waits for a transfer instead; if it is in a file that was not
 * submitted yet, the file is out of date and cannot be submitted.
 */
export async function revokeMandate(
  db: Database,
  by: Caller,
  of: { campaignId: number; donationId: string },
  now = new Date()
): Promise<MandateRow> {
  return await db.transaction(async tx => {
    const { campaignId, donationId } = of
    // A concurrent collection locks the donation too.
    await donations.lock(tx, campaignId, donationId)
    const before = await mandates.findOfDonation(tx, campaignId, donationId)
    if (before === undefined) throw newMandateNotFoundProblem()
    if (before.revokedAt !== null) return before
    if (before.collectionStatus === 'submitted' && before.donationStatus === 'IN_PROCESS') {
      throw newDebitAtBankProblem(before.collectOn ?? '')
    }
    await Promise.all([
      mandates.setRevoked(tx, campaignId, donationId, now),
      mandates.switchToTransfer(tx, campaignId, donationId, now),
      record(tx, { by, now }, 'mandate.revoked', {
        subject: 'mandate',
        id: before.reference,
        details: { campaignId, donationId }
      })
    ])
    return { ...before, revokedAt: now.toISOString() }
  })
}
