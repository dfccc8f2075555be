import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer } from '#platform/server.ts'
import { countStatements } from '#test/support/count-statements.ts'
import { silent } from '#test/support/database.ts'
import { type Client, calendar, newClient, startCalendar } from '#test/support/services.ts'
import { createCalendarService } from '../service.ts'

for (const kind of ['venue', 'organizer'] as const) {
  const started = await startCalendar()
  const { admin, visitor, withRole, anEvent } = started
  const path = `${calendar}/${kind}s`
  const create = async (name: string, fields: object = {}, by: Client = admin): Promise<number> => {
    const created = await by.post(path, { [kind]: name, ...fields })
    assert.equal(created.status, 201, created.text)
    return created.body.id
  }
  const getIds = ({ status, body, text }: { status: number; body: Record<string, { id: number }[]>; text: string }) => {
    assert.equal(status, 200, text)
    return (body[`${kind}s`] ?? []).map(({ id }) => id)
  }
  const listIds = async (query: string, by: Client = visitor) => getIds(await by.get(`${path}?${query}`))

  test(`without ${kind}s the first page is an empty list and the second page is 404`, async () => {
    const empty = await visitor.get(path)
    assert.equal(empty.status, 200)
    assert.deepEqual(empty.body, {
      [`${kind}s`]: [],
      rest_url: `http://localhost:80${path}/?page=1&per_page=10&status=publish`,
      total: 0,
      total_pages: 0
    })
    assert.deepEqual([empty.headers['x-tec-total'], empty.headers['x-tec-totalpages']].map(Number), [0, 0])
    const beyond = await visitor.get(`${path}?page=2`)
    assert.deepEqual([beyond.status, beyond.body.code], [404, `${kind}-archive-page-not-found`])
  })

  test(`a list of ${kind}s has pages, totals and links that keep every filter`, async () => {
    for (let number = 0; number < 5; number += 1) await create('Paged & listed', { phone: '5' })
    const query =
      'search=paged%20%26%20-other&status=publish&orderby=title&order=asc&per_page=2&language=de&has_events=no'
    const seen: number[] = []
    let next: string | undefined = `${path}?${query}`
    for (let pages = 0; next !== undefined && pages < 5; pages += 1) {
      const page = await visitor.get(next.replace(/^http:\/\/[^/]+/, ''))
      seen.push(...getIds(page))
      assert.deepEqual([page.body.total, page.body.total_pages], [5, 3])
      assert.deepEqual([page.headers['x-tec-total'], page.headers['x-tec-totalpages']].map(Number), [5, 3])
      if (page.body.previous_rest_url !== undefined) assert.match(page.headers.link ?? '', /rel="prev"/)
      next = page.body.next_rest_url
      if (next !== undefined) {
        const link = new URL(next).searchParams
        assert.equal(link.get('search'), 'paged & -other')
        for (const [name, value] of new URLSearchParams('status=publish&orderby=title&order=asc&language=de')) {
          assert.equal(link.get(name), value)
        }
      }
    }
    assert.equal(new Set(seen).size, 5)
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => one - other)
    )
    const beyond = await visitor.get(`${path}?${query}&page=4`)
    assert.deepEqual([beyond.status, beyond.body.code], [404, `${kind}-archive-page-not-found`])
    assert.equal((await visitor.get(`${path}?search=nosuchthing`)).body.total, 0)
    assert.match((await visitor.get(`${path}?per_page=1000`)).body.rest_url, /per_page=50&/)
    for (const wrong of ['page=0', 'page=x', 'per_page=0', 'per_page=-1', 'search=', 'include=x', 'event=0']) {
      assert.equal((await visitor.get(`${path}?${wrong}`)).status, 400, wrong)
    }
  })

  test(`${kind}s are listed newest first, or as orderby and order say`, async () => {
    const middle = await create('order äpfel', { date: '2020-02-01' })
    const newest = await create('Order Banane', { date: '2020-03-01' })
    const oldest = await create('ORDER Zitrone', { date: '2020-01-01' })
    const twin = await create('Order Banane', { date: '2020-03-01' })
    await admin.patch(`${path}/${oldest}`, { phone: '9' })
    const listOrdered = async (query: string) => await listIds(`search=order&${query}`)
    assert.deepEqual(await listOrdered(''), [twin, newest, middle, oldest])
    assert.deepEqual(await listOrdered('order=asc'), [oldest, middle, newest, twin])
    assert.deepEqual(await listOrdered('orderby=date&order=DESC'), [twin, newest, middle, oldest])
    assert.deepEqual(await listOrdered('orderby=title'), [middle, newest, twin, oldest])
    assert.deepEqual(await listOrdered('orderby=title&order=desc'), [oldest, twin, newest, middle])
    assert.deepEqual(await listOrdered('orderby=modified'), [oldest, twin, newest, middle])
    assert.deepEqual(await listOrdered('orderby=modified&order=asc'), [middle, newest, twin, oldest])
    for (const wrong of ['orderby=start_date', 'orderby=end_date', 'orderby=name', 'order=up']) {
      assert.equal((await visitor.get(`${path}?${wrong}`)).status, 400, wrong)
    }
  })

  test(`a search finds ${kind}s with all words in name, description and the other fields`, async () => {
    const id = await create('Käsehalle', { description: '<p>Holländischer <b>Gouda</b> 100%</p>', phone: '555-1234' })
    const other = await create('Käseladen', { description: 'Cheddar' })
    assert.deepEqual(await listIds('search=kase'), [other, id])
    assert.deepEqual(await listIds('search=gouda%20KASE'), [id])
    assert.deepEqual(await listIds('search=gouda%20cheddar'), [])
    assert.deepEqual(await listIds('search=kase%20-gouda'), [other])
    assert.deepEqual(await listIds('search=%22hollandischer%20gouda%22'), [id])
    assert.deepEqual(await listIds('search=%22gouda%20hollandischer%22'), [])
    assert.deepEqual(await listIds('search=555-1234'), [id])
    assert.deepEqual(await listIds('search=100%25'), [id])
    assert.deepEqual(await listIds('search=kase_'), [])
    await admin.patch(`${path}/${id}`, { phone: '777' })
    assert.deepEqual(await listIds('search=555-1234'), [])
    assert.deepEqual(await listIds('search=777'), [id])
  })

  test(`include lists the ${kind}s with these ids that the caller may see`, async () => {
    const [one, two] = [await create('Included'), await create('Included')]
    const hidden = await create('Included', { status: 'draft' })
    assert.deepEqual(await listIds(`include=${one},${two},${hidden},987654`), [two, one])
    assert.deepEqual(await listIds(`include[]=${one}&include[]=${hidden}`, admin), [hidden, one])
  })

  test(`${kind}s can be filtered by event, by whether they have events, and by whether they have upcoming ones`, async () => {
    const [idle, busy, past, drafted, secret] = [
      await create('Evented'),
      await create('Evented'),
      await create('Evented'),
      await create('Evented'),
      await create('Evented')
    ]
    const upcoming = { start_date: '+10 days', end_date: '+11 days' }
    const { id: event } = await anEvent({ ...upcoming, [kind]: busy })
    await anEvent({ start_date: '2020-01-01', end_date: '2020-01-02', [kind]: past })
    const { id: draft } = await anEvent({ ...upcoming, status: 'draft', [kind]: drafted })
    const { id: hidden } = await anEvent({ ...upcoming, status: 'private', [kind]: secret })
    const search = 'search=evented'

    assert.deepEqual(await listIds(`event=${event}`), [busy])
    for (const unknown of [987_654, idle, draft, hidden]) {
      const refused = await visitor.get(`${path}?event=${unknown}`)
      assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['event']])
    }
    assert.deepEqual(await listIds(`event=${draft}`, admin), [drafted])
    const { id: lonely } = await anEvent(upcoming)
    assert.deepEqual((await visitor.get(`${path}?event=${lonely}`)).body.total, 0)
    assert.equal((await visitor.get(`${path}?event=${lonely}&page=2`)).status, 404)

    for (const yes of ['1', 'true', 'yes', 'on']) {
      assert.deepEqual(await listIds(`${search}&has_events=${yes}`), [past, busy])
    }
    for (const no of ['0', 'false', 'no', '']) {
      assert.deepEqual(await listIds(`${search}&has_events=${no}`), [secret, drafted, idle])
    }
    assert.deepEqual(await listIds(`${search}&has_events=1`, admin), [secret, past, busy])
    assert.deepEqual(await listIds(`${search}&only_with_upcoming=true`), [busy])
    assert.deepEqual(await listIds(`${search}&only_with_upcoming=true`, admin), [secret, drafted, busy])
    assert.equal((await listIds(`${search}&only_with_upcoming=false`)).length, 5)
  })

  test(`a list has the ${kind}s that the caller may see, and status selects among them`, async () => {
    const author = await withRole('author')
    const contributor = await withRole('contributor')
    const all: Record<string, number> = {}
    for (const [name, by] of Object.entries({ author, admin })) {
      for (const status of ['publish', 'draft', 'pending', 'private', 'future', 'trash']) {
        const date = status === 'future' ? { date: '2099-01-01' } : {}
        all[`${name} ${status}`] = await create('Listed by status', { status, ...date }, by)
      }
    }
    const listNames = async (by: Client, query = '') => {
      const found = await listIds(`search=%22by%20status%22&per_page=50${query}`, by)
      return Object.keys(all).filter(name => found.includes(all[name] ?? 0))
    }
    const own = (...states: string[]) => states.map(status => `author ${status}`)
    const theirs = (...states: string[]) => states.map(status => `admin ${status}`)
    const unpublished = ['draft', 'pending', 'private', 'future']

    for (const reader of [visitor, contributor]) {
      assert.deepEqual(await listNames(reader), [...own('publish'), ...theirs('publish')])
      assert.deepEqual(await listNames(reader, '&status=publish'), [...own('publish'), ...theirs('publish')])
    }
    assert.deepEqual(await listNames(author), [...own('publish', ...unpublished), ...theirs('publish')])
    assert.deepEqual(await listNames(admin), [...own('publish', ...unpublished), ...theirs('publish', ...unpublished)])
    for (const status of [...unpublished, 'trash']) {
      assert.deepEqual(await listNames(contributor, `&status=${status}`), [])
      assert.deepEqual(await listNames(author, `&status=${status}`), own(status))
      assert.deepEqual(await listNames(admin, `&status=${status}`), [...own(status), ...theirs(status)])
      for (const query of [`status=${status}`, `status=publish,${status}`]) {
        const refused = await visitor.get(`${path}?${query}`)
        assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['status']])
      }
    }
    assert.deepEqual(await listNames(author, '&status=draft, publish'), [
      ...own('publish', 'draft'),
      ...theirs('publish')
    ])
    for (const status of ['any', '', 'auto-draft']) {
      assert.equal((await admin.get(`${path}?status=${status}`)).status, 400)
    }
  })

  test(`a list of ${kind}s takes at most two SQL statements, a single one takes one`, async () => {
    const id = await create('Counted', { description: 'x' })
    await create('Counted')
    const counted = countStatements(started.store)
    const server = await createServer([createCalendarService(started.settings)], {
      store: counted.store,
      settings: started.settings,
      log: silent
    })
    const client = newClient(server)
    const countFor = async (address: string) => {
      const before = counted.statements()
      assert.equal((await client.get(address)).status, 200)
      return counted.statements() - before
    }
    // The first request also starts to poll for writes of other processes.
    await countFor(path)
    assert.equal(await countFor(`${path}?per_page=50&search=counted`), 1)
    assert.equal(await countFor(`${path}?per_page=1&search=counted&orderby=title&has_events=0`), 2)
    assert.equal(await countFor(`${path}/${id}`), 1)
    assert.equal(await countFor(`${path}/by-slug/counted`), 1)
    await server.drain()
  })
}
