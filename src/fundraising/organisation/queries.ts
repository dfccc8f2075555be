import type { Database } from '#platform/database/database.ts'
import { emptySql, sql } from '#platform/database/sql.ts'
import type { Address } from '../money/address.ts'
import type { PurposeCode } from './purposes.ts'
import type { exemptionKinds } from './schema.ts'

/** The stored row; missing values are empty or null. */
export interface OrganisationRow {
  version: number
  updatedAt: string | null
  legalName: string
  address: Address | null
  taxOffice: string
  taxNumber: string
  exemption: { kind: (typeof exemptionKinds)[number]; date: string; period: string | null } | null
  /** Free text, in addition to the purposes chosen from the law. */
  purposes: string
  purposeCodes: PurposeCode[]
  membershipFeesDeductible: boolean
  signatory: string
  signatoryRole: string
  /** The hash of the signature image. */
  signatureHash: Buffer | null
  taxOfficeInformedOn: string | null
  receiptPrefix: string
  creditorId: string | null
  preNotificationDays: number
  confirmationMails: boolean
  reviewAboveCents: number | null
  messagesNeedReview: boolean
  retentionYears: number
  proofOfWork: boolean
}

const columns = sql`
  version, purposes, signatory,
  updated_at as "updatedAt",
  legal_name as "legalName",
  case when address_street is not null then jsonb_build_object(
    'street', address_street, 'postalCode', address_postal_code, 'city', address_city, 'country', address_country
  ) end as address,
  tax_office as "taxOffice",
  tax_number as "taxNumber",
  purpose_codes as "purposeCodes",
  membership_fees_deductible as "membershipFeesDeductible",
  case when exemption_kind is not null then jsonb_build_object(
    'kind', exemption_kind, 'date', to_char(exemption_date, 'YYYY-MM-DD'), 'period', exemption_period
  ) end as exemption,
  signatory_role as "signatoryRole",
  signature_hash as "signatureHash",
  to_char(tax_office_informed_on, 'YYYY-MM-DD') as "taxOfficeInformedOn",
  receipt_prefix as "receiptPrefix",
  creditor_id as "creditorId",
  pre_notification_days as "preNotificationDays",
  confirmation_mails as "confirmationMails",
  review_above_cents as "reviewAboveCents",
  messages_need_review as "messagesNeedReview",
  retention_years as "retentionYears",
  proof_of_work as "proofOfWork"`

export async function find(db: Database): Promise<OrganisationRow> {
  return await read(db, false)
}

export async function lock(tx: Database): Promise<OrganisationRow> {
  return await read(tx, true)
}

async function read(db: Database, locking: boolean): Promise<OrganisationRow> {
  return await db.one(sql`
    select ${columns}
    from fundraising.organisation
    where id = 1
    ${locking ? sql`for update` : emptySql}`)
}

export async function insertSignature(tx: Database, hash: Buffer, picture: Buffer): Promise<void> {
  await tx.run(sql`
    insert into fundraising.signatures (hash, picture)
    values (${hash}, ${picture})
    on conflict (hash) do nothing`)
}

export async function findSignature(db: Database, hash: Buffer): Promise<Buffer | undefined> {
  const found = await db.maybeOne<{ picture: Buffer }>(sql`
    select picture from fundraising.signatures where hash = ${hash}`)
  return found?.picture
}

export async function update(tx: Database, row: OrganisationRow, now: Date): Promise<OrganisationRow> {
  await tx.run(sql`
    update fundraising.organisation
    set
      version = version + 1, updated_at = ${now}, legal_name = ${row.legalName},
      address_street = ${row.address?.street ?? null}, address_postal_code = ${row.address?.postalCode ?? null},
      address_city = ${row.address?.city ?? null}, address_country = ${row.address?.country ?? null},
      tax_office = ${row.taxOffice}, tax_number = ${row.taxNumber},
      exemption_kind = ${row.exemption?.kind ?? null}, exemption_date = ${row.exemption?.date ?? null}::date,
      exemption_period = ${row.exemption?.period ?? null}, purposes = ${row.purposes},
      purpose_codes = ${row.purposeCodes}::text[], membership_fees_deductible = ${row.membershipFeesDeductible},
      signatory = ${row.signatory}, signatory_role = ${row.signatoryRole},
      tax_office_informed_on = ${row.taxOfficeInformedOn}::date, receipt_prefix = ${row.receiptPrefix},
      creditor_id = ${row.creditorId}, pre_notification_days = ${row.preNotificationDays},
      confirmation_mails = ${row.confirmationMails}, review_above_cents = ${row.reviewAboveCents},
      messages_need_review = ${row.messagesNeedReview},
      retention_years = ${row.retentionYears}, proof_of_work = ${row.proofOfWork},
      signature_hash = ${row.signatureHash}
    where id = 1`)
  // Not returned by the update: Citus accepts no functions there that depend on settings, such as to_char.
  return await find(tx)
}
