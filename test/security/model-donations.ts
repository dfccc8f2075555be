// Model of campaigns and donations: allowed changes of status, totals, idempotency keys and versions.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { foldTotals } from '#fundraising/campaigns/totals/totals.ts'
import { nextStatuses } from '#fundraising/donations/schema.ts'
import type { Effort, Finding } from '../support/security/checks.ts'
import { expectStatus, newCommand, pickByNumber, runModel } from '../support/security/model.ts'
import { campaign, startCampaigns } from '../support/services.ts'

type Status = keyof typeof nextStatuses
const statuses = Object.keys(nextStatuses) as Status[]

interface DonationState {
  id: string
  cents: number
  status: Status
  /** The ETag before the last change, which must be refused. */
  oldTag: string
  gone: boolean
}

interface CampaignState {
  id: number
  state: 'draft' | 'open' | 'closed'
  minimum: number
  deleted: boolean
  oldTag: string
  gifts: DonationState[]
  /** The donation of each idempotency key. */
  keys: Map<string, { cents: number; id: string }>
}

interface Model {
  drives: CampaignState[]
}

type Real = Awaited<ReturnType<typeof startCampaigns>>

export async function checkDonationModel(effort: Effort): Promise<Finding[]> {
  const real = await startCampaigns({ env: { RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' } })
  return [
    await runModel<Model, Real>('model-donations', effort, steps, {
      begin: () => ({ model: { drives: [] }, real }),
      end: compareWithModel
    })
  ]
}

const which = fc.nat(1000)
const cents = fc.integer({ min: 100, max: 3000 })
const state = fc.constantFrom('draft' as const, 'open' as const, 'open' as const, 'closed' as const)
const version = fc.constantFrom('none' as const, 'right' as const, 'stale' as const)

const steps = [
  fc
    .tuple(state, cents)
    .map(([drafted, minimum]) => newCommand<Model, Real>(`create(${drafted}, ${minimum})`, create(drafted, minimum))),
  fc
    .tuple(which, state, cents, version)
    .map(([at, next, minimum, tag]) =>
      newCommand<Model, Real>(`replace(${at}, ${next}, ${tag})`, replace(at, next, minimum, tag))
    ),
  fc.tuple(which, version).map(([at, tag]) => newCommand<Model, Real>(`delete(${at}, ${tag})`, remove(at, tag))),
  which.map(at => newCommand<Model, Real>(`restore(${at})`, restore(at))),
  ...[1, 2, 3].map(() =>
    fc
      .tuple(which, cents, fc.option(fc.constantFrom('a', 'b'), { nil: undefined }))
      .map(([at, amount, key]) => newCommand<Model, Real>(`give(${at}, ${amount}, ${key})`, donate(at, amount, key)))
  ),
  ...[1, 2].map(() =>
    fc
      .tuple(which, which, fc.constantFrom(...statuses), version)
      .map(([at, donationState, next, tag]) =>
        newCommand<Model, Real>(`move(${at}, ${donationState}, ${next}, ${tag})`, move(at, donationState, next, tag))
      )
  ),
  fc
    .tuple(which, which, version)
    .map(([at, donationState, tag]) =>
      newCommand<Model, Real>(`take back(${at}, ${donationState}, ${tag})`, deleteDonation(at, donationState, tag))
    ),
  fc.constant(newCommand<Model, Real>('fold', async (_, { store }) => void (await foldTotals(store))))
]

type Tag = 'none' | 'right' | 'stale'

async function readEtag({ admin }: Real, path: string): Promise<string> {
  return (await admin.get(path)).headers.etag ?? ''
}

/** The If-Match header, and whether it is outdated. */
async function buildVersionHeaders(real: Real, path: string, tag: Tag, oldTag: string) {
  const isStale = tag === 'stale' && oldTag !== ''
  const shown = isStale ? oldTag : tag === 'right' ? await readEtag(real, path) : ''
  return { headers: shown === '' ? {} : { 'if-match': shown }, isStale }
}

const create =
  (drafted: CampaignState['state'], minimum: number) =>
  async (model: Model, { admin }: Real) => {
    const created = await admin.post('/campaigns', { ...campaign, status: drafted, donationMinimum: minimum / 100 })
    expectStatus(created, 201, 'create')
    model.drives.push({
      id: created.body.id,
      state: drafted,
      minimum,
      deleted: false,
      oldTag: '',
      gifts: [],
      keys: new Map()
    })
  }

const replace =
  (at: number, next: CampaignState['state'], minimum: number, tag: Tag) => async (model: Model, real: Real) => {
    const campaignState = pickByNumber(model.drives, at)
    if (campaignState === undefined) return
    const path = `/campaigns/${campaignState.id}`
    const before = await readEtag(real, path)
    const { headers, isStale } = await buildVersionHeaders(real, path, tag, campaignState.oldTag)
    const answer = await real.admin.put(path, { ...campaign, status: next, donationMinimum: minimum / 100 }, headers)
    expectStatus(answer, campaignState.deleted ? 404 : isStale ? 412 : 200, 'replace')
    if (answer.status === 200) Object.assign(campaignState, { state: next, minimum, oldTag: before })
  }

const remove = (at: number, tag: Tag) => async (model: Model, real: Real) => {
  const campaignState = pickByNumber(model.drives, at)
  if (campaignState === undefined) return
  const { headers, isStale } = await buildVersionHeaders(
    real,
    `/campaigns/${campaignState.id}`,
    tag,
    campaignState.oldTag
  )
  const answer = await real.admin.delete(`/campaigns/${campaignState.id}`, headers)
  expectStatus(answer, campaignState.deleted ? 404 : isStale ? 412 : 204, 'delete')
  if (answer.status === 204) campaignState.deleted = true
}

const restore =
  (at: number) =>
  async (model: Model, { admin }: Real) => {
    const campaignState = pickByNumber(model.drives, at)
    if (campaignState === undefined) return
    expectStatus(await admin.post(`/campaigns/${campaignState.id}/restore`), 200, 'restore')
    campaignState.deleted = false
  }

const donate =
  (at: number, amount: number, key: string | undefined) =>
  async (model: Model, { visitor }: Real) => {
    const campaignState = pickByNumber(model.drives, at)
    if (campaignState === undefined) return
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await visitor.post(
      `/campaigns/${campaignState.id}/donations`,
      { amount: amount / 100, donorName: 'Ada', account: { iban: 'DE02120300000000202051', name: 'Ada' } },
      headers
    )
    const repeated = key === undefined ? undefined : campaignState.keys.get(key)
    if (repeated !== undefined) {
      expectStatus(answer, repeated.cents === amount ? 201 : 422, 'give again')
      if (answer.status === 201) assert.equal(answer.body.id, repeated.id)
      return
    }
    const expected = campaignState.deleted
      ? 404
      : campaignState.state !== 'open'
        ? 409
        : amount < campaignState.minimum
          ? 422
          : 201
    expectStatus(answer, expected, 'give')
    if (answer.status !== 201) return
    const { id } = answer.body
    campaignState.gifts.push({ id, cents: amount, status: 'IN_PROCESS', oldTag: '', gone: false })
    if (key !== undefined) campaignState.keys.set(key, { cents: amount, id })
  }

const move = (at: number, number: number, next: Status, tag: Tag) => async (model: Model, real: Real) => {
  const campaignState = pickByNumber(model.drives, at)
  const donationState = pickByNumber(campaignState?.gifts ?? [], number)
  if (campaignState === undefined || donationState === undefined) return
  const path = `/campaigns/${campaignState.id}/donations/${donationState.id}`
  const before = await readEtag(real, path)
  const { headers, isStale } = await buildVersionHeaders(real, path, tag, donationState.oldTag)
  const answer = await real.admin.patch(path, { status: next }, headers)
  const isAllowed = next === donationState.status || nextStatuses[donationState.status].includes(next)
  expectStatus(
    answer,
    campaignState.deleted || donationState.gone ? 404 : isStale ? 412 : isAllowed ? 200 : 422,
    'move'
  )
  if (answer.status === 200 && donationState.status !== next)
    Object.assign(donationState, { status: next, oldTag: before })
}

const deleteDonation = (at: number, number: number, tag: Tag) => async (model: Model, real: Real) => {
  const campaignState = pickByNumber(model.drives, at)
  const donationState = pickByNumber(campaignState?.gifts ?? [], number)
  if (campaignState === undefined || donationState === undefined) return
  const path = `/campaigns/${campaignState.id}/donations/${donationState.id}`
  const { headers, isStale } = await buildVersionHeaders(real, path, tag, donationState.oldTag)
  const answer = await real.admin.delete(path, headers)
  const isAllowed = donationState.status === 'IN_PROCESS' || donationState.status === 'CANCELLED'
  expectStatus(
    answer,
    campaignState.deleted || donationState.gone ? 404 : isStale ? 412 : isAllowed ? 204 : 409,
    'take back'
  )
  if (answer.status === 204) donationState.gone = true
}

/** Compares everything that can be read with the model. */
async function compareWithModel({ drives }: Model, { admin, visitor }: Real): Promise<void> {
  const listed = (await visitor.get('/campaigns')).body.map(({ id }: { id: number }) => id)
  for (const campaignState of drives) {
    const path = `/campaigns/${campaignState.id}`
    const isPublic = !campaignState.deleted && campaignState.state !== 'draft'
    expectStatus(await visitor.get(path), isPublic ? 200 : 404, `a visitor at ${path}`)
    assert.equal(listed.includes(campaignState.id), isPublic, `${path} in the list`)
    const { status, body } = await admin.get(path)
    assert.equal(status, campaignState.deleted ? 404 : 200)
    if (campaignState.deleted) continue
    const existing = campaignState.gifts.filter(({ gone }) => !gone)
    const counted = existing.filter(({ status }) => status === 'IN_PROCESS' || status === 'TRANSFERRED')
    const sum = (gifts: DonationState[]) => gifts.reduce((total, donationState) => total + donationState.cents, 0) / 100
    assert.deepEqual(
      {
        status: body.status,
        count: body.donationCount,
        donated: body.amountDonatedSoFar,
        transferred: body.amountTransferred
      },
      {
        status: campaignState.state,
        count: counted.length,
        donated: sum(counted),
        transferred: sum(counted.filter(({ status }) => status === 'TRANSFERRED'))
      },
      path
    )
    const shown = (await admin.get(`${path}/donations?limit=100`)).body
    assert.deepEqual(
      Object.fromEntries(shown.map((one: { id: string; status: string }) => [one.id, one.status])),
      Object.fromEntries(existing.map(donationState => [donationState.id, donationState.status])),
      `donations of ${path}`
    )
  }
}
