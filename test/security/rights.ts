// Access to items of others, hidden items and parts of other items, as every role at every URL.
import { type Role, roles } from '#platform/caller.ts'
import { listParameters, type Operation, startRouteCrawler } from '../support/crawl/route-crawler.ts'
import { type Effort, type Finding, toFinding } from '../support/security/checks.ts'
import { type Client, calendar, event } from '../support/services.ts'

type RouteCrawler = Awaited<ReturnType<typeof startRouteCrawler>>

export async function checkRights({ only }: Effort): Promise<Finding[]> {
  const crawler = await startRouteCrawler()
  const operations = crawler.operations.filter(({ name }) => name.includes(only))
  return [await checkForeignParts(crawler, operations), await checkHiddenItems(crawler, operations)]
}

/** Parameters that identify an item, not its format. */
const isIdParameter = (name: string) => !['size', 'name', 'iban'].includes(name)

/** A donation of another campaign, a note of another donation, a receipt of another donor: nothing is found. */
export async function checkForeignParts({ admin, pathOf }: RouteCrawler, operations: Operation[]): Promise<Finding> {
  const faults: string[] = []
  let sent = 0
  for (const operation of operations) {
    const idParameters = listParameters(operation, 'path').filter(({ name }) => isIdParameter(name))
    if (idParameters.length < 2) continue
    const [one, other] = [(await pathOf(operation)).split('/'), (await pathOf(operation)).split('/')]
    for (const [place, segment] of operation.path.split('/').entries()) {
      const name = /\{(\w+)\}/.exec(segment)?.[1]
      if (name === undefined || !isIdParameter(name) || one[place] === other[place]) continue
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
  return toFinding('rights, parts of others', `${sent} URLs combined from two items`, '404 for every one', faults)
}

const mark = 'zqhidden'

interface Hidden {
  /** Only this item contains these words. */
  words: string
  /** The roles that may read it. */
  readers: readonly Role[]
  /** The values of path parameters in its URLs. */
  ids: Record<string, string>
  /** The prefix of its URLs. */
  under: string
}

/** Reads every URL as every role: no response contains hidden content. */
async function checkHiddenItems(crawler: RouteCrawler, operations: Operation[]): Promise<Finding> {
  const hidden = await createHiddenItems(crawler)
  const callers = new Map<Role | 'visitor', Client>([['visitor', crawler.visitor]])
  for (const role of roles) callers.set(role, await crawler.withRole(role))
  const faults: string[] = []
  let sent = 0
  for (const operation of operations.filter(({ method, path }) => method === 'GET' && path !== '/stream')) {
    for (const url of await listUrls(crawler, operation, hidden)) {
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
    if (!found.includes(`${mark}-${words}`)) faults.push(`${words} is not found, even with access`)
  }
  const measured = `${sent} readings by ${callers.size - 1} callers of ${hidden.length} hidden items`
  return toFinding(
    'rights, hidden items',
    measured,
    'no response contains an item that the caller may not read',
    faults
  )
}

/** One item of each kind in each state that is hidden from some roles. */
async function createHiddenItems({ admin, aCampaign, aDonation }: RouteCrawler): Promise<Hidden[]> {
  const hidden: Hidden[] = []
  const campaignReaders: readonly Role[] = ['editor', 'treasurer', 'admin']
  const draft = await aCampaign({ name: `${mark}-campaign-draft`, status: 'draft' })
  const deleted = await aCampaign({ name: `${mark}-campaign-deleted` })
  await admin.delete(`/campaigns/${deleted.id}`)
  for (const [words, { id }, readers] of [
    ['campaign-draft', draft, campaignReaders],
    ['campaign-deleted', deleted, ['admin']]
  ] as const) {
    hidden.push({ words: `${mark}-${words}`, readers, ids: { campaignId: String(id) }, under: '/campaigns' })
  }
  const open = await aCampaign()
  const donation = await aDonation(open.id, {
    donorName: `${mark}-donor`,
    email: `${mark}-mail@private.example`,
    address: { street: `${mark}-street`, postalCode: '10115', city: 'Berlin', country: 'DE' },
    showName: false
  })
  await admin.post(`/campaigns/${open.id}/donations/${donation.id}/notes`, { text: `${mark}-note` })
  const ids = { campaignId: String(open.id), donationId: donation.id }
  for (const words of ['donor', 'mail', 'street', 'note']) {
    hidden.push({ words: `${mark}-${words}`, readers: ['treasurer', 'admin'], ids, under: '/' })
  }
  const editors: readonly Role[] = ['editor', 'admin']
  const kinds = { events: ['title', event], venues: ['venue', {}], organizers: ['organizer', {}] } as const
  for (const [collection, [field, required]] of Object.entries(kinds)) {
    // An error may repeat the slug of the request, so the slug does not contain the words.
    for (const status of ['draft', 'pending', 'private', 'trash', 'future']) {
      const words = `${mark}-${collection.slice(0, -1)}-${status}`
      const scheduled = status === 'future' ? { date: '2099-01-01 10:00:00' } : {}
      const known = { slug: `slug-of-${status}`, status: status === 'trash' ? 'publish' : status }
      const fields = { ...required, ...known, ...scheduled, [field]: words }
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

/** Lists with the parameters that return most, and the URL of every hidden item. */
async function listUrls({ pathOf }: RouteCrawler, operation: Operation, hidden: Hidden[]): Promise<string[]> {
  const { path } = operation
  if (path.includes('{')) {
    const matching = hidden.filter(
      ({ under, ids }) => path.startsWith(under) && Object.keys(ids).some(name => path.includes(`{${name}}`))
    )
    const urls = matching.map(({ ids }) => path.replace(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all))
    const completeUrls = urls.filter(url => !url.includes('{'))
    return completeUrls.length > 0 ? [...new Set(completeUrls)] : [await pathOf(operation)]
  }
  const takes = (name: string) => listParameters(operation, 'query').some(parameter => parameter.name === name)
  const range = takes('from') ? 'from=2027-06-01&to=2027-06-02&' : ''
  const queries = [
    '',
    `search=${mark}`,
    'per_page=50',
    'limit=100',
    'deleted=true',
    'context=edit',
    'status=draft,pending,private,trash'
  ]
  return [...new Set(queries.map(one => `${path}?${range}${one}`))]
}
