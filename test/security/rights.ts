// Access to items of others, hidden items and parts of other items, as every role at every URL.
import { type Role, roles } from '#platform/caller.ts'
import { listParameters, type Operation, startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'
import { type Client, calendar, event } from '../support/services.ts'

type Walk = Awaited<ReturnType<typeof startRouteCrawler>>

export async function checkRights({ only }: Effort): Promise<Finding[]> {
  const crawler = await startRouteCrawler()
  const operations = crawler.operations.filter(({ name }) => name.includes(only))
  return [await checkForeignParts(crawler, operations), await hiddenThings(crawler, operations)]
}

/** Parameters that name the way to a thing, not how it is to be had. */
const isThing = (name: string) => !['size', 'name', 'iban'].includes(name)

/** A donation of another campaign, a note of another donation, a receipt of another donor: nothing is found. */
export async function checkForeignParts({ admin, pathOf }: Walk, operations: Operation[]): Promise<Finding> {
  const faults: string[] = []
  let sent = 0
  for (const operation of operations) {
    const things = listParameters(operation, 'path').filter(({ name }) => isThing(name))
    if (things.length < 2) continue
    const [one, other] = [(await pathOf(operation)).split('/'), (await pathOf(operation)).split('/')]
    for (const [place, segment] of operation.path.split('/').entries()) {
      const name = /\{(\w+)\}/.exec(segment)?.[1]
      if (name === undefined || !isThing(name) || one[place] === other[place]) continue
      const url = one.map((part, at) => (at === place ? other[at] : part)).join('/')
      if (url === other.join('/')) continue
      const body =
        operation.body === undefined ? {} : { headers: { 'content-type': 'application/json' }, payload: '{}' }
      const { status, text } = await admin.send({ method: operation.method, url, ...body })
      sent += 1
      // Validation comes before existence: an empty body may be invalid.
      if (status !== 404 && !(status === 400 && operation.body !== undefined)) {
        faults.push(`${operation.name} with ${name} of another: ${status} ${text.slice(0, 200)}`)
      }
    }
  }
  return toFinding('rights, parts of others', `${sent} addresses put together of two`, '404 for every one', faults)
}

const mark = 'zqhidden'

interface Hidden {
  /** Stands in it, and in nothing else. */
  words: string
  /** Who may read it. */
  readers: readonly Role[]
  /** What takes the place of parameters in an address that leads to it. */
  ids: Record<string, string>
  /** The paths that such an address begins with. */
  under: string
}

/** Reads every URL as every role: no response contains hidden content. */
async function hiddenThings(crawler: Walk, operations: Operation[]): Promise<Finding> {
  const hidden = await hide(crawler)
  const callers = new Map<Role | 'visitor', Client>([['visitor', crawler.visitor]])
  for (const role of roles) callers.set(role, await crawler.withRole(role))
  const faults: string[] = []
  let sent = 0
  for (const operation of operations.filter(({ method, path }) => method === 'GET' && path !== '/stream')) {
    for (const url of await addressesOf(crawler, operation, hidden)) {
      for (const [caller, client] of callers) {
        if (caller === 'admin') continue
        const { text, status } = await client.get(url)
        sent += 1
        if (status >= 500) faults.push(`${caller} at ${url}: ${status}`)
        for (const { words, readers } of hidden) {
          const mayRead = readers.some(role => role === caller)
          if (!mayRead && text.includes(words)) faults.push(`${caller} reads ${words} at ${url}`)
        }
      }
    }
  }
  // Roles with access do find the content; otherwise the check would prove nothing.
  const admin = async (url: string) => (await crawler.admin.get(url)).text
  const found = [
    await admin(`/campaigns`),
    await admin(`/donations`),
    await admin(`${calendar}/events?per_page=50&status=draft,pending,private,trash`)
  ].join()
  for (const words of ['campaign-draft', 'donor', 'event-draft', 'event-trash']) {
    if (!found.includes(`${mark}-${words}`)) faults.push(`Nobody finds ${words}, not even who may.`)
  }
  const measured = `${sent} readings by ${callers.size - 1} callers of ${hidden.length} things that are not for all`
  return toFinding('rights, hidden things', measured, 'not a word of one that is not for the caller', faults)
}

/** One item of each kind in each state that is hidden from some roles. */
async function hide({ admin, aCampaign, aDonation }: Walk): Promise<Hidden[]> {
  const hidden: Hidden[] = []
  const money: readonly Role[] = ['editor', 'treasurer', 'admin']
  const draft = await aCampaign({ name: `${mark}-campaign-draft`, status: 'draft' })
  const deleted = await aCampaign({ name: `${mark}-campaign-deleted` })
  await admin.delete(`/campaigns/${deleted.id}`)
  for (const [words, { id }, readers] of [
    ['campaign-draft', draft, money],
    ['campaign-deleted', deleted, ['admin']]
  ] as const) {
    hidden.push({ words: `${mark}-${words}`, readers, ids: { campaignId: String(id) }, under: '/campaigns' })
  }
  const open = await aCampaign()
  const gift = await aDonation(open.id, {
    donorName: `${mark}-donor`,
    email: `${mark}-mail@private.example`,
    address: { street: `${mark}-street`, postalCode: '10115', city: 'Berlin', country: 'DE' },
    showName: false
  })
  await admin.post(`/campaigns/${open.id}/donations/${gift.id}/notes`, { text: `${mark}-note` })
  const ids = { campaignId: String(open.id), donationId: gift.id }
  for (const words of ['donor', 'mail', 'street', 'note']) {
    hidden.push({ words: `${mark}-${words}`, readers: ['treasurer', 'admin'], ids, under: '/' })
  }
  const editors: readonly Role[] = ['editor', 'admin']
  const kinds = { events: ['title', event], venues: ['venue', {}], organizers: ['organizer', {}] } as const
  for (const [collection, [field, required]] of Object.entries(kinds)) {
    // A refusal may repeat the slug that it was asked for.
    for (const status of ['draft', 'pending', 'private', 'trash', 'future']) {
      const words = `${mark}-${collection.slice(0, -1)}-${status}`
      const ahead = status === 'future' ? { date: '2099-01-01 10:00:00' } : {}
      const known = { slug: `slug-of-${status}`, status: status === 'trash' ? 'publish' : status }
      const fields = { ...required, ...known, ...ahead, [field]: words }
      const { id, slug } = (await admin.post(`${calendar}/${collection}`, fields)).body
      if (status === 'trash') await admin.delete(`${calendar}/${collection}/${id}`)
      hidden.push({ words, readers: editors, ids: { id: String(id), slug }, under: `${calendar}/${collection}` })
    }
  }
  // Without the password a reader sees the title and that a password is needed, not the content.
  const words = `${mark}-locked`
  const locked = await admin.post(`${calendar}/events`, {
    ...event,
    description: words,
    excerpt: words,
    post_password: 'x'
  })
  const { id, slug } = locked.body
  hidden.push({ words, readers: editors, ids: { id: String(id), slug }, under: `${calendar}/events` })
  return hidden
}

/** Lists with what finds the most, and everything hidden by its own address. */
async function addressesOf({ pathOf }: Walk, operation: Operation, hidden: Hidden[]): Promise<string[]> {
  const { path } = operation
  if (path.includes('{')) {
    const own = hidden.filter(
      ({ under, ids }) => path.startsWith(under) && Object.keys(ids).some(name => path.includes(`{${name}}`))
    )
    const urls = own.map(({ ids }) => path.replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all))
    const whole = urls.filter(url => !url.includes('{'))
    return whole.length > 0 ? [...new Set(whole)] : [await pathOf(operation)]
  }
  const takes = (name: string) => listParameters(operation, 'query').some(parameter => parameter.name === name)
  const range = takes('from') ? 'from=2027-06-01&to=2027-06-02&' : ''
  const asked = [
    '',
    `search=${mark}`,
    'per_page=50',
    'limit=100',
    'deleted=true',
    'context=edit',
    'status=draft,pending,private,trash'
  ]
  return [...new Set(asked.map(one => `${path}?${range}${one}`))]
}
