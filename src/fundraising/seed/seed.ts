import { sampleContentCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { SeedTools } from '#platform/http/service.ts'
import type { Text } from '#platform/language.ts'
import { createCampaign, patchCampaign } from '../campaigns/campaign.ts'
import * as campaigns from '../campaigns/queries.ts'
import type { NewCampaign } from '../campaigns/schema.ts'
import { donate } from '../donations/donate.ts'
import { changeDonation } from '../donations/donation.ts'
import type { DonationStatus, NewDonation } from '../donations/schema.ts'
import type { Cents } from '../money/money.ts'
import { type SampleCampaign, sampleCampaigns } from './sample-campaigns.ts'
import { seedNews } from './seed-news.ts'
import { type PicturePaths, seedStory, storeStoryPictures } from './seed-story.ts'

const dayMs = 86_400_000
/** The number of days over which the donations are spread. */
const days = 40
/** How long a transfer takes. */
const transferMs = 3 * dayMs
/** The key of an advisory lock; any number that nothing else in the database uses. */
const seedLock = 4_202_611_151

const consent: Text = {
  en: 'My details may be used to handle this donation.',
  de: 'Meine Angaben dürfen verwendet werden, um diese Spende zu bearbeiten.'
}

/** Creates sample campaigns with donations of the last weeks; returns how many. Existing ones stay unchanged. */
export async function seedFundraising(
  db: Database,
  settings: Settings,
  tools: SeedTools = {},
  now = new Date()
): Promise<number> {
  let made = 0
  // No SMTP: fictitious donors get no e-mails.
  const silent = { ...settings, smtpUrl: undefined }
  for (const sample of sampleCampaigns) {
    if (await campaigns.hasCampaignNamed(db, sample.name[sample.language])) continue
    const paths = await storeStoryPictures(sample, tools)
    if (await seedCampaign(db, sample, { settings: silent, paths, now })) made += 1
  }
  return made
}

async function seedCampaign(
  db: Database,
  sample: SampleCampaign,
  { settings, paths, now }: { settings: Settings; paths: PicturePaths; now: Date }
): Promise<boolean> {
  return await db.transaction(async tx => {
    await tx.script(`select pg_advisory_xact_lock(${seedLock})`)
    const fields = toCampaignFields(sample)
    if (await campaigns.hasCampaignNamed(tx, fields.name)) return false

    // Open while the donations are inserted, because a closed campaign accepts none.
    const start = new Date(now.getTime() - (days + 20) * dayMs)
    const { id } = await createCampaign(
      tx,
      { by: sampleContentCaller, now: start },
      { ...fields, status: 'open' },
      settings.currency
    )
    for (const index of sample.donors.keys()) {
      const at = getDonationTime(index, sample.donors.length, now)
      const donation = await donate(
        tx,
        { by: sampleContentCaller, settings, now: at },
        id,
        toNewDonation(sample, index)
      )
      const later = new Date(at.getTime() + transferMs)
      const status = getStatus(sample, index, later < now)
      if (status === 'IN_PROCESS') continue
      const one = { campaignId: id, id: donation.id }
      await changeDonation(
        tx,
        { by: sampleContentCaller, expected: undefined, settings, now: later < now ? later : now },
        one,
        { status }
      )
    }
    await seedStory(tx, sample, id, { settings, paths, now })
    await seedNews(tx, sample, id, { settings, paths, now })
    if (sample.status !== 'open') {
      const input = { status: sample.status }
      await patchCampaign(tx, sampleContentCaller, { id, input, expected: undefined, settings, now })
    }
    return true
  })
}

function toCampaignFields(sample: SampleCampaign): NewCampaign {
  const { language } = sample
  const other = language === 'en' ? 'de' : 'en'
  return {
    name: sample.name[language],
    description: sample.description[language],
    language,
    translations: { [other]: { name: sample.name[other], description: sample.description[other] } },
    donationMinimum: toCents(sample.minimum),
    presetAmounts: sample.presets.map(toCents),
    targetAmount: toCents(sample.target),
    account: { iban: sample.iban, name: sample.holder, nameOfBank: sample.bank }
  }
}

function toNewDonation({ donors, language }: SampleCampaign, index: number): NewDonation {
  const [donorName, amount, message] = donors[index] ?? ['', 0]
  const receiptRequested = amount >= 50
  return {
    amount: toCents(amount),
    donorName,
    receiptRequested,
    showName: index % 3 !== 1,
    message: message ?? null,
    email: index % 2 === 0 ? `${toEmailName(donorName)}@example.org` : null,
    account: { iban: toIban(donorName) },
    address: receiptRequested
      ? { street: `Lindenstraße ${index + 1}`, postalCode: '50667', city: 'Köln', country: 'DE' }
      : null,
    consent: { text: consent[language], version: '1' },
    language
  }
}

function toEmailName(name: string): string {
  const letters = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return letters
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join('.')
}

/** A valid IBAN that no other donor has, because donors who share an IBAN count as the same person. */
function toIban(name: string): string {
  const number = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 10_000_000_000, 7)
  const account = `51210800${String(number).padStart(10, '0')}`
  // "DE00" is 131400 in the digits of the IBAN checksum.
  const check = 98n - (BigInt(`${account}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${account}`
}

/** Spread evenly over the days, at various hours; the last one is recent. */
function getDonationTime(index: number, count: number, now: Date): Date {
  const daysAgo = (days - 1) * (1 - (index + 0.9) / count) + ((index * 7) % 10) / 24
  return new Date(now.getTime() - daysAgo * dayMs - 60_000)
}

/** In a closed campaign all money has arrived; elsewhere some is in process, and some never arrived. */
function getStatus(sample: SampleCampaign, index: number, isLater: boolean): DonationStatus {
  if (sample.status === 'closed') return 'TRANSFERRED'
  if (!isLater) return 'IN_PROCESS'
  if (index % 7 === 4) return 'CANCELLED'
  return index % 4 === 2 ? 'IN_PROCESS' : 'TRANSFERRED'
}

const toCents = (amount: number) => Math.round(amount * 100) as Cents
