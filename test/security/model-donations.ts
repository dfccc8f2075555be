// Campaigns and donations: who may do what next, what a campaign has collected, and that a key or a version is kept to.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { foldTotals } from '#fundraising/campaigns/totals/totals.ts'
import { nextStatuses } from '#fundraising/donations/schema.ts'
import type { Effort, Finding } from '../support/security/checks.ts'
import { expectStatus, newCommand, pickByNumber, runModel } from '../support/security/model.ts'
import { campaign, startCampaigns } from '../support/services.ts'

type Status = keyof typeof nextStatuses
const statuses = Object.keys(nextStatuses) as Status[]

interface Gift {
  id: string
  cents: number
  status: Status
  /** The ETag before the last change, which must be refused. */
  oldTag: string
  gone: boolean
}

interface Drive {
  id: number
  state: 'draft' | 'open' | 'closed'
  minimum: number
  deleted: boolean
  oldTag: string
  gifts: Gift[]
  /** The donation that was made with an idempotency key. */
  keys: Map<string, { cents: number; id: string }>
}

interface Model {
  drives: Drive[]
}

type Real = Awaited<ReturnType<typeof startCampaigns>>

export async function checkDonationModel(effort: Effort): Promise<Finding[]> {
  const real = await startCampaigns({ env: { RATE_LIMIT_DONATIONS_PER_ACCOUNT: '0' } })
  return [
    await runModel<Model, Real>('model-donations', effort, steps, {
      begin: () => ({ model: { drives: [] }, real }),
      end: agree
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
      .map(([at, amount, key]) => newCommand<Model, Real>(`give(${at}, ${amount}, ${key})`, give(at, amount, key)))
  ),
  ...[1, 2].map(() =>
    fc
      .tuple(which, which, fc.constantFrom(...statuses), version)
      .map(([at, gift, next, tag]) =>
        newCommand<Model, Real>(`move(${at}, ${gift}, ${next}, ${tag})`, move(at, gift, next, tag))
      )
  ),
  fc
    .tuple(which, which, version)
    .map(([at, gift, tag]) => newCommand<Model, Real>(`take back(${at}, ${gift}, ${tag})`, takeBack(at, gift, tag))),
  fc.constant(newCommand<Model, Real>('fold', async (_, { store }) => void (await foldTotals(store))))
]

type Tag = 'none' | 'right' | 'stale'

async function tagOf({ admin }: Real, path: string): Promise<string> {
  return (await admin.get(path)).headers.etag ?? ''
}

/** The header that a writer sends, and whether it is refused for it. */
async function withTag(real: Real, path: string, tag: Tag, oldTag: string) {
  const isStale = tag === 'stale' && oldTag !== ''
  const shown = isStale ? oldTag : tag === 'right' ? await tagOf(real, path) : ''
  return { headers: shown === '' ? {} : { 'if-match': shown }, isStale }
}

const create =
  (drafted: Drive['state'], minimum: number) =>
  async (model: Model, { admin }: Real) => {
    const made = await admin.post('/campaigns', { ...campaign, status: drafted, donationMinimum: minimum / 100 })
    expectStatus(made, 201, 'create')
    model.drives.push({
      id: made.body.id,
      state: drafted,
      minimum,
      deleted: false,
      oldTag: '',
      gifts: [],
      keys: new Map()
    })
  }

const replace = (at: number, next: Drive['state'], minimum: number, tag: Tag) => async (model: Model, real: Real) => {
  const drive = pickByNumber(model.drives, at)
  if (drive === undefined) return
  const path = `/campaigns/${drive.id}`
  const before = await tagOf(real, path)
  const { headers, isStale } = await withTag(real, path, tag, drive.oldTag)
  const answer = await real.admin.put(path, { ...campaign, status: next, donationMinimum: minimum / 100 }, headers)
  expectStatus(answer, drive.deleted ? 404 : isStale ? 412 : 200, 'replace')
  if (answer.status === 200) Object.assign(drive, { state: next, minimum, oldTag: before })
}

const remove = (at: number, tag: Tag) => async (model: Model, real: Real) => {
  const drive = pickByNumber(model.drives, at)
  if (drive === undefined) return
  const { headers, isStale } = await withTag(real, `/campaigns/${drive.id}`, tag, drive.oldTag)
  const answer = await real.admin.delete(`/campaigns/${drive.id}`, headers)
  expectStatus(answer, drive.deleted ? 404 : isStale ? 412 : 204, 'delete')
  if (answer.status === 204) drive.deleted = true
}

const restore =
  (at: number) =>
  async (model: Model, { admin }: Real) => {
    const drive = pickByNumber(model.drives, at)
    if (drive === undefined) return
    expectStatus(await admin.post(`/campaigns/${drive.id}/restore`), 200, 'restore')
    drive.deleted = false
  }

const give =
  (at: number, amount: number, key: string | undefined) =>
  async (model: Model, { visitor }: Real) => {
    const drive = pickByNumber(model.drives, at)
    if (drive === undefined) return
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await visitor.post(
      `/campaigns/${drive.id}/donations`,
      { amount: amount / 100, donorName: 'Ada', account: { iban: 'DE02120300000000202051', name: 'Ada' } },
      headers
    )
    const given = key === undefined ? undefined : drive.keys.get(key)
    if (given !== undefined) {
      expectStatus(answer, given.cents === amount ? 201 : 422, 'give again')
      if (answer.status === 201) assert.equal(answer.body.id, given.id)
      return
    }
    const expected = drive.deleted ? 404 : drive.state !== 'open' ? 409 : amount < drive.minimum ? 422 : 201
    expectStatus(answer, expected, 'give')
    if (answer.status !== 201) return
    const { id } = answer.body
    drive.gifts.push({ id, cents: amount, status: 'IN_PROCESS', oldTag: '', gone: false })
    if (key !== undefined) drive.keys.set(key, { cents: amount, id })
  }

const move = (at: number, number: number, next: Status, tag: Tag) => async (model: Model, real: Real) => {
  const drive = pickByNumber(model.drives, at)
  const gift = pickByNumber(drive?.gifts ?? [], number)
  if (drive === undefined || gift === undefined) return
  const path = `/campaigns/${drive.id}/donations/${gift.id}`
  const before = await tagOf(real, path)
  const { headers, isStale } = await withTag(real, path, tag, gift.oldTag)
  const answer = await real.admin.patch(path, { status: next }, headers)
  const isAllowed = next === gift.status || nextStatuses[gift.status].includes(next)
  expectStatus(answer, drive.deleted || gift.gone ? 404 : isStale ? 412 : isAllowed ? 200 : 422, 'move')
  if (answer.status === 200 && gift.status !== next) Object.assign(gift, { status: next, oldTag: before })
}

const takeBack = (at: number, number: number, tag: Tag) => async (model: Model, real: Real) => {
  const drive = pickByNumber(model.drives, at)
  const gift = pickByNumber(drive?.gifts ?? [], number)
  if (drive === undefined || gift === undefined) return
  const path = `/campaigns/${drive.id}/donations/${gift.id}`
  const { headers, isStale } = await withTag(real, path, tag, gift.oldTag)
  const answer = await real.admin.delete(path, headers)
  const isAllowed = gift.status === 'IN_PROCESS' || gift.status === 'CANCELLED'
  expectStatus(answer, drive.deleted || gift.gone ? 404 : isStale ? 412 : isAllowed ? 204 : 409, 'take back')
  if (answer.status === 204) gift.gone = true
}

/** Everything that can be read is what the model says. */
async function agree({ drives }: Model, { admin, visitor }: Real): Promise<void> {
  const listed = (await visitor.get('/campaigns')).body.map(({ id }: { id: number }) => id)
  for (const drive of drives) {
    const path = `/campaigns/${drive.id}`
    const isPublic = !drive.deleted && drive.state !== 'draft'
    expectStatus(await visitor.get(path), isPublic ? 200 : 404, `a visitor at ${path}`)
    assert.equal(listed.includes(drive.id), isPublic, `${path} in the list`)
    const { status, body } = await admin.get(path)
    assert.equal(status, drive.deleted ? 404 : 200)
    if (drive.deleted) continue
    const live = drive.gifts.filter(({ gone }) => !gone)
    const counted = live.filter(({ status }) => status === 'IN_PROCESS' || status === 'TRANSFERRED')
    const sum = (gifts: Gift[]) => gifts.reduce((total, gift) => total + gift.cents, 0) / 100
    assert.deepEqual(
      {
        status: body.status,
        count: body.donationCount,
        donated: body.amountDonatedSoFar,
        transferred: body.amountTransferred
      },
      {
        status: drive.state,
        count: counted.length,
        donated: sum(counted),
        transferred: sum(counted.filter(({ status }) => status === 'TRANSFERRED'))
      },
      path
    )
    const shown = (await admin.get(`${path}/donations?limit=100`)).body
    assert.deepEqual(
      Object.fromEntries(shown.map((one: { id: string; status: string }) => [one.id, one.status])),
      Object.fromEntries(live.map(gift => [gift.id, gift.status])),
      `donations of ${path}`
    )
  }
}
