// Creates direct debit batches, and checks their files as a bank would: by the schema and by the sums.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'
import { sql } from '#platform/database/sql.ts'
import { root } from '../project-root.ts'
import { donation, startCampaigns } from '../services.ts'

/** Our own schema: it allows only the elements that we write, and is stricter than that of ISO. */
const strictSchema = readFileSync(
  join(root, 'src/fundraising/payments/direct-debit/fixtures/pain.008.001.08-core.xsd'),
  'utf8'
)

export async function findSchemaErrors(...files: string[]): Promise<string[][]> {
  return await findErrorsBySchema(strictSchema, files)
}

/** The schema errors of several files in one run, because starting the validator takes longer than its work. */
export async function findErrorsBySchema(schema: string, files: string[]): Promise<string[][]> {
  const { errors } = await validateXML({
    xml: files.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: [{ fileName: 'pain.008.xsd', contents: schema }],
    // A thousand debits need more memory than the default.
    initialMemoryPages: 1024,
    maxMemoryPages: 4096
  })
  return files.map((_, index) =>
    errors.filter(({ loc }) => loc?.fileName === `${index}.xml`).map(({ message }) => message)
  )
}

/** The contents of all elements with a name. */
export function listValues(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(
    ([, value = '']) => value
  )
}

/** Removes the decimal point instead of multiplying, so that the result is exact. */
const toCents = (amount: string) => Number(amount.replace('.', ''))

/** Asserts that the counts and sums of a file are those of its debits, and returns both. */
export function sumTransactions(xml: string): { count: number; cents: number } {
  const sumAmounts = (part: string) => listValues(part, 'InstdAmt').reduce((sum, amount) => sum + toCents(amount), 0)
  const blocks = xml.split('<PmtInf>').slice(1)
  const declared = { counts: listValues(xml, 'NbOfTxs').map(Number), sums: listValues(xml, 'CtrlSum').map(toCents) }
  assert.deepEqual(
    declared.counts.slice(1),
    blocks.map(block => listValues(block, 'InstdAmt').length)
  )
  assert.deepEqual(declared.sums.slice(1), blocks.map(sumAmounts))
  assert.deepEqual([declared.counts[0], declared.sums[0]], [listValues(xml, 'InstdAmt').length, sumAmounts(xml)])
  return { count: declared.counts[0] ?? 0, cents: declared.sums[0] ?? 0 }
}

/** A donation with a mandate. */
export interface DonationWithMandate {
  id: string
  campaignId: number
  reference: string
  donorToken: string
  path: string
}

/** Starts a service whose organisation collects direct debits; emails stay in the outbox because no worker runs. */
export async function startDirectDebits() {
  const lines: string[] = []
  const write = (...args: unknown[]) => void lines.push(JSON.stringify(args))
  const log = { debug: write, info: write, warn: write, error: write } as never
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'give@example.org' }
  const started = await startCampaigns({ log, env })
  const { admin, visitor, withRole, aCampaign, store } = started
  const [treasurer, editor] = [await withRole('treasurer'), await withRole('editor')]
  await admin.patch('/organisation', { legalName: 'Förderverein Übermut', creditorId: 'DE98ZZZ09999999999' })
  const { texts } = (await visitor.get('/mandate')).body

  async function donateWithMandate(campaignId: number, fields: object = {}): Promise<DonationWithMandate> {
    const created = await visitor.post(`/campaigns/${campaignId}/donations`, {
      ...donation,
      email: 'ada@example.org',
      mandate: { text: texts.de },
      ...fields
    })
    assert.equal(created.status, 201, created.text)
    return { ...created.body, path: `/campaigns/${campaignId}/donations/${created.body.id}` }
  }

  /** Creates a campaign with a number of donations with mandates, and a collection of them. */
  async function createCollection(count = 2, fields: object = {}) {
    const { id: campaignId } = await aCampaign()
    const donations: DonationWithMandate[] = []
    for (let index = 0; index < count; index += 1) donations.push(await donateWithMandate(campaignId, fields))
    const created = await treasurer.post('/collections', { campaignId })
    assert.equal(created.status, 201, created.text)
    return { campaignId, donations, collection: created.body, path: `/collections/${created.body.id}` }
  }

  return {
    ...started,
    treasurer,
    editor,
    donateWithMandate,
    createCollection,
    /** Moves the collection date to yesterday. */
    moveCollectionDateToPast: async (id: number) => {
      await store.run(sql`update fundraising.collections set collect_on = current_date - 1 where id = ${id}`)
    },
    readStatuses: async (donations: DonationWithMandate[]) =>
      await Promise.all(donations.map(async ({ path }) => (await treasurer.get(path)).body.status)),
    readLog: () => lines.join('\n')
  }
}
