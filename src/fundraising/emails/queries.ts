import type { Database } from '#platform/database/database.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import type { Translations } from '../campaigns/schema.ts'
import type { DonationStatus } from '../donations/schema.ts'
import type { StoredToken } from '../encryption/donor-token.ts'

/** The data for an e-mail to a donor. */
export interface DonationEmailData extends StoredToken {
  donorName: string | null
  email: string | null
  language: Language | null
  status: DonationStatus
  amountCents: number
  receivedCents: number
  reference: string
  receiptRequested: boolean
  paymentMethod: 'transfer' | 'direct_debit'
  currency: string
  campaignName: string
  campaignLanguage: Language | null
  campaignTranslations: Translations
  iban: string
  ibanValid: boolean
  holder: string
  bankName: string
  confirmationMails: boolean
}

/** Finds the donation even if its campaign is deleted. */
export async function findEmailData(
  db: Database,
  { campaignId, id }: { campaignId: number; id: string }
): Promise<DonationEmailData | undefined> {
  return await db.maybeOne(sql`
    select
      donation.email, donation.language, donation.status, donation.reference, campaign.currency,
      donation.donor_name as "donorName",
      donation.amount_cents as "amountCents",
      donation.received_cents as "receivedCents",
      donation.receipt_requested as "receiptRequested",
      donation.payment_method as "paymentMethod",
      donation.donor_token_encrypted as "encryptedToken",
      donation.donor_token as "plaintextToken",
      campaign.name as "campaignName",
      campaign.language as "campaignLanguage",
      campaign.translations as "campaignTranslations",
      campaign.account_iban as iban,
      campaign.account_iban_valid as "ibanValid",
      campaign.account_name as holder,
      campaign.account_bank as "bankName",
      organisation.confirmation_mails as "confirmationMails"
    from fundraising.donations as donation
    join fundraising.campaigns as campaign on campaign.id = donation.campaign_id
    join fundraising.organisation as organisation on organisation.id = 1
    where donation.campaign_id = ${campaignId} and donation.id = ${id} and donation.deleted_at is null`)
}

/** Counts the donations with this e-mail address since a timestamp. */
export async function countWithEmail(db: Database, email: string, since: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count
    from fundraising.donations
    where lower(email) = lower(${email}) and created_at > ${since}`)
  return count
}
