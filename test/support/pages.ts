import { createCalendarJobs } from '#calendar/jobs.ts'
import { sql } from '#platform/database/sql.ts'
import type { Language } from '#platform/language.ts'
import { toWeek } from '#web/site/calendar/dates.ts'
import { buildStatement, type StatementBooking } from './fundraising/bank-statements.ts'
import { addCampaignParts } from './fundraising/campaign-parts.ts'
import { donor, organisation } from './fundraising/receipts.ts'
import { calendar, type startSite } from './services.ts'

/** The path of a page, and the status of its response. */
export interface KnownPage {
  path: string
  status: number
  /** Excluded from search engines. */
  isPrivate?: boolean
}

const password = 'walks over every page'

/** Every page, with sample content, and a signed-in user of the console for each language. */
export async function listPages(site: Awaited<ReturnType<typeof startSite>>) {
  const { admin, visitor, withKey } = site
  await admin.post('/sample-content')
  const sessions = {} as Record<Language, string>
  for (const language of ['en', 'de'] as const) {
    const email = `admin-${language}@example.org`
    await admin.post('/users', { name: `Ada ${language}`, email, role: 'admin', language, password })
    sessions[language] = (await visitor.post('/sessions', { email, password })).body.token
  }

  // A series that has started, has no end, and skips a date.
  const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
  const series = await admin.post(`${calendar}/events?language=de`, {
    title: 'Probe des Kammerchors der Nachbarschaft von Lindenhof-Überreuth',
    start_date: `${lastWeek} 19:00`,
    end_date: `${lastWeek} 21:30`,
    recurrence: { unit: 'week', every: 1 }
  })
  const read = async (path: string) => (await admin.get(path)).body
  const { next } = await read(`${calendar}/series/${series.body.series.id}`)
  await admin.delete(`${calendar}/events/${next.id}`)

  const range = 'start_date=2000-01-01&end_date=2100-01-01&per_page=50'
  const { events } = await read(`${calendar}/events?${range}&status=publish,draft`)
  const { venues } = await read(`${calendar}/venues?per_page=5`)
  const { organizers } = await read(`${calendar}/organizers?per_page=5`)
  const { categories } = await read(`${calendar}/categories?per_page=5`)
  const { tags } = await read(`${calendar}/tags?per_page=5`)
  const campaigns: { id: number; status: string }[] = await read('/campaigns')
  const [donation] = await read('/donations?limit=1')
  const open = campaigns.find(({ status }) => status === 'open')
  const donated = await visitor.post(`/campaigns/${open?.id}/donations`, {
    amount: 50,
    donorName: 'Familie Walkenhorst-Überreuther',
    receiptRequested: true,
    // The link has the message held for review.
    message: 'Alles Gute!\nhttps://example.org/Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
    showName: true,
    account: { iban: 'DE02120300000000202051', name: 'Familie Walkenhorst-Überreuther', nameOfBank: '' }
  })
  // A donation that is held for review, and a changed account of a campaign: several pages show them.
  await admin.patch('/organisation', { reviewAbove: 1000 })
  await visitor.post(`/campaigns/${open?.id}/donations`, {
    ...{ amount: 5000, donorName: 'Jemand mit viel Geld', account: { iban: 'DE02120300000000202051' } }
  })
  const { account, ...moved } = await read(`/campaigns/${open?.id}`)
  await admin.put(`/campaigns/${open?.id}`, { ...moved, account: { ...account, iban: 'DE75512108001245126199' } })
  // A request for another account, which waits for a second person.
  const requested = await admin.post('/account-requests', {
    change: 'campaign_account',
    campaignId: open?.id,
    account: { iban: 'DE12500105170648489890', name: 'Förderverein der Musikschule Lindenhof-Überreuth e. V.' }
  })
  // Suggestions in every state; all fields are filled in.
  const suggested = await createSuggestions(site)
  const donors = [donated.body.donorToken, ...(await createDonorTokens(site, open?.id ?? 0))]
  const { checked, waiting } = await createImports(site)
  const versioned = await createVersionedEvent(site)
  const subscribed = await createSubscriptions(site, events[0].id)
  const statement = await createStatement(site, donated.body.reference)
  const receipts = await createReceipts(site, open?.id ?? 0)
  const debits = await createDirectDebits(site, open?.id ?? 0)
  const parts = await addCampaignParts(admin, open?.id ?? 0, [events[0].id, series.body.id])
  const paid = await createPaidDonations(site, open?.id ?? 0)
  const donor = await createDonor(site, open?.id ?? 0)
  const invited = { name: 'Friederike Oberländer-Weißenfels', email: 'invited@example.org', role: 'treasurer' }
  const invitation = (await admin.post('/invitations', invited)).body
  const webhook = (await admin.post('/webhooks', { url: 'https://hooks.example.org/in', actions: ['*'] })).body
  const delivery = (await admin.post(`/webhooks/${webhook.id}/test`)).body
  const sitePage = await createSitePage(site)
  const [{ id: user }] = await read('/users')
  const key = (await admin.post('/keys', { name: 'Website der Nachbarschaft', role: 'viewer' })).body
  const [image] = (await read(`${calendar}/media?per_page=1`)).media
  await addPasskeys(site)
  const month = new Date().toISOString().slice(0, 7)
  const today = new Date().toISOString().slice(0, 10)
  const week = toWeek(today, 'monday')

  async function slugs(collection: string, items: { id: number }[], language: Language): Promise<string[]> {
    const found: string[] = []
    for (const { id } of items) {
      const { body } = await visitor.get(`${calendar}/${collection}/${id}?language=${language}`)
      if (body.slug !== undefined) found.push(body.slug)
    }
    return found
  }
  const publishedEvents = events.filter((event: { status: string }) => event.status === 'publish').slice(0, 8)
  const protectedEvent = events.find((event: { all_day: null | boolean }) => event.all_day === null)
  const slugsOf = {} as Record<Language, Record<'events' | 'venues' | 'organizers' | 'categories' | 'tags', string[]>>
  for (const language of ['en', 'de'] as const) {
    slugsOf[language] = {
      events: await slugs(
        'events',
        protectedEvent === undefined ? publishedEvents : [...publishedEvents, protectedEvent],
        language
      ),
      venues: await slugs('venues', venues.slice(0, 2), language),
      organizers: await slugs('organizers', organizers.slice(0, 2), language),
      categories: await slugs('categories', categories.slice(0, 2), language),
      tags: await slugs('tags', tags.slice(0, 1), language)
    }
  }

  const segments = {
    en: {
      calendar: 'calendar',
      list: 'list',
      suggest: 'suggest',
      event: 'event',
      venue: 'venue',
      organizer: 'organizer',
      category: 'category',
      tag: 'tag',
      donate: 'donate',
      thanks: 'thanks',
      updates: 'updates',
      confirm: 'confirm',
      about: 'about',
      imprint: 'imprint',
      privacy: 'privacy',
      problems: 'problems',
      unsubscribe: 'news'
    },
    de: {
      calendar: 'kalender',
      list: 'liste',
      suggest: 'vorschlagen',
      event: 'termin',
      venue: 'ort',
      organizer: 'veranstalter',
      category: 'kategorie',
      tag: 'schlagwort',
      donate: 'spenden',
      thanks: 'danke',
      updates: 'neuigkeiten',
      confirm: 'bestaetigen',
      about: 'ueber-uns',
      imprint: 'impressum',
      privacy: 'datenschutz',
      problems: 'probleme',
      unsubscribe: 'abmelden'
    }
  }

  function publicPages(language: Language): KnownPage[] {
    const name = segments[language]
    const known = slugsOf[language]
    const newPage = (path: string, more: Partial<KnownPage> = {}): KnownPage => ({
      path: `/${language}${path}`,
      status: 200,
      ...more
    })
    return [
      newPage(''),
      newPage(`/${name.calendar}`),
      newPage(`/${name.calendar}/${month}`),
      newPage(`/${name.calendar}/2031-01`),
      newPage(`/${name.calendar}/${today}`),
      newPage(`/${name.calendar}/${week}`, { isPrivate: true }),
      newPage(`/${name.calendar}/${name.list}`),
      newPage(`/${name.calendar}/${name.list}?more=yes&price=10&when=month`, { isPrivate: true }),
      newPage(`/${name.calendar}/${name.list}?past=yes`),
      newPage(`/${name.calendar}/${name.list}?once=yes`, { isPrivate: true }),
      newPage(`/${name.calendar}/${name.list}?series=${series.body.series.id}`, { isPrivate: true }),
      newPage(`/${name.event}/${series.body.slug}`),
      newPage(`/${name.calendar}/${name.list}?search=zzzzz`, { isPrivate: true }),
      newPage(`/${name.calendar}/${name.suggest}`),
      newPage(`/${name.calendar}/${name.suggest}/${name.thanks}?state=unconfirmed`, { isPrivate: true }),
      newPage(`/${name.calendar}/${name.suggest}/${name.confirm}/ksl_1234567890_x`, { isPrivate: true }),
      ...known.events.map(slug =>
        newPage(`/${name.event}/${slug}`, { isPrivate: protectedEvent !== undefined && slug === known.events.at(-1) })
      ),
      ...known.venues.map(slug => newPage(`/${name.venue}/${slug}`)),
      ...known.organizers.map(slug => newPage(`/${name.organizer}/${slug}`)),
      ...known.categories.map(slug => newPage(`/${name.category}/${slug}`)),
      ...known.tags.map(slug => newPage(`/${name.tag}/${slug}`)),
      newPage(`/${name.donate}`),
      ...campaigns.filter(({ status }) => status !== 'draft').map(({ id }) => newPage(`/${name.donate}/${id}`)),
      newPage(`/${name.donate}/${open?.id}/${name.updates}`),
      newPage(`/${name.donate}/${open?.id}/${name.updates}/${parts.published}`),
      newPage(`/${name.donate}/${open?.id}/${name.thanks}`, { isPrivate: true }),
      ...donors.map(token => newPage(`/${name.donate}/${name.thanks}/${token}`, { isPrivate: true })),
      newPage(`/${name.about}`, { isPrivate: true }),
      newPage(`/${name.imprint}`, { isPrivate: true }),
      newPage(`/${name.privacy}`, { isPrivate: true }),
      newPage(`/${sitePage.texts[language].slug}`),
      newPage('/feeds'),
      newPage('/feeds?show=news'),
      newPage('/feeds?show=events'),
      newPage('/feeds?show=campaign'),
      newPage('/embed/events', { isPrivate: true }),
      newPage('/embed/events?view=compact&theme=dark', { isPrivate: true }),
      newPage(`/embed/events/${publishedEvents[0].id}`, { isPrivate: true }),
      newPage(`/embed/campaigns/${open?.id}`, { isPrivate: true }),
      newPage('/embed/campaigns/99999999', { status: 404, isPrivate: true }),
      newPage('/api'),
      newPage(`/${name.problems}`),
      newPage(`/${name.problems}/campaign-not-found`),
      newPage(`/${name.donate}/${name.unsubscribe}/unknown`, { status: 404, isPrivate: true }),
      newPage('/nothing-here', { status: 404, isPrivate: true }),
      newPage('/nothing/here', { status: 404, isPrivate: true })
    ]
  }

  function consolePages(): KnownPage[] {
    const [event] = events
    const paths = [
      '',
      '/events',
      '/events/new',
      `/events/${event.id}`,
      `/events/${event.id}?lang=de`,
      `/events/${event.id}/preview?lang=de`,
      `/events?show=all&status=draft&from=2000-01-01&venue=${venues[0].id}&search=a`,
      '/events?show=trash',
      `/events/${versioned}/versions`,
      `/events/${versioned}/versions/1`,
      `/events/${event.id}/remove-text?lang=de`,
      '/suggestions',
      '/suggestions?state=accepted',
      '/suggestions?state=declined',
      `/suggestions/${suggested}`,
      `/suggestions/${suggested}/erase`,
      '/venues',
      '/venues/new',
      `/venues/${venues[0].id}`,
      `/venues/${venues[0].id}/remove-text?lang=de`,
      '/organizers',
      '/organizers/new',
      `/organizers/${organizers[0].id}`,
      `/organizers/${organizers[0].id}/remove-text?lang=de`,
      '/categories',
      '/categories/new',
      `/categories/${categories[0].id}`,
      `/categories/${categories[0].id}/remove-text?lang=de`,
      `/categories/${categories[0].id}/delete`,
      '/tags',
      '/tags/new',
      `/tags/${tags[0].id}`,
      `/tags/${tags[0].id}/remove-text?lang=de`,
      `/tags/${tags[0].id}/delete`,
      '/images',
      `/images/${image.id}/delete`,
      '/pages',
      '/pages/new',
      '/pages/2?lang=de',
      `/pages/${sitePage.id}`,
      `/pages/${sitePage.id}/delete`,
      '/appearance',
      '/imports',
      '/imports/new/tec',
      '/imports/new/ical',
      '/imports/new/csv',
      `/imports/${checked}`,
      `/imports/${waiting}`,
      `/imports/${checked}/undo`,
      '/subscriptions',
      '/subscriptions/new',
      `/subscriptions/${subscribed.id}`,
      `/subscriptions/${subscribed.id}/edit`,
      `/subscriptions/${subscribed.id}/delete`,
      `/subscriptions/${subscribed.id}/runs/${subscribed.run}`,
      `/subscriptions/${subscribed.stopped}`,
      '/campaigns',
      '/campaigns/new',
      `/campaigns/${open?.id}`,
      `/campaigns/${open?.id}/story`,
      `/campaigns/${open?.id}/offline-amounts`,
      `/campaigns/${open?.id}/updates`,
      `/campaigns/${open?.id}/updates/new`,
      `/campaigns/${open?.id}/updates/${parts.published}`,
      `/campaigns/${open?.id}/updates/${parts.draft}/mailing`,
      `/campaigns/${open?.id}/updates/${parts.draft}/delete`,
      `/campaigns/${open?.id}/presentation`,
      '/presentation',
      `/donations/${open?.id}/${parts.reader}`,
      '/account-requests',
      `/account-requests/${requested.body.id}`,
      '/donations',
      `/donations/${donation.campaignId}/${donation.id}`,
      `/donations/${donated.body.campaignId}/${donated.body.id}`,
      '/donations?review=message',
      `/donations/${donation.campaignId}/${donation.id}/erase`,
      '/donors',
      '/donors?search=zzzz',
      '/donors/duplicates',
      '/donors/letters',
      `/donors/${donor.id}`,
      `/donors/${donor.id}/merge?search=a`,
      `/donors/${donor.id}/merge/${donor.other}`,
      '/samples/remove',
      '/donations/new',
      `${paid.promise}/payment?back=list`,
      `${paid.promise}/cancel`,
      `${paid.promise}/fail`,
      paid.part,
      paid.over,
      paid.returned,
      `${paid.returned}/went-back`,
      `${paid.part}/payments/${paid.payment}/remove`,
      paid.refunded,
      '/statements',
      '/journal',
      '/statements/rules',
      `/statements/${statement.id}`,
      `/statements/${statement.id}?result=all`,
      `/statements/${statement.id}/entries/${statement.entry}`,
      '/collections',
      `/collections/${debits.collection}`,
      `/collections/${debits.collection}/done`,
      `/collections/${debits.collection}/cancel`,
      `/collections/mandates/${debits.waiting.reference}/revoke`,
      `/donations/${debits.waiting.campaignId}/${debits.waiting.id}`,
      '/receipts',
      '/receipts/preview?runYear=2026',
      `/receipts/${receipts.receipt}`,
      `/receipts/${receipts.receipt}/withdraw`,
      `/receipts/runs/${receipts.run}`,
      '/users',
      '/users/new',
      `/users/${user}`,
      `/users/${user}/remove`,
      `/users/${user}/factors`,
      `/users/${user}/identities`,
      '/users/sign-in-policy',
      '/invitations/new',
      `/invitations/${invitation.id}/withdraw`,
      '/forgotten',
      `/invitation?token=${new URL(invitation.link).searchParams.get('token')}`,
      '/keys',
      '/keys/new',
      `/keys/${key.id}/revoke`,
      '/webhooks',
      '/webhooks/new',
      `/webhooks/${webhook.id}`,
      `/webhooks/${webhook.id}/edit`,
      `/webhooks/${webhook.id}/secret`,
      `/webhooks/${webhook.id}/delete`,
      `/webhooks/${webhook.id}/deliveries/${delivery.id}`,
      '/data',
      '/data/restored',
      '/activity',
      '/settings',
      '/organisation',
      '/account',
      '/account/security',
      '/account/security/totp',
      '/account/security/totp/remove',
      '/account/security/recovery-codes',
      '/account/security/passkeys/new',
      '/account/security/passkeys/1',
      '/account/security/passkeys/1/remove',
      '/account/security/identities/remove',
      '/search?q=a',
      `/events/${series.body.id}`,
      `/series/${series.body.series.id}`,
      `/series/${series.body.series.id}?show=past`,
      `/series/${series.body.series.id}/delete`
    ]
    return [
      ...paths.map(path => ({ path: `/admin${path}`, status: 200 })),
      { path: '/admin/events/99999999', status: 404 }
    ]
  }

  return {
    sessions,
    public: publicPages,
    console: consolePages,
    withSession: (language: Language) => withKey(sessions[language])
  }
}

/** A passkey of every user. */
async function addPasskeys({ store }: Awaited<ReturnType<typeof startSite>>): Promise<void> {
  await store.run(sql`
    insert into platform.passkeys (user_id, id, credential_id, public_key, counter, transports, name, created_at)
    select id, 1, id::text::bytea, 'public key', 0, '{internal}', 'Notebook der Friederike Oberländer-Weißenfels', now()
    from platform.users`)
}

/** A donor with a long name, a consent, a note, a letter, a merge and a possible duplicate. */
async function createDonor({ admin }: Awaited<ReturnType<typeof startSite>>, campaignId: number) {
  const donorName = 'Dr. Maria-Elisabeth Freifrau von Hohenlohe-Schillingsfürst zu Waldenburg'
  const email = 'maria-elisabeth.von-hohenlohe-schillingsfuerst@verwaltung.example.org'
  const createDonation = async (fields: object) => {
    const { body } = await admin.post(`/campaigns/${campaignId}/donations`, {
      amount: 40,
      status: 'TRANSFERRED',
      ...fields
    })
    return (await admin.get(`/donor-records?donationId=${body.id}`)).body[0].id as string
  }
  const address = { street: 'Am Lindenhof 12', postalCode: '50667', city: 'Köln' }
  const consent = { text: 'Mein Name darf veröffentlicht werden.', version: '3' }
  const id = await createDonation({ donorName, email, address, showName: true, consent, language: 'de' })
  const other = await createDonation({ donorName: 'M. v. Hohenlohe', email })
  const merged = await createDonation({ donorName, address: { ...address, street: 'Am Lindenhof 21' } })
  await admin.post(`/donor-records/${id}/merges`, { donorId: merged })
  await admin.post(`/donor-records/${id}/notes`, { text: 'Möchte keinen Anruf am Abend.' })
  await admin.post(`/donor-records/${id}/letters`, { year: new Date().getFullYear() })
  return { id, other }
}

/** Donor tokens: one with a receipt, one with a direct debit, and one whose donation waits for review. */
async function createDonorTokens(
  { admin, visitor }: Awaited<ReturnType<typeof startSite>>,
  id: number
): Promise<string[]> {
  await admin.patch('/organisation', {
    legalName: 'Musikschule Lindenhof e. V.',
    address: { street: 'Lindenweg 1', postalCode: '50667', city: 'Köln' },
    taxOffice: 'Köln-Mitte',
    taxNumber: '214/5842/1234',
    exemption: { kind: 'notice', date: new Date().toISOString().slice(0, 10) },
    purposes: 'von Kunst und Kultur',
    signatory: 'Käthe Bürkle',
    creditorId: 'DE98ZZZ09999999999',
    reviewAbove: 5000
  })
  const { texts } = (await visitor.get('/mandate')).body
  const donate = async (fields: object) =>
    (
      await visitor.post(`/campaigns/${id}/donations`, {
        amount: 120.5,
        donorName: 'Jürgen Größwein',
        account: { iban: 'DE02120300000000202051' },
        ...fields
      })
    ).body
  const address = { street: 'Am Öschle 7', postalCode: '88662', city: 'Überlingen' }
  const received = await donate({ receiptRequested: true, address })
  await admin.patch(`/campaigns/${id}/donations/${received.id}`, { status: 'TRANSFERRED' })
  await admin.post('/receipts', { kind: 'single', donation: { campaignId: id, id: received.id } })
  const debit = await donate({ mandate: { text: texts.de } })
  const held = await donate({ amount: 6000 })
  return [received.donorToken, debit.donorToken, held.donorToken]
}

/** An event with an earlier version that differs in texts, times and links; another one is in the trash. */
async function createVersionedEvent({ admin }: Awaited<ReturnType<typeof startSite>>): Promise<number> {
  const day = (date: string) => ({ start_date: `${date} 19:00:00`, end_date: `${date} 21:00:00` })
  const paragraph = 'Rindfleischetikettierungsüberwachung, und danach singt der Chor der Nachbarschaft. '.repeat(12)
  const { id } = (
    await admin.post(`${calendar}/events?language=de`, {
      ...day('2031-05-01'),
      title: 'Jahreshauptversammlung des Fördervereins der Musikschule Lindenhof-Überreuth',
      description: `<p>Beginn um sieben.</p><p>${paragraph}</p>`,
      tags: ['Versammlung'],
      status: 'draft'
    })
  ).body
  await admin.patch(`${calendar}/events/${id}?language=de`, {
    ...day('2031-05-02'),
    title: 'Mitgliederversammlung des Fördervereins der Musikschule Lindenhof-Überreuth',
    description: `<p>Beginn um acht.</p><p>${paragraph}</p><p>Mit Buffet.</p>`,
    tags: [],
    cost: '5 €'
  })
  const trashed = (await admin.post(`${calendar}/events`, { ...day('2031-05-03'), title: 'Thrown away' })).body
  await admin.delete(`${calendar}/events/${trashed.id}`)
  return id
}

/** A statement with an entry of every kind; returns it with its first suggested entry. */
async function createStatement({ admin }: Awaited<ReturnType<typeof startSite>>, reference: string) {
  const payer = { name: 'Familie Walkenhorst-Überreuther', iban: 'DE02120300000000202051' }
  const bookings: StatementBooking[] = [
    { amount: '45.00', text: `Zuwendung ${reference} mit herzlichen Grüßen aus der Nachbarschaft`, ...payer },
    { amount: '17.00', text: 'Kuchenverkauf', name: 'Bäckerei Sommer' },
    { amount: '80.10', text: 'Abschlag', direction: 'out' },
    { amount: '1.005', text: 'x' },
    { amount: '5.00', status: 'PDNG', bookedOn: null }
  ]
  const headers = { 'content-type': 'application/xml' }
  const url = '/bank-statements'
  const { body } = await admin.send({ method: 'POST', url, headers, payload: buildStatement(bookings) })
  const [entry] = (await admin.get(`${url}/${body.id}/entries?result=suggested`)).body
  return { id: body.id, entry: entry?.id }
}

/** A batch of direct debits, and a donation that waits for the next batch. */
async function createDirectDebits({ admin, visitor }: Awaited<ReturnType<typeof startSite>>, campaignId: number) {
  await admin.patch('/organisation', { legalName: 'Musikschule Lindenhof e. V.', creditorId: 'DE98ZZZ09999999999' })
  const { texts } = (await visitor.get('/mandate')).body
  const fields = { amount: 35, donorName: 'Zoë Müßig', account: { iban: 'DE02120300000000202051' } }
  const createPledge = async () =>
    (await visitor.post(`/campaigns/${campaignId}/donations`, { ...fields, mandate: { text: texts.de } })).body
  await createPledge()
  const { body: collection } = await admin.post('/collections', { campaignId })
  return { collection: collection.id, waiting: await createPledge() }
}

/** The pages of donations in every payment state, and a payment that can be removed. */
async function createPaidDonations({ admin, visitor }: Awaited<ReturnType<typeof startSite>>, campaignId: number) {
  const fields = { amount: 100, donorName: 'Freifrau Überreuther', account: { iban: 'DE02120300000000202051' } }
  async function paid(...amounts: number[]): Promise<{ page: string; payment: string }> {
    const { body } = await visitor.post(`/campaigns/${campaignId}/donations`, fields)
    const path = `/campaigns/${campaignId}/donations/${body.id}`
    for (const amount of amounts) await admin.post(`${path}/payments`, { amount })
    const { payments } = (await admin.get(path)).body
    return { page: `/donations/${campaignId}/${body.id}`, payment: payments[0]?.id }
  }
  const part = await paid(40)
  return {
    promise: (await paid()).page,
    part: part.page,
    over: (await paid(60, 45.5)).page,
    returned: (await paid(100, -30)).page,
    refunded: (await paid(100, -100)).page,
    payment: part.payment
  }
}

/** A receipt, and a run that has not started. */
async function createReceipts({ admin }: Awaited<ReturnType<typeof startSite>>, campaignId: number) {
  await admin.patch('/organisation', organisation)
  const fields = { ...donor, amount: 50, receiptRequested: true, status: 'TRANSFERRED' }
  const { body: donated } = await admin.post(`/campaigns/${campaignId}/donations`, fields)
  const body = { kind: 'single', donation: { campaignId, id: donated.id } }
  const { body: receipt } = await admin.post('/receipts', body)
  const { body: run } = await admin.post('/receipt-runs', { year: 2026, upToToday: true })
  return { receipt: receipt.id, run: run.id }
}

/** A subscribed calendar with a conflict, a removed event and a report, and one that waits for a decision. */
async function createSubscriptions({ store }: Awaited<ReturnType<typeof startSite>>, eventId: number) {
  const insert = async (key: string, problem: string | null) =>
    await store.one<{ id: number }>(sql`
      insert into calendar.subscriptions (
        url, url_key, source, name, gone, status, language, timezone, author_id, author_name, problem, error, next_run_at,
        last_run_at, created_at, modified_at
      ) values (
        ${`https://kulturverein.example.org/Veranstaltungskalender/${key}.ics`}, ${key}, 'ical',
        ${`Kulturgemeinschaft Oberlinden-Weißenfels: ${key}`}, 'keep', 'publish', 'de', 'Europe/Berlin', 1, 'ADMIN_KEY',
        ${problem}, ${problem === null ? null : '{"en": "It looks damaged.", "de": "Er sieht beschädigt aus."}'},
        ${problem === null ? new Date(Date.now() + 86_400_000) : null}, now(), now(), now()
      )
      returning id`)
  const { id } = await insert('alle', null)
  const { id: stopped } = await insert('jugend', 'ids-changed')
  await store.run(sql`
    insert into calendar.subscription_items (subscription_id, source_id, event_id, base, conflicts, gone_at, gone_action)
    values (
      ${id}, 'a', ${eventId}, '{}',
      '{"title.de": {"hash": "", "value": "Ein sehr langer Titel der anderen Seite"}, "venue": {"hash": "", "value": []}}',
      now(), 'keep'
    )`)
  const counts = { new: 3, changed: 1, same: 12, conflict: 1, gone: 1, restored: 0, skipped: 0, problem: 0 }
  const { id: run } = await store.one<{ id: number }>(sql`
    insert into calendar.subscription_runs (subscription_id, result, counts, started_at, finished_at)
    values (${id}, 'changed', ${JSON.stringify(counts)}, now(), now())
    returning id`)
  await store.run(sql`
    insert into calendar.subscription_rows (run_id, position, kind, source_id, title, outcome, reasons, item_id)
    values (${run}, 1, 'event', 'a', 'Orgelkonzert', 'conflict', '[{"en": "Edited here.", "de": "Hier bearbeitet."}]', ${eventId})`)
  return { id, stopped, run }
}

/** A CSV import that was checked, and one that waits. */
async function createImports({ admin, settings, store }: Awaited<ReturnType<typeof startSite>>) {
  async function send(): Promise<number> {
    const parts = new FormData()
    parts.append('source', 'csv')
    parts.append(
      'file',
      new Blob(['Title;Start date;Room\nOrgan recital;2031-06-14 19:30;1\nNo date;;2\n']),
      'programme.csv'
    )
    const form = new Response(parts)
    const headers = { 'content-type': form.headers.get('content-type') ?? '' }
    const payload = Buffer.from(await form.arrayBuffer())
    return (await admin.send({ method: 'POST', url: `${calendar}/imports`, headers, payload })).body.id
  }
  const checked = await send()
  for (const job of createCalendarJobs(settings)) {
    if (job.name === 'run-imports') await job.run(store, {}, new AbortController().signal)
  }
  return { checked, waiting: await send() }
}

/** Creates suggestions in every state, and returns the id of an open one. */
async function createSuggestions({ visitor, admin }: Awaited<ReturnType<typeof startSite>>): Promise<number> {
  const ids: number[] = []
  for (const number of [1, 2, 3]) {
    const { headers } = await visitor.post(`${calendar}/suggestions?language=de`, {
      title: `Straßenfest mit Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzlesung ${number}`,
      description: 'Mit Musik.\n\n<a href="https://example.org">Mehr</a>',
      start_date: '2031-06-01 14:00:00',
      end_date: '2031-06-01 18:00:00',
      ...{ venue_name: 'Werkstatt am Überreuther Weg', venue_address: 'Überreuther Weg 117, 01234 Weißenfels' },
      ...{ organizer: 'Nachbarschaft', website: 'https://example.org', cost: '5 €' },
      sender_name: 'Friederike Oberländer-Weißenfels',
      sender_email: `sender-${number}@example.org`,
      message: 'Bitte bald veröffentlichen!\nhttps://example.org/mehr'
    })
    ids.push(Number(headers.location?.split('/').at(-1)))
  }
  const [open = 0, accepted, declined] = ids
  await admin.post(`${calendar}/suggestions/${accepted}/accept`)
  await admin.post(`${calendar}/suggestions/${declined}/decline`, { reason: 'Doppelt', message: 'Leider nein.' })
  return open
}

/** A page with every element that a text can have, in the menu of the site, and links to profiles in social networks. */
async function createSitePage({ admin }: Awaited<ReturnType<typeof startSite>>) {
  const content =
    '<h2>Who we are</h2><p>A choir, <a href="https://example.org">and friends</a>.</p><ul><li>sing</li></ul><h3>Contact</h3><blockquote>Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz</blockquote><table><tr><th>Day</th></tr><tr><td>Monday</td></tr></table>'
  await admin.patch('/site', {
    socialLinks: ['https://mastodon.social/@us', 'https://www.instagram.com/us', 'https://example.org/us']
  })
  const texts = { en: { title: 'Our team', content }, de: { title: 'Unsere Mitarbeiterinnen', content } }
  return (await admin.post('/pages', { status: 'published', place: 'header', texts })).body
}
