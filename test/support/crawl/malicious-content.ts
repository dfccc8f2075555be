// A site in which every text of users is malicious.
import assert from 'node:assert/strict'
import type { startAdmin } from '../admin-client.ts'
import { buildStatement } from '../fundraising/bank-statements.ts'
import { organisation } from '../fundraising/receipts.ts'
import { listPages } from '../pages.ts'
import { calendar, campaign, event, type TestResponse } from '../services.ts'
import { payload, payloads } from './malformed-page-values.ts'
import { buildMultipartForm, picture } from './route-crawler.ts'

/** Data that only treasurers, admins and the donor may see. */
export const secrets = {
  iban: 'DE68210501700012345678',
  email: 'the-donor@private.example',
  street: 'Secret Street 77'
}

export async function createMaliciousContent(site: Awaited<ReturnType<typeof startAdmin>>) {
  const { admin, visitor } = site
  const pages = await listPages(site)

  /** Writes all fields that are accepted, without the refused ones. */
  async function write(method: 'post' | 'patch' | 'put', path: string, fields: Record<string, unknown>, by = admin) {
    let given = fields
    for (let answer: TestResponse; ; ) {
      answer = await by[method](path, given)
      if (answer.status < 300) return answer.body
      const refused = [...(answer.body.errors ?? []).map((one: { pointer: string }) => one.pointer.split('/')[1])]
      for (const name of Object.keys(answer.body.data?.params ?? {})) refused.push(name)
      const left = Object.fromEntries(Object.entries(given).filter(([name]) => !refused.includes(name)))
      assert.ok(Object.keys(left).length < Object.keys(given).length, `${path}: ${answer.status} ${answer.text}`)
      given = left
    }
  }
  const [image, formula] = [payloads[0], payloads.at(-1)]
  const address = "https://example.org/'onclick=steal()"

  await write('patch', '/site', {
    name: payload.slice(0, 100),
    tagline: { en: payload, de: payload },
    contactEmail: "o'onclick@example.org",
    accent: '#0b6e4f',
    logoUrl: "https://example.org/'onerror=steal()",
    account: { iban: 'DE89370400440532013000', name: payload.slice(0, 140), nameOfBank: image }
  })
  await write('patch', '/bookkeeping', { consultantNumber: 29_098, clientNumber: 55_003 })
  const pageText = () => ({ title: payload.slice(0, 200), content: story() })
  for (const id of [1, 2, 3]) await write('patch', `/pages/${id}`, { texts: { en: pageText(), de: pageText() } })
  const page = await write('post', '/pages', {
    ...{ status: 'published', place: 'header', texts: { en: pageText(), de: pageText() } }
  })
  for (const wrong of [{ logoUrl: 'javascript:steal()' }, { accent: '#0b6e4f;}*{' }, { logoUrl: '//evil.example' }]) {
    assert.equal((await admin.patch('/site', wrong)).status, 400, JSON.stringify(wrong))
  }

  const { body: media } = await admin.send({
    method: 'POST',
    url: `${calendar}/media`,
    ...buildMultipartForm({ alt: payload, title: payload }, picture)
  })
  const place = { address: payload, city: payload, province: payload, state: payload, zip: image, phone: image }
  const venue = await write('post', `${calendar}/venues`, {
    ...place,
    venue: payload,
    country: image,
    website: address,
    description: rich,
    image: media.id
  })
  const organizer = await write('post', `${calendar}/organizers`, {
    organizer: payload,
    phone: payload,
    website: address,
    email: "o'onclick@example.org",
    description: rich,
    image: media.id
  })
  await write('post', `${calendar}/organizers`, { organizer: formula })
  const category = await write('post', `${calendar}/categories`, { name: payload.slice(0, 100), description: rich })
  const below = { name: `${formula}`, description: rich, parent: category.id }
  await write('post', `${calendar}/categories`, below)
  const tag = await write('post', `${calendar}/tags`, { name: payload.slice(0, 100), description: rich })
  const anEvent = async (fields: object = {}) =>
    await write('post', `${calendar}/events`, {
      ...event,
      start_date: tomorrowAt(20),
      end_date: tomorrowAt(22),
      title: payload,
      description: rich,
      excerpt: rich,
      cost: image,
      website: address,
      venue: venue.id,
      organizer: [organizer.id],
      categories: [category.id],
      tags: [tag.id],
      image: media.id,
      featured: true,
      status: 'publish',
      ...fields
    })
  const shown = await anEvent()
  await write('patch', `${calendar}/events/${shown.id}?language=de`, {
    title: payload,
    description: rich,
    excerpt: rich
  })
  const locked = await anEvent({ title: formula, password: 'open sesame', post_password: 'open sesame' })
  const trashed = await anEvent({ title: `Trashed ${image}` })
  await admin.delete(`${calendar}/events/${trashed.id}`)
  const { series } = await anEvent({ recurrence: { every: 1, unit: 'day', count: 4 } })

  const translation = { name: payload, description: story() }
  const roof = await write('post', '/campaigns', {
    ...campaign,
    name: payload.slice(0, 200),
    description: story(),
    account: { iban: 'DE89370400440532013000', name: payload.slice(0, 140), nameOfBank: payload.slice(0, 140) },
    imageUrl: "https://example.org/x.png?'onerror=steal()",
    imageAlt: payload,
    language: 'en',
    presetAmounts: [5, 50],
    translations: { de: translation }
  })
  const update = await write('post', `/campaigns/${roof.id}/updates`, {
    ...{ status: 'published', imageUrl: "https://example.org/x.png?'onerror=steal()", imageAlt: payload.slice(0, 300) },
    texts: { en: { title: payload.slice(0, 200), text: rich }, de: { title: image?.slice(0, 200), text: rich } }
  })
  const contact = {
    ...{
      name: payload.slice(0, 140),
      text: { en: story().slice(0, 1000), de: payload },
      imageAlt: payload.slice(0, 300)
    },
    ...{ imageUrl: "https://example.org/x.png?'onerror=steal()", phone: '<b>1</b>', email: "o'onclick@example.org" }
  }
  await write('patch', `/campaigns/${roof.id}/presentation`, { contact, eventIds: [shown.id] })
  const accountRequest = await write('post', '/account-requests', {
    ...{ change: 'campaign_account', campaignId: roof.id },
    account: { iban: 'DE75512108001245126199', name: payload.slice(0, 140), nameOfBank: image?.slice(0, 140) }
  })
  const short = payload.slice(0, 140)
  await write('patch', `/campaigns/${roof.id}/story`, {
    text: { en: rich, de: rich },
    pictures: [{ url: '/x.png?onerror=steal()', alt: { en: short }, caption: { de: short } }],
    items: [{ title: { en: short }, text: { de: short }, amount: 5 }],
    milestones: [{ title: { en: short }, amount: 5 }]
  })
  await write('post', `/campaigns/${roof.id}/offline-amounts`, {
    ...{ amount: 5, receivedOn: '2026-01-05', label: { en: short } }
  })
  const gone = await write('post', '/campaigns', { ...campaign, name: `Gone ${formula}` })
  await admin.delete(`/campaigns/${gone.id}`)
  const given = await write(
    'post',
    `/campaigns/${roof.id}/donations`,
    {
      amount: 50,
      donorName: payload.slice(0, 140),
      showName: true,
      message: story().slice(0, 1000),
      receiptRequested: true,
      email: secrets.email,
      account: { iban: secrets.iban, name: payload.slice(0, 140), nameOfBank: image },
      address: { street: secrets.street, postalCode: '10115', city: image, country: 'DE' },
      consent: { text: payload, version: image },
      news: { text: payload }
    },
    visitor
  )
  const formulaGiver = { amount: 7, donorName: formula, showName: true, message: formula, receiptRequested: false }
  await write(
    'post',
    `/campaigns/${roof.id}/donations`,
    { ...formulaGiver, account: { iban: secrets.iban, name: formula } },
    visitor
  )
  const note = await write('post', `/campaigns/${roof.id}/donations/${given.id}/notes`, {
    text: story().slice(0, 1500)
  })
  // A donation with a partial payment, and one whose last change can be undone.
  const giver = { amount: 20, donorName: payload.slice(0, 140), account: { iban: secrets.iban, name: image } }
  const paid = await write('post', `/campaigns/${roof.id}/donations`, giver)
  await write('post', `/campaigns/${roof.id}/donations/${paid.id}/payments`, { amount: 5 })
  const [payment] = (await admin.get(`/campaigns/${roof.id}/donations/${paid.id}/payments`)).body
  const undoable = await write('post', `/campaigns/${roof.id}/donations`, giver)
  await write('patch', `/campaigns/${roof.id}/donations/${undoable.id}`, { status: 'CANCELLED' })
  const { texts: agreed } = (await visitor.get('/mandate')).body
  const promise = {
    ...{ amount: 9, donorName: payload.slice(0, 140), mandate: { text: agreed.de } },
    account: { iban: secrets.iban, name: payload.slice(0, 140) }
  }
  await write('post', `/campaigns/${roof.id}/donations`, promise, visitor)
  const collection = await write('post', '/collections', { campaignId: roof.id })
  const promised = await write('post', `/campaigns/${roof.id}/donations`, promise, visitor)
  const { body: statement } = await admin.send({
    method: 'POST',
    url: '/bank-statements',
    headers: { 'content-type': 'application/xml' },
    payload: buildStatement([
      {
        amount: '45.00',
        text: `${given.reference} ${payload}`,
        name: payload,
        iban: secrets.iban,
        bankReference: payload
      }
    ])
  })
  const { body: entries } = await admin.get(`/bank-statements/${statement.id}/entries`)
  const payer = { iban: secrets.iban, payerName: payload.slice(0, 200), note: payload.slice(0, 200) }
  const rule = await write('post', '/payer-rules', { ...payer, action: 'ignore' })
  await write('patch', '/organisation', {
    ...organisation,
    ...{ legalName: payload.slice(0, 140), purposes: payload, signatory: payload.slice(0, 140) }
  })
  const come = await write('post', `/campaigns/${roof.id}/donations`, {
    ...{ amount: 8, donorName: payload.slice(0, 140), receiptRequested: true, status: 'TRANSFERRED' },
    ...{ email: 'reader@private.example', news: { text: payload } },
    address: { street: payload.slice(0, 140), postalCode: '10115', city: image, country: 'DE' }
  })
  const receipt = await write('post', '/receipts', { kind: 'single', donation: { campaignId: roof.id, id: come.id } })
  const { body: runs } = await admin.get('/receipt-runs')
  // A donor with a note and a letter, a merged duplicate, and a possible duplicate.
  const findDonor = async ({ id }: { id: string }) => (await admin.get(`/donor-records?donationId=${id}`)).body[0]
  const donor = await findDonor(come)
  const [other, merged] = [
    await findDonor(
      await write('post', `/campaigns/${roof.id}/donations`, { amount: 7, donorName: payload.slice(0, 140) })
    ),
    await findDonor(await write('post', `/campaigns/${roof.id}/donations`, { amount: 7, donorName: image }))
  ]
  const donorNote = await write('post', `/donor-records/${donor.id}/notes`, { text: payload })
  const letter = await write('post', `/donor-records/${donor.id}/letters`, { year: new Date().getFullYear() })
  const merge = await write('post', `/donor-records/${donor.id}/merges`, { donorId: merged.id })
  await write('put', '/letter-texts/de', { opening: payload, closing: payload })
  const user = await write('post', '/users', {
    name: payload.slice(0, 100),
    email: 'xss@example.org',
    role: 'editor',
    language: 'en',
    password: 'long enough to be one'
  })
  const invitation = await write('post', '/invitations', {
    name: payload.slice(0, 100),
    email: 'xss-invited@example.org',
    role: 'editor'
  })
  const key = await write('post', '/keys', { name: payload.slice(0, 100), role: 'viewer' })
  const webhook = await write('post', '/webhooks', {
    url: 'https://hooks.example.org/in',
    actions: ['donation.deleted'],
    description: payload
  })
  const delivery = await write('post', `/webhooks/${webhook.id}/test`, {})
  const { body: checked } = await admin.get(`${calendar}/imports?per_page=2`)
  const { body: subscribed } = await admin.get(`${calendar}/subscriptions?per_page=1`)
  const suggested = {
    // A title with a web address is refused.
    title: payload.replaceAll(/https?:|www\./g, '').slice(0, 200),
    description: `<p>Fine ${payload}</p><img src=x onerror=steal()><a href="javascript:steal()">x</a>`,
    ...{
      start_date: tomorrowAt(10),
      end_date: tomorrowAt(12),
      venue_name: payload.slice(0, 200),
      organizer: payload.slice(0, 200)
    },
    ...{ sender_name: payload.slice(0, 200), sender_email: "o'onclick@example.org", message: payload }
  }
  await write('post', `${calendar}/suggestions`, suggested, visitor)
  const suggestion = (await admin.get(`${calendar}/suggestions?email=o'onclick@example.org`)).body.suggestions[0]
  const things = {
    media,
    venue,
    organizer,
    category,
    tag,
    shown,
    locked,
    trashed,
    series,
    page,
    roof,
    update,
    accountRequest,
    gone,
    given,
    note,
    user,
    key,
    invitation,
    suggestion
  }
  const bank = {
    statement: { id: statement.id, entry: entries[0]?.id },
    collection,
    promised,
    receipt,
    donor: { ...donor, other: other.id, merge: merge.id, note: donorNote.id, letter: letter.id, donation: come.id },
    run: runs[0],
    rule
  }
  return {
    pages,
    ...things,
    ...bank,
    paid,
    payment,
    undoable,
    webhook,
    delivery,
    checked: checked.imports.at(-1),
    subscription: subscribed.subscriptions[0]
  }
}

const rich = `<p>Fine ${payload}</p><a href="javascript:steal()" onclick="steal()">x</a>
<a href="JaVa\tScript:steal()">y</a><iframe src="https://evil.example"></iframe><style>*{}</style>
<h2 style="position:fixed" onmouseover=steal()>H</h2><img src="data:text/html,x" onerror=steal()>
<math><mtext><style><img src=x onerror=steal()></style></mtext></math><form action="https://evil.example"><input name=a>`

function story(): string {
  return `${payload}\n\n- ${payloads[5]}\n- javascript:steal()\n\nhttps://example.org/"onmouseover=steal() https://x.example/<script>`
}

function tomorrowAt(hour: number): string {
  return `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)} ${hour}:00:00`
}
