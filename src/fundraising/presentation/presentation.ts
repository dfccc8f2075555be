import { record } from '#platform/activity/activity.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database } from '#platform/database/database.ts'
import { RetryTransaction } from '#platform/database/errors.ts'
import { type IfMatch, requireVersion } from '#platform/http/etag.ts'
import * as campaigns from '../campaigns/queries.ts'
import { listMissingForReceipts } from '../organisation/organisation.ts'
import { formatPurposes } from '../organisation/purposes.ts'
import type { OrganisationRow } from '../organisation/queries.ts'
import { newCampaignNotFoundProblem, newHomeCampaignNotFoundProblem } from '../problems/campaigns.ts'
import type { CampaignPresentationRow, PresentationRow } from './queries.ts'
import * as presentations from './queries.ts'
import type {
  CampaignContact,
  CampaignPresentationChange,
  NewContact,
  PresentationChange,
  TaxStatus
} from './schema.ts'

type PresentationActor = Actor & { expected: IfMatch }

export async function changePresentation(
  db: Database,
  { by, expected, now = new Date() }: PresentationActor,
  { contact, homeCampaignId }: PresentationChange
): Promise<PresentationRow> {
  return await db.transaction(async tx => {
    const before = await presentations.find(tx)
    requireVersion(expected, before.version)
    if (homeCampaignId != null && (await campaigns.findTerms(tx, homeCampaignId)) === undefined) {
      throw newHomeCampaignNotFoundProblem(homeCampaignId)
    }
    const after: PresentationRow = {
      version: before.version,
      contact: contact === undefined ? before.contact : toContact(contact),
      homeCampaignId: homeCampaignId === undefined ? before.homeCampaignId : homeCampaignId
    }
    if (!(await presentations.update(tx, after, now)))
      throw new RetryTransaction('The settings were modified concurrently.')
    await record(tx, { by, now }, 'presentation.updated', { subject: 'presentation', id: 1 })
    return { ...after, version: before.version + 1 }
  })
}

export async function changeCampaignPresentation(
  db: Database,
  { by, expected, now = new Date() }: PresentationActor,
  campaignId: number,
  { contact, eventIds }: CampaignPresentationChange
): Promise<CampaignPresentationRow> {
  return await db.transaction(async tx => {
    const campaign = await campaigns.find(tx, campaignId, 'drafts too')
    if (campaign === undefined) throw newCampaignNotFoundProblem(campaignId)
    const before = await presentations.findOfCampaign(tx, campaignId)
    requireVersion(expected, before.version)
    const after: CampaignPresentationRow = {
      version: before.version,
      contact: contact === undefined ? before.contact : toContact(contact),
      eventIds: eventIds === undefined ? before.eventIds : [...new Set(eventIds)]
    }
    if (!(await presentations.updateOfCampaign(tx, campaignId, after, now))) {
      throw new RetryTransaction('The presentation was modified concurrently.')
    }
    const events = [...new Set([...before.eventIds, ...after.eventIds])].filter(
      id => before.eventIds.includes(id) !== after.eventIds.includes(id)
    )
    const details = { name: campaign.name, ...(events.length === 0 ? {} : { events }) }
    await record(tx, { by, now }, 'campaign.presentation_updated', { subject: 'campaign', id: campaignId, details })
    return { ...after, version: before.version + 1 }
  })
}

function toContact(given: NewContact): CampaignContact | null {
  if (given === null) return null
  return {
    name: given.name,
    text: { en: given.text?.en ?? '', de: given.text?.de ?? '' },
    imageUrl: given.imageUrl || null,
    imageAlt: given.imageAlt ?? '',
    email: given.email || null,
    phone: given.phone || null
  }
}

/** The details that receipts certify, while they are complete and valid. */
export function findTaxStatus(row: OrganisationRow, today: string): TaxStatus | null {
  const needed = ['legalName', 'taxOffice', 'exemption', 'purposes']
  const isComplete = !listMissingForReceipts(row, today).some(field => needed.includes(field))
  if (!isComplete || row.exemption === null) return null
  const { kind, date } = row.exemption
  const { genitive } = formatPurposes(row.purposeCodes, row.purposes)
  return { legalName: row.legalName, taxOffice: row.taxOffice, kind, date, purposes: genitive }
}
