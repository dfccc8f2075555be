// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarState } from '#test/support/calendar/calendar-state.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'

const { admin, visitor, store, withRole, anEvent, aVenue, anOrganizer, aCategory, aTag } = await startCalendar()
const author = await withRole('author')
const contributor = await withRole('contributor')
const events = `${calendar}/events`

const kinds = [
  { member: 'venue', make: aVenue, one: 'Hall', table: 'venues' },
  { member: 'organizer', make: anOrganizer, one: 'Ann', table: 'organizers' }
] as const

interface Item {
  id: number
  name: string
  [name: string]: unknown
}
const toList = (value: unknown): Item[] => (Array.isArray(value) ? value : [value as Item])
const getIds = (value: unknown) => toList(value).map(({ id }) => id)

for (const { member, make, table } of kinds) {
  test(`${member} accepts ids, objects with an id, fields of new items, lists and comma-separated lists`, async () => {
    const [first, second] = [await make(), await make()]
    const ways: [unknown, unknown[]][] = [
      [first.id, [first.id]],
      [String(first.id), [first.id]],
      [{ id: first.id }, [first.id]],
      [{ id: first.id, [member]: 'Another name is not written' }, [first.id]],
      [[first.id], [first.id]],
      [
        [second.id, { id: first.id }],
        [second.id, first.id]
      ],
      [`${second.id}, ${first.id}`, [second.id, first.id]],
      [
        [first.id, String(first.id), { id: first.id }, second.id],
        [first.id, second.id]
      ]
    ]
    for (const [sent, expected] of ways) {
      const created = await anEvent({ [member]: sent })
      assert.deepEqual(getIds(created[member]), expected, JSON.stringify(sent))
      const changed = await admin.patch(`${events}/${(await anEvent()).id}`, { [member]: sent })
      assert.deepEqual(getIds(changed.body[member]), expected, JSON.stringify(sent))
      assert.equal(toList(created[member])[0]?.[member], toList(changed.body[member])[0]?.[member])
    }
    assert.equal((await visitor.get(`${calendar}/${table}/${first.id}`)).body[member], first[member])

    const mixed = await anEvent({
      [member]: [{ [member]: `New ${member}`, phone: '1' }, first.id, { [member]: `Newer ${member}` }]
    })
    assert.deepEqual(
      toList(mixed[member]).map(item => item[member]),
      [`New ${member}`, first[member], `Newer ${member}`]
    )
    const single = await anEvent({ [member]: { [member]: `Alone ${member}`, website: 'https://example.org' } })
    assert.equal(toList(single[member])[0]?.website, 'https://example.org')
  })

  test(`an empty ${member} removes all links, an omitted one keeps them`, async () => {
    const linked = await make()
    for (const emptyValue of [null, '', 0, '0', [], false]) {
      const { id } = await anEvent({ [member]: [linked.id, { [member]: 'Second' }] })
      const kept = await admin.put(`${events}/${id}`, { sticky: true })
      assert.equal(toList(kept.body[member]).length, 2)
      const cleared = await admin.put(`${events}/${id}`, { [member]: emptyValue })
      assert.deepEqual(cleared.body[member], [], JSON.stringify(emptyValue))
      assert.deepEqual((await anEvent({ [member]: emptyValue }))[member], [])
    }
  })

  test(`an existing ${member} is reused only if its name and all fields of the request are equal`, async () => {
    const fields = { [member]: `Equal ${member}`, phone: '030 1', description: 'Big' }
    const first = toList((await anEvent({ [member]: fields }))[member])[0]
    const again = async (changed: object) => getIds((await anEvent({ [member]: changed }))[member])[0]
    for (const same of [fields, { [member]: fields[member] }, { [member]: fields[member], phone: '030 1' }]) {
      assert.equal(await again(same), first?.id, JSON.stringify(same))
    }
    const others: object[] = [
      { ...fields, phone: '030 2' },
      { ...fields, phone: '' },
      { ...fields, description: 'Small' },
      { ...fields, website: 'https://example.org' },
      { ...fields, status: 'draft' },
      { ...fields, [member]: `Equal  ${member} 2` }
    ]
    const created = []
    for (const other of others) created.push(await again(other))
    assert.equal(new Set([first?.id, ...created]).size, others.length + 1)
    const { body } = await admin.get(`${calendar}/${table}/${first?.id}`)
    assert.deepEqual([body.phone, body.description], ['030 1', '<p>Big</p>'])
  })

  test(`invalid values of ${member} are refused with the name of the field, and nothing is created`, async () => {
    const known = await make()
    const trashed = await make()
    await admin.delete(`${calendar}/${table}/${trashed.id}`)
    const { id } = await anEvent()
    const before = await readCalendarState(store)
    const wrong: unknown[] = [
      987_654,
      id,
      trashed.id,
      -1,
      2.5,
      'Hall',
      true,
      {},
      { phone: '1' },
      { id: 'x' },
      { id: 0, [member]: 'x' },
      { [member]: '' },
      { [member]: 'Left behind', website: 'nowhere' },
      [{ [member]: 'Left behind' }, 987_654],
      [known.id, { [member]: 'Left behind', author: 987_654 }],
      [[known.id]],
      Array.from({ length: 51 }, () => known.id)
    ]
    for (const value of wrong) {
      const shownValue = JSON.stringify(value).slice(0, 60)
      const answers = [
        await admin.post(events, { ...event, tags: ['left behind'], [member]: value }),
        await admin.patch(`${events}/${id}`, { title: 'Changed', [member]: value })
      ]
      for (const { status, body, text } of answers) {
        assert.equal(status, 400, `${shownValue}: ${text}`)
        assert.equal(Object.keys(body.data.params).length, 1, text)
        if (!shownValue.includes('author')) assert.deepEqual(Object.keys(body.data.params), [member], text)
      }
    }
    assert.deepEqual(await readCalendarState(store), before)
  })

  test(`a ${member} that the caller may not see is left out of the event`, async () => {
    const draft = await make({ status: 'draft' })
    const scheduled = await make({ date: '+2 days' })
    const published = await make()
    const { id } = await anEvent({ [member]: [draft.id, published.id, scheduled.id] })
    assert.deepEqual(getIds((await visitor.get(`${events}/${id}`)).body[member]), [published.id])
    assert.deepEqual(getIds((await visitor.get(`${events}?include=${id}`)).body.events[0][member]), [published.id])
    assert.deepEqual(getIds((await admin.get(`${events}/${id}`)).body[member]), [draft.id, published.id, scheduled.id])
    assert.equal((await author.post(events, { ...event, [member]: draft.id })).status, 400)
    await admin.delete(`${calendar}/${table}/${published.id}`)
    assert.deepEqual((await visitor.get(`${events}/${id}`)).body[member], [])
    await admin.patch(`${calendar}/${table}/${draft.id}`, { status: 'publish' })
    assert.deepEqual(getIds((await visitor.get(`${events}/${id}`)).body[member]), [draft.id])
  })

  test(`a ${member} that a contributor creates inside an event is pending review`, async () => {
    const created = await contributor.post(events, {
      ...event,
      [member]: { [member]: `By a contributor`, status: 'publish' }
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(toList(created.body[member])[0]?.status, 'pending')
  })
}

test('one venue is an object, none an empty list, several a list; organizers are always a list', async () => {
  const [one, two] = [await aVenue(), await aVenue()]
  const created = await anEvent({ venue: one.id, organizer: { organizer: 'Solo' } })
  assert.equal(created.venue.venue, 'Town Hall')
  assert.equal(created.organizer[0].organizer, 'Solo')
  const several = await admin.patch(`${events}/${created.id}`, { venue: [two.id, one.id] })
  assert.deepEqual(getIds(several.body.venue), [two.id, one.id])
  assert.equal((await visitor.get(`${events}/${created.id}`)).body.venue.length, 2)
})

test('links to items that the caller cannot see are kept when the caller sends back the event as read', async () => {
  const hidden = await aVenue({ status: 'draft' })
  const choir = await anOrganizer()
  const own = await anEvent({ organizer: choir.id }, author)
  const path = `${events}/${own.id}`
  await admin.patch(path, { venue: hidden.id })
  await admin.delete(`${calendar}/organizers/${choir.id}`)
  const read = (await author.get(path)).body
  assert.deepEqual([read.venue, read.organizer], [[], []])
  assert.equal((await author.put(path, { ...read, title: 'Another title' })).status, 200)
  assert.equal((await admin.get(path)).body.venue.id, hidden.id)
  await admin.patch(`${calendar}/organizers/${choir.id}`, { status: 'publish' })
  assert.deepEqual(getIds((await author.get(path)).body.organizer), [choir.id])
  const published = await aVenue()
  assert.equal((await author.patch(path, { venue: published.id })).body.venue.id, published.id)
  assert.equal((await admin.get(path)).body.venue.id, published.id)
})

test('concurrent events with the same new venue create one venue', async () => {
  const created = await Promise.all(
    Array.from({ length: 8 }, async () => await anEvent({ venue: { venue: 'Rush hall', city: 'Bonn' } }))
  )
  assert.equal(new Set(created.map(({ venue }) => venue.id)).size, 1)
})

for (const { member, make } of [
  { member: 'categories', make: aCategory },
  { member: 'tags', make: aTag }
]) {
  test(`${member} accept ids, slugs and names of existing terms, and create terms for new names`, async () => {
    const one = await make({ name: `Rock ${member}` })
    const two = await make({ name: `Folk ${member}`, slug: `f-${member}` })
    const getNames = (list: Item[]) => list.map(({ name }) => name)
    const ways: unknown[] = [
      [one.id, two.id],
      [String(one.id), `f-${member}`],
      `${one.id}, Folk ${member}`,
      [`rock-${member}`, `folk ${member}`],
      [{ id: one.id, name: 'Ignored' }, { name: `Folk ${member}` }],
      [one.id, one.name, one.slug, two.id]
    ]
    for (const sent of ways) {
      const created = await anEvent({ [member]: sent })
      assert.deepEqual(getIds(created[member]).toSorted(), [one.id, two.id].toSorted(), JSON.stringify(sent))
      assert.deepEqual(getNames(created[member]), [`Folk ${member}`, `Rock ${member}`])
    }
    const created = await anEvent({ [member]: [one.id, `Brand new ${member}`, `brand NEW ${member}`] })
    assert.deepEqual(getNames(created[member]), [`Brand new ${member}`, `Rock ${member}`])
    const path = `${events}/${created.id}`
    assert.deepEqual(getNames((await admin.patch(path, { sticky: true })).body[member]).length, 2)
    for (const emptyValue of [[], '', null]) {
      await admin.patch(path, { [member]: [two.id] })
      assert.deepEqual((await admin.patch(path, { [member]: emptyValue })).body[member], [])
    }
  })

  test(`unknown ids and invalid values in ${member} are refused, and nothing is created`, async () => {
    const { id } = await anEvent()
    const other = await (member === 'tags' ? aCategory : aTag)({ name: `Of the other kind than ${member}` })
    const before = await readCalendarState(store)
    for (const value of [
      987_654,
      [987_654, 'left behind'],
      ['left behind', '987654'],
      [other.id],
      [{}],
      [['x']],
      ['<b></b>'],
      [true],
      'x'.repeat(201)
    ]) {
      for (const answer of [
        await admin.patch(`${events}/${id}`, { title: 'Changed', venue: { venue: 'Left behind' }, [member]: value }),
        await admin.post(events, { ...event, organizer: { organizer: 'Left behind' }, [member]: value })
      ]) {
        assert.equal(answer.status, 400, `${JSON.stringify(value)} ${answer.text}`)
        assert.deepEqual(Object.keys(answer.body.data.params), [member])
      }
    }
    assert.deepEqual(await readCalendarState(store), before)
  })
}
