import { createHash } from 'node:crypto'
import type { Caller } from '#platform/access.ts'
import { record } from '#platform/activity/activity.ts'
import { type IfMatch, refuseStale } from '#platform/conditional.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Language } from '#platform/language.ts'
import { postMail } from '#platform/mail/letter.ts'
import { dayOf } from '../days.ts'
import { toAmount } from '../money.ts'
import { missingForReceipts } from '../organisation/organisation.ts'
import { formatPurposes } from '../organisation/purposes.ts'
import type { OrganisationRow } from '../organisation/queries.ts'
import * as organisation from '../organisation/queries.ts'
import { donationHasReceipt, donationNotFound } from '../problems.ts'
import {
  donationNotReceived,
  donorNotKnown,
  donorNotPrintable,
  noDonationsInYear,
  notSignedByMachine,
  organisationIncomplete,
  receiptIsWithdrawn,
  receiptNeedsEuro,
  receiptNotFound,
  tooManyDonationsForReceipt
} from '../receipt-problems.ts'
import type { Candidate } from './candidates.ts'
import * as candidates from './candidates.ts'
import type { CertifiedDonation, Issuer, ReceiptContent } from './content.ts'
import { addressOf, byDonor } from './donor.ts'
import { unprintableIn } from './pdf/fonts.ts'
import { receiptPdf } from './pdf/receipt-pdf.ts'
import type { ReceiptRow } from './queries.ts'
import * as receipts from './queries.ts'
import { legalCurrency, type NewReceipt } from './schema.ts'

/** How many gifts a collective receipt lists at most. */
const donationsMax = 1000

/** Who issues, and when; `run` is the run that does. */
export interface Issuing {
  by: Caller
  settings: Settings
  now: Date
  runId?: string
}

/** Issues what was asked for: for one donation, or for all that came of a donor in a year. */
export async function issueReceipt(db: Database, issuing: Issuing, input: NewReceipt): Promise<ReceiptRow> {
  return await inTurn(
    async () =>
      await db.transaction(async tx => {
        const chosen = await chosenFor(tx, issuing, input)
        return await issue(tx, issuing, chosen, input)
      })
  )
}

let last: Promise<unknown> = Promise.resolve()

/**
 * One after the other: whoever has a number holds up all others in the database for as long as the file takes to be made.
 * Those of this process wait here, where waiting takes no connection.
 */
async function inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
  const own = last.then(make)
  last = own.catch(() => undefined)
  return await own
}

async function chosenFor(tx: Database, { settings }: Issuing, input: NewReceipt): Promise<Candidate[]> {
  const { kind, donation, donor } = input
  if (kind === 'single') {
    const [one] = donation === undefined ? [] : await candidates.lockCandidates(tx, [donation], settings.timezone)
    if (one === undefined) throw donationNotFound()
    refuseUnfit([one])
    return [one]
  }
  if (donor === undefined) throw donationNotFound()
  const named = await candidates.findByName(tx, { donationId: donor.donationId, ...momentsOf(donor.donationId) })
  if (named === undefined) throw donationNotFound()
  const asked = { campaignId: named.campaignId, id: donor.donationId }
  const [base] = await candidates.lockCandidates(tx, [asked], settings.timezone)
  if (base === undefined || base.donorSearch === null) throw donorNotKnown(['name'])
  const found = await candidates.listOfName(tx, base.donorSearch, donor.year, settings.timezone)
  const others = found.filter(one => one.id !== base.id)
  const own = byDonor([base, ...others]).find(group => group.includes(base)) ?? []
  const inYear = own.filter(one => one.receivedOn?.startsWith(`${donor.year}-`) && one.currency === base.currency)
  const certified = inYear.find(one => one.receiptNumber !== null)
  const free = inYear.filter(one => one.receiptNumber === null && one.status === 'TRANSFERRED')
  if (free.length === 0) {
    throw certified?.receiptNumber == null ? noDonationsInYear(donor.year) : donationHasReceipt(certified.receiptNumber)
  }
  // As they are now that nobody else can move them.
  const locked = await candidates.lockCandidates(tx, free, settings.timezone)
  refuseUnfit(locked)
  return locked
}

function refuseUnfit(chosen: Candidate[]): void {
  for (const one of chosen) {
    if (one.status !== 'TRANSFERRED' || one.receivedOn === null) throw donationNotReceived(one.reference, one.status)
    if (one.receiptNumber !== null) throw donationHasReceipt(one.receiptNumber)
  }
}

/** Issues a receipt for donations of one donor, which are locked and fit. */
export async function issue(
  tx: Database,
  { by, settings, now, runId }: Issuing,
  chosen: Candidate[],
  wanted: Pick<NewReceipt, 'kind' | 'language' | 'send'>
): Promise<ReceiptRow> {
  if (chosen.length > donationsMax) throw tooManyDonationsForReceipt(donationsMax)
  const today = dayOf(now, settings.timezone)
  const [own, replaced] = await Promise.all([organisation.find(tx), receipts.findWithdrawnOf(tx, chosen)])
  const issuer = issuerOf(own, today)
  const donor = donorOf(chosen)
  const language = wanted.language ?? languageFor(donor)
  const currency = chosen[0]?.currency ?? legalCurrency
  if (language === 'de' && currency !== legalCurrency) throw receiptNeedsEuro(currency)
  const canBeSent = language === 'en' || isSignedByMachine(issuer)
  if (wanted.send === true && !canBeSent) throw notSignedByMachine()
  const sent = wanted.send !== false && canBeSent && donor.email !== null && settings.smtpUrl !== undefined

  // From here on nothing is refused any more: whoever has a number holds up all others until the receipt is there.
  const year = Number(today.slice(0, 4))
  const sequence = await receipts.takeNumber(tx, year)
  const donations = chosen.map(certified)
  const content: ReceiptContent = {
    number: numberOf(own.receiptPrefix, year, sequence),
    kind: wanted.kind,
    language,
    issuedOn: today,
    issuedAt: now.toISOString(),
    currency,
    amountCents: donations.reduce((sum, { amountCents }) => sum + amountCents, 0),
    issuer,
    donor: { name: donor.name, address: donor.address },
    period: periodOf(wanted.kind, donations),
    donations,
    replaces: replaced?.number ?? null
  }
  const file = await fileOf(tx, content, false)
  const id = uuidv7(now.getTime())
  const receipt = await receipts.insert(tx, {
    ...{ id, sequence, year, by: by.name, content, file, sent },
    fileHash: createHash('sha256').update(file).digest(),
    replaces: replaced?.id ?? null,
    runId: runId ?? null
  })
  await recordReceipt(tx, by, now, 'receipt.issued', receipt)
  if (sent) await postMail(tx, settings, { kind: 'receipt', about: id, once: true }, now)
  return receipt
}

/** Takes a receipt back: its number stays, and what it certified is free for another one. */
export async function withdrawReceipt(
  db: Database,
  by: Caller,
  id: string,
  reason: string,
  expected: IfMatch,
  now = new Date()
): Promise<ReceiptRow> {
  return await db.transaction(async tx => {
    const before = await receipts.lock(tx, id)
    if (before === undefined) throw receiptNotFound()
    refuseStale(expected, before.version)
    if (before.state === 'withdrawn') throw receiptIsWithdrawn(before.number)
    const after = await receipts.setWithdrawn(tx, id, { reason, by: by.name, now })
    await recordReceipt(tx, by, now, 'receipt.withdrawn', after)
    return after
  })
}

/** The file as it was issued, or a copy that says so. */
export async function fileOf(db: Database, content: ReceiptContent, isCopy: boolean): Promise<Buffer> {
  const { signature } = content.issuer
  const picture =
    signature === null || content.issuer.taxOfficeInformedOn === null
      ? undefined
      : await organisation.findSignature(db, Buffer.from(signature, 'hex'))
  return await receiptPdf(content, { isCopy, signature: picture })
}

/** The organisation as receipts name it; refuses where something is missing that must stand there. */
export function issuerOf(own: OrganisationRow, today: string): Issuer {
  const missing = missingForReceipts(own, today)
  const { address, exemption } = own
  if (missing.length > 0 || address === null || exemption === null) throw organisationIncomplete(missing)
  const { legalName, taxOffice, taxNumber, signatory, signatoryRole, taxOfficeInformedOn } = own
  const { genitive: purposes, accusative: promotes } = formatPurposes(own.purposeCodes, own.purposes)
  const signature = own.signatureHash?.toString('hex') ?? null
  const plain = { legalName, taxOffice, taxNumber, purposes, signatory, signatoryRole }
  const unfit = Object.entries({ ...plain, address: Object.values(address).join(' ') })
    .filter(([, text]) => unprintableIn(text).length > 0)
    .map(([field]) => field)
  if (unfit.length > 0) throw organisationIncomplete(unfit)
  const feesDeductible = own.membershipFeesDeductible
  return { ...plain, promotes, feesDeductible, address, exemption, taxOfficeInformedOn, signature }
}

/** Without a hand that signs it takes a picture of the signature, and a tax office that knows of it (R 10b.1 Abs. 4 EStR). */
export function isSignedByMachine({
  signature,
  taxOfficeInformedOn
}: Pick<Issuer, 'signature' | 'taxOfficeInformedOn'>) {
  return signature !== null && taxOfficeInformedOn !== null
}

interface Donor {
  name: string
  address: NonNullable<ReturnType<typeof addressOf>>
  email: string | null
  language: Language | null
}

/** Name and address as the donor last gave them. */
function donorOf(chosen: Candidate[]): Donor {
  const latest = chosen.toReversed()
  const name = latest.find(one => one.donorName !== null)?.donorName ?? null
  const address = latest.map(addressOf).find(one => one !== undefined)
  if (name === null || address === undefined) {
    throw donorNotKnown([...(name === null ? ['name'] : []), ...(address === undefined ? ['address'] : [])], chosen)
  }
  const unprintable = unprintableIn([name, ...Object.values(address)].join(' '))
  if (unprintable.length > 0) throw donorNotPrintable(unprintable)
  return {
    name,
    address,
    email: latest.find(one => one.email !== null)?.email ?? null,
    language: latest.find(one => one.language !== null)?.language ?? null
  }
}

/** The German tax office wants the German form, whatever language the donor speaks. */
function languageFor({ address, language }: Donor): Language {
  return address.country === 'DE' ? 'de' : (language ?? 'en')
}

function certified({ campaignId, id, reference, receivedOn, amountCents }: Candidate): CertifiedDonation {
  return { campaignId, id, reference, receivedOn: receivedOn ?? '', amountCents }
}

/** A collective receipt is for the whole year in which everything on it came. */
function periodOf(kind: NewReceipt['kind'], donations: CertifiedDonation[]): { from: string; to: string } {
  const day = donations[0]?.receivedOn ?? ''
  return kind === 'single'
    ? { from: day, to: day }
    : { from: `${day.slice(0, 4)}-01-01`, to: `${day.slice(0, 4)}-12-31` }
}

function numberOf(prefix: string, year: number, sequence: number): string {
  return [...(prefix === '' ? [] : [prefix]), year, String(sequence).padStart(6, '0')].join('-')
}

/** Around the moment in an id, which may be a little ahead of the donation's: see the clock in platform/ids.ts. */
function momentsOf(id: string): { after: Date; before: Date } {
  const moment = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  // What is no time at all finds nothing.
  const safe = moment < 8_000_000_000_000 ? moment : 0
  return { after: new Date(safe - 2000), before: new Date(safe + 1) }
}

/** No names: activity is told to webhooks. */
async function recordReceipt(tx: Database, by: Caller, now: Date, action: string, receipt: ReceiptRow): Promise<void> {
  const { id, number, kind, amountCents } = receipt
  const details = { name: number, kind, amount: toAmount(amountCents), donations: receipt.content.donations.length }
  await record(tx, by, now, action, { subject: 'receipt', id, details })
}
