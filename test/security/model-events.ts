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

interface EventState {
  id: number
  status: Status | 'trash' | 'gone'
  titles: Partial<Record<Language, string>>
  venue: Venue | undefined
  categories: Term[]
  tags: Term[]
}

interface Model {
  /** In every title, so that a search finds the items of one sequence. */
  mark: string
  categories: Term[]
  tags: Term[]
  venues: Venue[]
  events: EventState[]
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
  return [await runModel<Model, Real>('model-events', effort, steps, { begin, end: compareWithModel })]
}

const which = fc.nat(1000)
const some = fc.array(which, { maxLength: 3 })
const status = fc.constantFrom<Status>('publish', 'publish', 'draft', 'pending', 'private')
const language = fc.constantFrom<Language>('en', 'de')
const taxonomy = fc.constantFrom<Taxonomy>('categories', 'tags')
const eventInput = fc.record(
  { status, categories: some, tags: some, venue: fc.option(which, { nil: null }), language },
  { requiredKeys: ['language'] }
)
type EventInput = {
  language: Language
  status?: Status
  categories?: number[]
  tags?: number[]
  venue?: number | null
}
const newStep = (name: string, run: (model: Model, real: Real) => Promise<void>) => newCommand<Model, Real>(name, run)

const steps = [
  fc
    .tuple(taxonomy, fc.option(which, { nil: undefined }))
    .map(([kind, parentNumber]) => newStep(`name(${kind}, ${parentNumber})`, name(kind, parentNumber))),
  fc.tuple(taxonomy, which).map(([kind, at]) => newStep(`forget(${kind}, ${at})`, deleteTerm(kind, at))),
  fc.constant(newStep('open a venue', createVenue)),
  fc
    .tuple(which, fc.constantFrom('trash', 'restore', 'remove'))
    .map(([at, how]) => newStep(`${how} venue(${at})`, changeVenue(at, how))),
  ...[1, 2].map(() => eventInput.map(input => newStep(`announce(${JSON.stringify(input)})`, createEvent(input)))),
  ...[1, 2].map(() =>
    fc
      .tuple(which, eventInput, fc.boolean())
      .map(([at, input, titled]) =>
        newStep(`edit(${at}, ${JSON.stringify(input)}, ${titled})`, edit(at, input, titled))
      )
  ),
  fc
    .tuple(which, fc.boolean())
    .map(([at, force]) => newStep(`${force ? 'remove' : 'trash'} event(${at})`, deleteEvent(at, force))),
  fc.tuple(which, language).map(([at, one]) => newStep(`remove text(${at}, ${one})`, removeText(at, one)))
]

let names = 0
const newName = (mark: string) => `${mark} ${++names}`

const name =
  (kind: Taxonomy, parentNumber: number | undefined) =>
  async (model: Model, { admin }: Real) => {
    const parent =
      kind === 'tags' || parentNumber === undefined
        ? undefined
        : pickByNumber(model.categories.filter(isNotDeleted), parentNumber)
    const fields = { name: newName(model.mark), ...(parent === undefined ? {} : { parent: parent.id }) }
    const created = await admin.post(`${calendar}/${kind}`, fields)
    expectStatus(created, 201, kind)
    model[kind].push({ id: created.body.id, parent, gone: false })
  }

const deleteTerm =
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

async function createVenue(model: Model, { admin }: Real): Promise<void> {
  const created = await admin.post(`${calendar}/venues`, { venue: newName(model.mark) })
  expectStatus(created, 201, 'venue')
  model.venues.push({ id: created.body.id, status: 'publish' })
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

const isNotDeleted = ({ gone }: Term) => !gone
const pickTerms = (terms: Term[], numbers: number[]) => [
  ...new Set(numbers.flatMap(number => pickByNumber(terms.filter(isNotDeleted), number) ?? []))
]

/** The input, as a request body and as the state of the model. */
function read(model: Model, input: EventInput) {
  const known: Partial<EventState> = {}
  if (input.status !== undefined) known.status = input.status
  for (const kind of ['categories', 'tags'] as const) {
    const numbers = input[kind]
    if (numbers !== undefined) known[kind] = pickTerms(model[kind], numbers)
  }
  const open = model.venues.filter(venue => venue.status === 'publish')
  const venue = typeof input.venue === 'number' ? pickByNumber(open, input.venue) : undefined
  if (input.venue === null || venue !== undefined) known.venue = venue
  const ids = (terms: Term[] | undefined) => terms?.map(({ id }) => id)
  const body = {
    status: known.status,
    categories: ids(known.categories),
    tags: ids(known.tags),
    venue: 'venue' in known ? (venue?.id ?? null) : undefined
  }
  return { known, body }
}

const createEvent =
  (input: EventInput) =>
  async (model: Model, { admin }: Real) => {
    const { known, body } = read(model, input)
    const title = newName(model.mark)
    const created = await admin.post(`${calendar}/events?language=${input.language}`, { ...event, ...body, title })
    expectStatus(created, 201, 'announce')
    model.events.push({
      id: created.body.id,
      status: 'publish',
      titles: { [input.language]: title },
      venue: undefined,
      categories: [],
      tags: [],
      ...known
    })
  }

const edit =
  (at: number, input: EventInput, titled: boolean) =>
  async (model: Model, { admin }: Real) => {
    const one = pickByNumber(model.events, at)
    if (one === undefined) return
    const { known, body } = read(model, input)
    // A venue in the trash is shown as none; sending that back changes nothing.
    if (input.venue === null && one.venue?.status === 'trash') known.venue = one.venue
    const title = titled ? newName(model.mark) : undefined
    const path = `${calendar}/events/${one.id}?language=${input.language}`
    const answer = await admin.patch(path, { ...body, title })
    const isHidden = one.status === 'gone' || (one.status === 'trash' && input.status === undefined)
    expectStatus(answer, isHidden ? 404 : 200, 'edit')
    if (isHidden) return
    Object.assign(one, known)
    if (title !== undefined) one.titles[input.language] = title
  }

const deleteEvent =
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
    const isHidden = one.status === 'gone' || one.status === 'trash'
    const isOne = one.titles[removed] !== undefined && Object.keys(one.titles).length > 1
    expectStatus(answer, isHidden ? 404 : isOne ? 200 : 400, 'remove a text')
    if (!isHidden && isOne) delete one.titles[removed]
  }

const listResponseIds = ({ body }: TestResponse, collection: string): number[] =>
  (body[collection] ?? []).map(({ id }: { id: number }) => id).sort(compareNumbers)
const listIds = (things: { id: number }[]) => things.map(({ id }) => id).sort(compareNumbers)
const compareNumbers = (one: number, other: number) => one - other

/** Compares everything that can be read with the model, as a visitor and as an editor. */
async function compareWithModel(model: Model, { admin, visitor }: Real): Promise<void> {
  const { mark, events } = model
  const listed = `${calendar}/events?per_page=50&search=${mark}`
  const published = events.filter(({ status }) => status === 'publish')
  const kept = events.filter(({ status }) => status !== 'trash' && status !== 'gone')
  assert.deepEqual(listResponseIds(await visitor.get(listed), 'events'), listIds(published), 'the list of visitors')
  const states = 'status=publish,draft,pending,private'
  assert.deepEqual(
    listResponseIds(await admin.get(`${listed}&${states}`), 'events'),
    listIds(kept),
    'the list of editors'
  )
  const trashed = events.filter(({ status }) => status === 'trash')
  assert.deepEqual(listResponseIds(await admin.get(`${listed}&status=trash`), 'events'), listIds(trashed), 'the trash')

  for (const one of events) await compareEvent(one, { admin, visitor })
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

async function compareEvent(one: EventState, { admin, visitor }: Pick<Real, 'admin' | 'visitor'>): Promise<void> {
  const path = `${calendar}/events/${one.id}`
  const isHidden = one.status === 'gone' || one.status === 'trash'
  expectStatus(await visitor.get(path), isHidden ? 404 : one.status === 'publish' ? 200 : 403, `a visitor at ${path}`)
  for (const language of ['en', 'de'] as const) {
    const { status, body } = await admin.get(`${path}?language=${language}`)
    assert.equal(status, isHidden ? 404 : 200, path)
    if (isHidden) continue
    assert.deepEqual(
      {
        title: body.title,
        status: body.status,
        categories: listIds(body.categories),
        tags: listIds(body.tags),
        venue: body.venue?.id
      },
      {
        title: one.titles[language] ?? one.titles.en ?? one.titles.de,
        status: one.status,
        categories: listIds(one.categories),
        tags: listIds(one.tags),
        venue: one.venue?.status === 'publish' ? one.venue.id : undefined
      },
      `${path} in ${language}`
    )
  }
}
