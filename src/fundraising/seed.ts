import { callerAtTheMachine } from '#platform/access.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database.ts'
import { createCampaign, replaceCampaign } from './campaigns/campaign.ts'
import * as campaigns from './campaigns/queries.ts'
import type { CampaignStatus } from './campaigns/schema.ts'
import { changeDonation, donate } from './donations/donation.ts'
import type { Cents } from './money.ts'

interface Sample {
  name: string
  description: string
  minimum: number
  target: number
  status: CampaignStatus
  holder: string
  iban: string
  bank: string
  donors: [name: string, amount: number, message?: string][]
}

/** Accounts are the banks' own published examples; people and places are made up. */
const samples: Sample[] = [
  {
    name: 'Ein neues Dach für die Musikschule',
    description:
      'Seit dem Herbststurm stehen Eimer im Probenraum. Mit 24.000 € decken wir das Dach neu, bevor der nächste Winter kommt. Jeder Quadratmeter kostet 85 €.',
    minimum: 5,
    target: 24_000,
    status: 'open',
    holder: 'Musikschule Lindenhof e. V.',
    iban: 'DE89370400440532013000',
    bank: 'Beispielbank Köln',
    donors: [
      ['Annegret Vogt', 85, 'Ein Quadratmeter für die Geigen!'],
      ['Familie Öztürk', 170, 'Unsere Kinder lernen hier seit vier Jahren.'],
      ['Jürgen Weiß', 25],
      ['Bäckerei Schäfer', 500, 'Gute Musik braucht ein trockenes Zuhause.'],
      ['Svenja Krüger', 40],
      ['Chor der Lindenkirche', 612.4, 'Kollekte vom Erntedankkonzert'],
      ['Matthias Groß', 15],
      ['Ewa Nowak', 50]
    ]
  },
  {
    name: 'Winter shelter for cats',
    description:
      'Forty cats, one old barn, and frost from November on. We insulate the barn, buy heat mats and pay the vet. Every euro keeps a paw warm.',
    minimum: 1,
    target: 6500,
    status: 'open',
    holder: 'Riverside Animal Shelter',
    iban: 'IE29AIBK93115212345678',
    bank: 'Example Bank Dublin',
    donors: [
      ['Aoife Byrne', 20, 'For Mittens, who found us here.'],
      ['Tom Hargreaves', 35],
      ['Class 4b, Hill Street School', 187.35, 'We sold cakes!'],
      ['Priya Raman', 60],
      ['Liam O’Connor', 10],
      ['Grace Adeyemi', 45, 'Thank you for what you do.']
    ]
  },
  {
    name: 'Lesepaten für die Grundschule',
    description:
      'Zwanzig Ehrenamtliche lesen jede Woche mit Kindern. Wir brauchen Bücher in acht Sprachen, Fahrkarten und einen Schrank, der sich abschließen lässt.',
    minimum: 2.5,
    target: 3200,
    status: 'open',
    holder: 'Förderverein Grundschule am Anger',
    iban: 'DE02120300000000202051',
    bank: 'Beispielbank Berlin',
    donors: [
      ['Hannelore Böhm', 30, 'Lesen ist alles.'],
      ['Buchhandlung Seite Eins', 250],
      ['Karim Haddad', 12.5],
      ['Ulrike und Bernd Maaß', 100]
    ]
  },
  {
    name: 'Clean water for Mbale',
    description:
      'Three wells for three villages, built by people who live there. One well serves 400 people for thirty years.',
    minimum: 10,
    target: 15_000,
    status: 'closed',
    holder: 'Water Together',
    iban: 'GB29NWBK60161331926819',
    bank: 'Example Bank London',
    donors: [
      ['Margaret Ellis', 1500, 'In memory of my father, who dug wells.'],
      ['Northgate Rowing Club', 4380],
      ['Daniel Okello', 75],
      ['The Friday Choir', 2215.5],
      ['J. and S. Whitcombe', 7000]
    ]
  },
  {
    name: 'Instrumente für das Jugendorchester',
    description: 'Entwurf: zwei Celli, ein Fagott und eine Pauke, die nicht bei jedem Wetter anders klingt.',
    minimum: 5,
    target: 11_800,
    status: 'draft',
    holder: 'Musikschule Lindenhof e. V.',
    iban: 'DE89370400440532013000',
    bank: 'Beispielbank Köln',
    donors: []
  }
]

const sampleContent = callerAtTheMachine('sample content')
const dayMs = 86_400_000
/** Any number, as long as nothing else in the database locks it. */
const seedLock = 4_202_611_151

/** Fills in sample campaigns with donations of the last weeks; answers how many it made. Those that are there stay as they are. */
export async function seedFundraising(db: Database, settings: Settings, now = new Date()): Promise<number> {
  let made = 0
  for (const sample of samples) if (await makeSample(db, settings, sample, now)) made += 1
  return made
}

async function makeSample(db: Database, settings: Settings, sample: Sample, now: Date): Promise<boolean> {
  return await db.transaction(async tx => {
    await tx.script(`select pg_advisory_xact_lock(${seedLock})`)
    if (await campaigns.existsNamed(tx, sample.name)) return false

    const start = new Date(now.getTime() - 60 * dayMs)
    const account = { iban: sample.iban, name: sample.holder, nameOfBank: sample.bank }
    const fields = {
      name: sample.name,
      description: sample.description,
      donationMinimum: cents(sample.minimum),
      targetAmount: cents(sample.target),
      account
    }
    // Open while the donations come in: a closed one takes none.
    const { id } = await createCampaign(tx, sampleContent, { ...fields, status: 'open' }, settings.currency, start)
    for (const [index, [donorName, amount, message]] of sample.donors.entries()) {
      const at = new Date(start.getTime() + (index + 1) * 6.3 * dayMs)
      const donation = await donate(
        tx,
        sampleContent,
        id,
        {
          amount: cents(amount),
          donorName,
          receiptRequested: amount >= 50,
          showName: message !== undefined,
          message: message ?? null,
          account: { iban: index % 2 === 0 ? 'DE75512108001245126199' : 'AT483200000012345864' }
        },
        { now: at }
      )
      const later = new Date(at.getTime() + 3 * dayMs)
      const one = { campaignId: id, id: donation.id }
      if (index % 5 === 4) await changeDonation(tx, sampleContent, one, { status: 'CANCELLED' }, undefined, later)
      else if (later < now && index % 3 !== 2)
        await changeDonation(tx, sampleContent, one, { status: 'TRANSFERRED' }, undefined, later)
    }
    if (sample.status !== 'open') {
      await replaceCampaign(tx, sampleContent, id, { ...fields, status: sample.status }, undefined, now)
    }
    return true
  })
}

const cents = (amount: number) => Math.round(amount * 100) as Cents
