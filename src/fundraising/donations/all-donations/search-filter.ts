import { type Sql, sql } from '#platform/database/sql.ts'
import { type EncryptionKeys, listIbanFingerprints } from '../../encryption/iban-encryption.ts'
import { parseCampaignId, parsePartialReference, parseReference } from '../../money/reference.ts'

/**
 * The condition on `donation` for a search text: part of the name or of the reference, an email address, an amount, or
 * an IBAN (whole, or its last four characters). A text can mean several of them.
 */
export function buildSearchFilter(text: string, keys: EncryptionKeys): Sql {
  const reference = parseReference(text)
  if (reference !== undefined) {
    // A reference begins with its campaign id and is unique within the campaign.
    const exact = sql`donation.campaign_id = ${parseCampaignId(reference)} and donation.reference = ${reference}`
    // A name can consist of the same letters, but not of digits and hyphens; with those, nothing else is searched.
    return /[\d-]/.test(text) ? exact : sql`(${exact}) or ${buildNameFilter(text)}`
  }
  const iban = text.replace(/\s+/g, '').toUpperCase()
  if (/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return buildIbanFilter(iban, keys)
  const conditions = [
    ...(text.includes('@') ? [sql`position(lower(${text}) in lower(donation.email)) > 0`] : []),
    ...buildReferenceFilter(text),
    ...buildAmountFilter(text),
    ...buildIbanEndFilter(iban)
  ]
  return conditions.reduce((all, condition) => sql`${all} or ${condition}`, buildNameFilter(text))
}

/** Folds names like the migration does. */
function buildNameFilter(text: string): Sql {
  const folded = sql`lower(regexp_replace(normalize(replace(${text}, 'ß', 'ss'), nfd), '[\\u0300-\\u036f]', '', 'g'))`
  return sql`position(${folded} in donation.donor_search) > 0`
}

function buildReferenceFilter(text: string): Sql[] {
  const part = parsePartialReference(text)
  return part === undefined ? [] : [sql`position(${part} in replace(donation.reference, '-', '')) > 0`]
}

function buildAmountFilter(text: string): Sql[] {
  const cents = parseAmount(text)
  return cents === undefined ? [] : [sql`donation.amount_cents = ${cents} or donation.received_cents = ${cents}`]
}

/** An amount as people type it: 25, 25,00, 25.00 EUR, 1.234,50 €. */
export function parseAmount(text: string): number | undefined {
  const [, number] = /^(?:€|[a-z]{3})?\s*([\d.,]+)\s*(?:€|[a-z]{3})?$/i.exec(text.trim()) ?? []
  const [, whole, cents = ''] = /^(\d{1,9}|\d{1,3}(?:[.,]\d{3}){1,2})(?:[.,](\d{1,2}))?$/.exec(number ?? '') ?? []
  if (whole === undefined) return undefined
  return Number(whole.replace(/[.,]/g, '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** The account that a donor named, or that paid a donation. */
function buildIbanFilter(iban: string, keys: EncryptionKeys): Sql {
  const fingerprints = listIbanFingerprints(keys, iban)
  return sql`
    donation.iban_fingerprint = any(${fingerprints}) or donation.account_iban = ${iban}
    or (donation.campaign_id, donation.id) in (
      select entry.campaign_id, entry.donation_id
      from fundraising.statement_entries as entry
      where entry.counterpart_iban_fingerprint = any(${fingerprints}) and entry.donation_id is not null
    )`
}

/** The last four characters of an IBAN, as lists show them. Words without a digit are no end of an IBAN. */
function buildIbanEndFilter(text: string): Sql[] {
  const [, end] = /^[.…*•]*([A-Z\d]{4})$/.exec(text) ?? []
  if (end === undefined || !/\d/.test(end)) return []
  return [
    sql`(donation.campaign_id, donation.id) in (
      select link.campaign_id, link.donation_id from fundraising.donor_donations as link where link.iban_end = ${end}
    )`
  ]
}
