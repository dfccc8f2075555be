// Model of events with their terms, venues and translations: lists per role, counts and the trash.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Effort, Finding } from '../support/security/checks.ts'
import { expectStatus, newCommand, pickByNumber, runModel } from '../support/security/model.ts'
import { calendar, event, startCalendar, type TestResponse } from '../support/services.ts'

type Language = 'en' | 'de'
type Taxonomy = 'categories' | 'tags'
type Status = 'publish' | 'draft' | 'pending' | 'private'

interface Term {
  id: number
  parent: Term | undefined
  gone: boolean
}

interface Venue {
  id: number
  status: 'publish' | 'trash' | 'gone'
}

interface Happening {
  id: number
  status: Status | 'trash' | 'gone'
  titles: Partial<Record<Language, string>>
  venue: Venue | undefined
  categories: Term[]
  tags: Term[]
}

interface Model {
  /** In every title, so that a search finds what one sequence made. */
  mark: string
  categories: Term[]
  tags: Term[]
  venues: Venue[]
  events: Happening[]
}

type Real = Awaited<ReturnType<typeof startCalendar>>

export async function checkEventModel(effort: Effort): Promise<Finding[]> {
  const real = await startCalendar()
  let sequences = 0
  const begin = () => {
    sequences += 1
    const model: Model = {
      mark: `sequence${effort.seed}x${sequences}x`,
      categories: [],
      tags: [],
      venues: [],
      events: []
    }
    return { model, real }
  }
  return [await runModel<Model, Real>('model-events', effort, steps, { begin, end: agree })]
}

const which = fc.nat(1000)
const some = fc.array(which, { maxLength: 3 })
const status = fc.constantFrom<Status>('publish', 'publish', 'draft', 'pending', 'private')
const language = fc.constantFrom<Language>('en', 'de')
const taxonomy = fc.constantFrom<Taxonomy>('categories', 'tags')
const mentioned = fc.record(
  { status, categories: some, tags: some, venue: fc.option(which, { nil: null }), language },
  { requiredKeys: ['language'] }
)
type Mentioned = {
  language: Language
  status?: Status
  categories?: number[]
  tags?: number[]
  venue?: number | null
}
const an = (name: string, run: (model: Model, real: Real) => Promise<void>) => newCommand<Model, Real>(name, run)

const steps = [
  fc
    .tuple(taxonomy, fc.option(which, { nil: undefined }))
    .map(([kind, above]) => an(`name(${kind}, ${above})`, name(kind, above))),
  fc.tuple(taxonomy, which).map(([kind, at]) => an(`forget(${kind}, ${at})`, forget(kind, at))),
  fc.constant(an('open a venue', openVenue)),
  fc
    .tuple(which, fc.constantFrom('trash', 'restore', 'remove'))
    .map(([at, how]) => an(`${how} venue(${at})`, changeVenue(at, how))),
  ...[1, 2].map(() => mentioned.map(said => an(`announce(${JSON.stringify(said)})`, announce(said)))),
  ...[1, 2].map(() =>
    fc
      .tuple(which, mentioned, fc.boolean())
      .map(([at, said, titled]) => an(`edit(${at}, ${JSON.stringify(said)}, ${titled})`, edit(at, said, titled)))
  ),
  fc.tuple(which, fc.boolean()).map(([at, force]) => an(`${force ? 'remove' : 'trash'} event(${at})`, drop(at, force))),
  fc.tuple(which, language).map(([at, one]) => an(`remove text(${at}, ${one})`, removeText(at, one)))
]

let names = 0
const aName = (mark: string) => `${mark} ${++names}`

const name =
  (kind: Taxonomy, above: number | undefined) =>
  async (model: Model, { admin }: Real) => {
    const parent =
      kind === 'tags' || above === undefined ? undefined : pickByNumber(model.categories.filter(isThere), above)
    const fields = { name: aName(model.mark), ...(parent === undefined ? {} : { parent: parent.id }) }
    const made = await admin.post(`${calendar}/${kind}`, fields)
    expectStatus(made, 201, kind)
    model[kind].push({ id: made.body.id, parent, gone: false })
  }

const forget =
  (kind: Taxonomy, at: number) =>
  async (model: Model, { admin }: Real) => {
    const term = pickByNumber(model[kind], at)
    if (term === undefined) return
    expectStatus(await admin.delete(`${calendar}/${kind}/${term.id}`), term.gone ? 404 : 200, `forget one of ${kind}`)
    term.gone = true
    // Its children move up.
    for (const below of model[kind]) if (below.parent === term) below.parent = term.parent
    for (const one of model.events) one[kind] = one[kind].filter(own => own !== term)
  }

async function openVenue(model: Model, { admin }: Real): Promise<void> {
  const made = await admin.post(`${calendar}/venues`, { venue: aName(model.mark) })
  expectStatus(made, 201, 'venue')
  model.venues.push({ id: made.body.id, status: 'publish' })
}

const changeVenue =
  (at: number, how: string) =>
  async (model: Model, { admin }: Real) => {
    const venue = pickByNumber(model.venues, at)
    if (venue === undefined) return
    const path = `${calendar}/venues/${venue.id}`
    const { status: before } = venue
    if (how === 'restore') {
      expectStatus(await admin.patch(path, { status: 'publish' }), before === 'gone' ? 404 : 200, 'restore a venue')
      if (before !== 'gone') venue.status = 'publish'
      return
    }
    const answer = await admin.delete(`${path}${how === 'remove' ? '?force=true' : ''}`)
    expectStatus(answer, before === 'gone' ? 404 : before === 'trash' && how === 'trash' ? 410 : 200, `${how} a venue`)
    if (before === 'gone') return
    venue.status = how === 'remove' ? 'gone' : 'trash'
    if (how === 'remove') for (const one of model.events) if (one.venue === venue) one.venue = undefined
  }

const isThere = ({ gone }: Term) => !gone
const chosen = (terms: Term[], numbers: number[]) => [
  ...new Set(numbers.flatMap(number => pickByNumber(terms.filter(isThere), number) ?? []))
]

/** The input, as a request body and as the state of the model. */
function read(model: Model, said: Mentioned) {
  const known: Partial<Happening> = {}
  if (said.status !== undefined) known.status = said.status
  for (const kind of ['categories', 'tags'] as const) {
    const numbers = said[kind]
    if (numbers !== undefined) known[kind] = chosen(model[kind], numbers)
  }
  const open = model.venues.filter(venue => venue.status === 'publish')
  const venue = typeof said.venue === 'number' ? pickByNumber(open, said.venue) : undefined
  if (said.venue === null || venue !== undefined) known.venue = venue
  const ids = (terms: Term[] | undefined) => terms?.map(({ id }) => id)
  const body = {
    status: known.status,
    categories: ids(known.categories),
    tags: ids(known.tags),
    venue: 'venue' in known ? (venue?.id ?? null) : undefined
  }
  return { known, body }
}

const announce =
  (said: Mentioned) =>
  async (model: Model, { admin }: Real) => {
    const { known, body } = read(model, said)
    const title = aName(model.mark)
    const made = await admin.post(`${calendar}/events?language=${said.language}`, { ...event, ...body, title })
    expectStatus(made, 201, 'announce')
    model.events.push({
      id: made.body.id,
      status: 'publish',
      titles: { [said.language]: title },
      venue: undefined,
      categories: [],
      tags: [],
      ...known
    })
  }

const edit =
  (at: number, said: Mentioned, titled: boolean) =>
  async (model: Model, { admin }: Real) => {
    const one = pickByNumber(model.events, at)
    if (one === undefined) return
    const { known, body } = read(model, said)
    // A venue in the trash is shown as none; sending that back changes nothing.
    if (said.venue === null && one.venue?.status === 'trash') known.venue = one.venue
    const title = titled ? aName(model.mark) : undefined
    const path = `${calendar}/events/${one.id}?language=${said.language}`
    const answer = await admin.patch(path, { ...body, title })
    const isAway = one.status === 'gone' || (one.status === 'trash' && said.status === undefined)
    expectStatus(answer, isAway ? 404 : 200, 'edit')
    if (isAway) return
    Object.assign(one, known)
    if (title !== undefined) one.titles[said.language] = title
  }

const drop =
  (at: number, force: boolean) =>
  async (model: Model, { admin }: Real) => {
    const one = pickByNumber(model.events, at)
    if (one === undefined) return
    const answer = await admin.delete(`${calendar}/events/${one.id}${force ? '?force=true' : ''}`)
    expectStatus(answer, one.status === 'gone' ? 404 : one.status === 'trash' && !force ? 410 : 200, 'drop')
    if (one.status !== 'gone') one.status = force ? 'gone' : 'trash'
  }

const removeText =
  (at: number, removed: Language) =>
  async (model: Model, { admin }: Real) => {
    const one = pickByNumber(model.events, at)
    if (one === undefined) return
    const answer = await admin.delete(`${calendar}/events/${one.id}?text_only=true&language=${removed}`)
    const isAway = one.status === 'gone' || one.status === 'trash'
    const isOne = one.titles[removed] !== undefined && Object.keys(one.titles).length > 1
    expectStatus(answer, isAway ? 404 : isOne ? 200 : 400, 'remove a text')
    if (!isAway && isOne) delete one.titles[removed]
  }

const idsIn = ({ body }: TestResponse, collection: string): number[] =>
  (body[collection] ?? []).map(({ id }: { id: number }) => id).sort(upwards)
const idsOf = (things: { id: number }[]) => things.map(({ id }) => id).sort(upwards)
const upwards = (one: number, other: number) => one - other

/** Compares everything that can be read with the model, as a visitor and as an editor. */
async function agree(model: Model, { admin, visitor }: Real): Promise<void> {
  const { mark, events } = model
  const listed = `${calendar}/events?per_page=50&search=${mark}`
  const published = events.filter(({ status }) => status === 'publish')
  const kept = events.filter(({ status }) => status !== 'trash' && status !== 'gone')
  assert.deepEqual(idsIn(await visitor.get(listed), 'events'), idsOf(published), 'what everybody finds')
  const states = 'status=publish,draft,pending,private'
  assert.deepEqual(idsIn(await admin.get(`${listed}&${states}`), 'events'), idsOf(kept), 'what an editor finds')
  const trashed = events.filter(({ status }) => status === 'trash')
  assert.deepEqual(idsIn(await admin.get(`${listed}&status=trash`), 'events'), idsOf(trashed), 'the trash')

  for (const one of events) await agreeOn(one, { admin, visitor })
  for (const kind of ['categories', 'tags'] as const) {
    for (const term of model[kind]) {
      const { status, body } = await visitor.get(`${calendar}/${kind}/${term.id}`)
      assert.equal(status, term.gone ? 404 : 200)
      if (term.gone) continue
      assert.equal(body.count, published.filter(one => one[kind].includes(term)).length, `${kind} ${term.id}`)
      if (kind === 'categories') assert.equal(body.parent, term.parent?.id ?? 0)
    }
  }
  for (const venue of model.venues) {
    const { status } = await visitor.get(`${calendar}/venues/${venue.id}`)
    assert.equal(status, venue.status === 'publish' ? 200 : 404, `venue ${venue.id}`)
  }
}

async function agreeOn(one: Happening, { admin, visitor }: Pick<Real, 'admin' | 'visitor'>): Promise<void> {
  const path = `${calendar}/events/${one.id}`
  const isAway = one.status === 'gone' || one.status === 'trash'
  expectStatus(await visitor.get(path), isAway ? 404 : one.status === 'publish' ? 200 : 403, `a visitor at ${path}`)
  for (const language of ['en', 'de'] as const) {
    const { status, body } = await admin.get(`${path}?language=${language}`)
    assert.equal(status, isAway ? 404 : 200, path)
    if (isAway) continue
    assert.deepEqual(
      {
        title: body.title,
        status: body.status,
        categories: idsOf(body.categories),
        tags: idsOf(body.tags),
        venue: body.venue?.id
      },
      {
        title: one.titles[language] ?? one.titles.en ?? one.titles.de,
        status: one.status,
        categories: idsOf(one.categories),
        tags: idsOf(one.tags),
        venue: one.venue?.status === 'publish' ? one.venue.id : undefined
      },
      `${path} in ${language}`
    )
  }
}
