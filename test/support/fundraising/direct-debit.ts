// Donations that are collected, and their file read as a bank would: by its schema, and by adding it up.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'
import { sql } from '#platform/database/sql.ts'
import { root } from '../project-root.ts'
import { donation, startCampaigns } from '../services.ts'

/** Of our own: it knows only what we write, and asks for more than ISO's. */
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
    // A thousand debits need more than the usual.
    initialMemoryPages: 1024,
    maxMemoryPages: 4096
  })
  return files.map((_, index) =>
    errors.filter(({ loc }) => loc?.fileName === `${index}.xml`).map(({ message }) => message)
  )
}

/** The contents of all elements of a name. */
export function listValues(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(
    ([, value = '']) => value
  )
}

/** In cents, by digits. */
const centsOf = (amount: string) => Number(amount.replace('.', ''))

/** Refuses a file whose numbers and sums are not those of its debits; answers both. */
export function sumTransactions(xml: string): { count: number; cents: number } {
  const sumOf = (part: string) => listValues(part, 'InstdAmt').reduce((sum, amount) => sum + centsOf(amount), 0)
  const blocks = xml.split('<PmtInf>').slice(1)
  const said = { counts: listValues(xml, 'NbOfTxs').map(Number), sums: listValues(xml, 'CtrlSum').map(centsOf) }
  assert.deepEqual(
    said.counts.slice(1),
    blocks.map(block => listValues(block, 'InstdAmt').length)
  )
  assert.deepEqual(said.sums.slice(1), blocks.map(sumOf))
  assert.deepEqual([said.counts[0], said.sums[0]], [listValues(xml, 'InstdAmt').length, sumOf(xml)])
  return { count: said.counts[0] ?? 0, cents: said.sums[0] ?? 0 }
}

/** A donation that was made with a mandate. */
export interface CreatedCollection {
  id: string
  campaignId: number
  reference: string
  donorToken: string
  path: string
}

/** An organisation that collects direct debits; its emails stay in the outbox because no worker runs. */
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

  async function promised(campaignId: number, fields: object = {}): Promise<CreatedCollection> {
    const made = await visitor.post(`/campaigns/${campaignId}/donations`, {
      ...donation,
      email: 'ada@example.org',
      mandate: { text: texts.de },
      ...fields
    })
    assert.equal(made.status, 201, made.text)
    return { ...made.body, path: `/campaigns/${campaignId}/donations/${made.body.id}` }
  }

  /** A campaign with so many of them, and a collection of these. */
  async function collected(count = 2, fields: object = {}) {
    const { id: campaignId } = await aCampaign()
    const donations: CreatedCollection[] = []
    for (let index = 0; index < count; index += 1) donations.push(await promised(campaignId, fields))
    const made = await treasurer.post('/collections', { campaignId })
    assert.equal(made.status, 201, made.text)
    return { campaignId, donations, collection: made.body, path: `/collections/${made.body.id}` }
  }

  return {
    ...started,
    treasurer,
    editor,
    promised,
    collected,
    /** As if the day of a collection had come. */
    onTheDay: async (id: number) => {
      await store.run(sql`update fundraising.collections set collect_on = current_date - 1 where id = ${id}`)
    },
    statusesOf: async (donations: CreatedCollection[]) =>
      await Promise.all(donations.map(async ({ path }) => (await treasurer.get(path)).body.status)),
    logged: () => lines.join('\n')
  }
}
