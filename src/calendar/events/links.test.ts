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
const listIn = (given: unknown): Item[] => (Array.isArray(given) ? given : [given as Item])
const idsIn = (given: unknown) => listIn(given).map(({ id }) => id)

for (const { member, make, table } of kinds) {
  test(`${member} takes ids, objects with an id, fields of new ones, lists and comma lists`, async () => {
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
      const made = await anEvent({ [member]: sent })
      assert.deepEqual(idsIn(made[member]), expected, JSON.stringify(sent))
      const changed = await admin.patch(`${events}/${(await anEvent()).id}`, { [member]: sent })
      assert.deepEqual(idsIn(changed.body[member]), expected, JSON.stringify(sent))
      assert.equal(listIn(made[member])[0]?.[member], listIn(changed.body[member])[0]?.[member])
    }
    assert.equal((await visitor.get(`${calendar}/${table}/${first.id}`)).body[member], first[member])

    const mixed = await anEvent({
      [member]: [{ [member]: `New ${member}`, phone: '1' }, first.id, { [member]: `Newer ${member}` }]
    })
    assert.deepEqual(
      listIn(mixed[member]).map(item => item[member]),
      [`New ${member}`, first[member], `Newer ${member}`]
    )
    const single = await anEvent({ [member]: { [member]: `Alone ${member}`, website: 'https://example.org' } })
    assert.equal(listIn(single[member])[0]?.website, 'https://example.org')
  })

  test(`an empty ${member} clears, an omitted one stays`, async () => {
    const linked = await make()
    for (const nothing of [null, '', 0, '0', [], false]) {
      const { id } = await anEvent({ [member]: [linked.id, { [member]: 'Second' }] })
      const kept = await admin.put(`${events}/${id}`, { sticky: true })
      assert.equal(listIn(kept.body[member]).length, 2)
      const cleared = await admin.put(`${events}/${id}`, { [member]: nothing })
      assert.deepEqual(cleared.body[member], [], JSON.stringify(nothing))
      assert.deepEqual((await anEvent({ [member]: nothing }))[member], [])
    }
  })

  test(`a ${member} is reused only if its name and everything that was said of it are equal`, async () => {
    const fields = { [member]: `Equal ${member}`, phone: '030 1', description: 'Big' }
    const first = listIn((await anEvent({ [member]: fields }))[member])[0]
    const again = async (changed: object) => idsIn((await anEvent({ [member]: changed }))[member])[0]
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
    const made = []
    for (const other of others) made.push(await again(other))
    assert.equal(new Set([first?.id, ...made]).size, others.length + 1)
    const { body } = await admin.get(`${calendar}/${table}/${first?.id}`)
    assert.deepEqual([body.phone, body.description], ['030 1', '<p>Big</p>'])
  })

  test(`wrong values of ${member} are refused by its name, and nothing is left behind`, async () => {
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
      const said = JSON.stringify(value).slice(0, 60)
      const answers = [
        await admin.post(events, { ...event, tags: ['left behind'], [member]: value }),
        await admin.patch(`${events}/${id}`, { title: 'Changed', [member]: value })
      ]
      for (const { status, body, text } of answers) {
        assert.equal(status, 400, `${said}: ${text}`)
        assert.equal(Object.keys(body.data.params).length, 1, text)
        if (!said.includes('author')) assert.deepEqual(Object.keys(body.data.params), [member], text)
      }
    }
    assert.deepEqual(await readCalendarState(store), before)
  })

  test(`a ${member} that its reader may not see is left out of the event`, async () => {
    const draft = await make({ status: 'draft' })
    const ahead = await make({ date: '+2 days' })
    const open = await make()
    const { id } = await anEvent({ [member]: [draft.id, open.id, ahead.id] })
    assert.deepEqual(idsIn((await visitor.get(`${events}/${id}`)).body[member]), [open.id])
    assert.deepEqual(idsIn((await visitor.get(`${events}?include=${id}`)).body.events[0][member]), [open.id])
    assert.deepEqual(idsIn((await admin.get(`${events}/${id}`)).body[member]), [draft.id, open.id, ahead.id])
    assert.equal((await author.post(events, { ...event, [member]: draft.id })).status, 400)
    await admin.delete(`${calendar}/${table}/${open.id}`)
    assert.deepEqual((await visitor.get(`${events}/${id}`)).body[member], [])
    await admin.patch(`${calendar}/${table}/${draft.id}`, { status: 'publish' })
    assert.deepEqual(idsIn((await visitor.get(`${events}/${id}`)).body[member]), [draft.id])
  })

  test(`what a contributor makes inline of ${member} waits for review as they do`, async () => {
    const made = await contributor.post(events, {
      ...event,
      [member]: { [member]: `By a contributor`, status: 'publish' }
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(listIn(made.body[member])[0]?.status, 'pending')
  })
}

test('one venue is an object, none an empty list, several a list; organizers are always a list', async () => {
  const [one, two] = [await aVenue(), await aVenue()]
  const made = await anEvent({ venue: one.id, organizer: { organizer: 'Solo' } })
  assert.equal(made.venue.venue, 'Town Hall')
  assert.equal(made.organizer[0].organizer, 'Solo')
  const several = await admin.patch(`${events}/${made.id}`, { venue: [two.id, one.id] })
  assert.deepEqual(idsIn(several.body.venue), [two.id, one.id])
  assert.equal((await visitor.get(`${events}/${made.id}`)).body.venue.length, 2)
})

test('what a writer cannot see of the links is not lost when they send back what they read', async () => {
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
  assert.deepEqual(idsIn((await author.get(path)).body.organizer), [choir.id])
  const open = await aVenue()
  assert.equal((await author.patch(path, { venue: open.id })).body.venue.id, open.id)
  assert.equal((await admin.get(path)).body.venue.id, open.id)
})

test('many who name the same new venue at once get one', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, async () => await anEvent({ venue: { venue: 'Rush hall', city: 'Bonn' } }))
  )
  assert.equal(new Set(made.map(({ venue }) => venue.id)).size, 1)
})

for (const { member, make } of [
  { member: 'categories', make: aCategory },
  { member: 'tags', make: aTag }
]) {
  test(`${member} take ids, slugs and names of what there is, and make what is named and not there`, async () => {
    const one = await make({ name: `Rock ${member}` })
    const two = await make({ name: `Folk ${member}`, slug: `f-${member}` })
    const namesOf = (list: Item[]) => list.map(({ name }) => name)
    const ways: unknown[] = [
      [one.id, two.id],
      [String(one.id), `f-${member}`],
      `${one.id}, Folk ${member}`,
      [`rock-${member}`, `folk ${member}`],
      [{ id: one.id, name: 'Ignored' }, { name: `Folk ${member}` }],
      [one.id, one.name, one.slug, two.id]
    ]
    for (const sent of ways) {
      const made = await anEvent({ [member]: sent })
      assert.deepEqual(idsIn(made[member]).toSorted(), [one.id, two.id].toSorted(), JSON.stringify(sent))
      assert.deepEqual(namesOf(made[member]), [`Folk ${member}`, `Rock ${member}`])
    }
    const made = await anEvent({ [member]: [one.id, `Brand new ${member}`, `brand NEW ${member}`] })
    assert.deepEqual(namesOf(made[member]), [`Brand new ${member}`, `Rock ${member}`])
    const path = `${events}/${made.id}`
    assert.deepEqual(namesOf((await admin.patch(path, { sticky: true })).body[member]).length, 2)
    for (const nothing of [[], '', null]) {
      await admin.patch(path, { [member]: [two.id] })
      assert.deepEqual((await admin.patch(path, { [member]: nothing })).body[member], [])
    }
  })

  test(`unknown ids in ${member} are refused and leave nothing behind`, async () => {
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
