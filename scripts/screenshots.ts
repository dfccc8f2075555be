// Writes the pictures of docs/images: pages of a site with sample content, at a fixed time.
//   npm run screenshots                all pictures
//   npm run screenshots -- donor home  those with one of these words in their names
// node:test is used for its clock, and because the test support closes everything after the last test.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import sharp from 'sharp'
import { type BrowserOptions, installBrowser, startSiteAndBrowser } from '#test/support/browser.ts'
import { buildStatement } from '#test/support/fundraising/bank-statements.ts'
import { organisation } from '#test/support/fundraising/receipts.ts'
import { root } from '#test/support/project-root.ts'
import { calendar } from '#test/support/services.ts'

/** A Wednesday. It has to be in the past: the database decides by its own clock what is published. */
const now = new Date('2026-09-16T08:20:00Z')
const folder = join(root, 'docs/images')
const password = 'a password for the pictures'

interface Picture extends BrowserOptions {
  name: string
  path: string
  height?: number
}

if (spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1)
installBrowser()
mock.timers.enable({ apis: ['Date'], now })
const site = await startSiteAndBrowser({ env: { TIMEZONE: 'Europe/Berlin', CURRENCY: 'EUR' } })
const { admin, visitor } = site
const content = await createContent()
const words = process.argv.slice(2)

const pictures: Picture[] = [
  { name: 'home', path: '/en' },
  { name: 'month', path: '/en/calendar' },
  { name: 'list-phone', path: '/en/calendar/list', width: 390, height: 844 },
  { name: 'event', path: '/en/event/benefit-concert-for-the-new-roof' },
  { name: 'campaign', path: `/en/donate/${content.campaign}` },
  { name: 'campaign-phone-dark', path: `/en/donate/${content.campaign}`, width: 390, height: 844, dark: true },
  { name: 'donation-phone', path: `/en/donate/thanks/${content.donorToken}`, width: 390, height: 844 },
  { name: 'dashboard', path: '/admin', height: 1180 },
  { name: 'event-editor', path: `/admin/events/${content.event}` },
  { name: 'statement', path: `/admin/statements/${content.statement}` },
  { name: 'donor', path: `/admin/donors/${content.donor}` },
  { name: 'appearance-dark', path: '/admin/appearance', dark: true }
]

for (const picture of pictures) {
  if (words.length > 0 && !words.some(word => picture.name.includes(word))) continue
  test(picture.name, async () => await takePicture(picture))
}

async function takePicture({ name, path, height = 900, ...options }: Picture): Promise<void> {
  const context = await site.open(options)
  const { hostname } = new URL(site.origin)
  if (path.startsWith('/admin')) {
    await context.addCookies([{ name: 'kalends_session', value: content.session, domain: hostname, path: '/admin' }])
  }
  const page = await context.newPage()
  await page.setViewportSize({ width: options.width ?? 1280, height })
  const response = await page.goto(path, { waitUntil: 'networkidle' })
  if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`)
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot({ animations: 'disabled' })
  await context.close()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.png`), await sharp(png).png({ palette: true, effort: 10 }).toBuffer())
}

/** Sample content, and what it does not have: a treasurer at work. */
async function createContent() {
  await admin.post('/sample-content')
  await admin.patch('/site', {
    name: 'Nachbarschaft Ulmenfurt e. V.',
    tagline: {
      en: 'Concerts, repair cafés and a long table: what the town does together.',
      de: 'Konzerte, Repair-Cafés und ein langer Tisch: was die Stadt gemeinsam tut.'
    },
    contactEmail: 'hallo@ulmenfurt.example',
    socialLinks: ['https://mastodon.social/@ulmenfurt', 'https://www.instagram.com/ulmenfurt']
  })
  await admin.patch('/organisation', { ...organisation, legalName: 'Nachbarschaft Ulmenfurt e. V.' })
  const email = 'anna@ulmenfurt.example'
  await admin.post('/users', { name: 'Anna Lindqvist', email, role: 'admin', language: 'en', password })
  const { body: session } = await visitor.post('/sessions', { email, password })
  const campaigns: { id: number; name: string }[] = (await admin.get('/campaigns')).body
  const campaign = campaigns.find(({ name }) => name === 'Ein neues Dach für die Musikschule')?.id ?? 0
  const { events } = (await admin.get(`${calendar}/events?search=roof`)).body
  await admin.patch(`/campaigns/${campaign}/presentation`, {
    contact: {
      name: 'Käthe Bürkle',
      text: { en: 'I teach the violin here, and I know every leak.' },
      phone: '+49 30 23125 040'
    },
    eventIds: [events[0].id]
  })
  const donate = async (amount: number) => {
    const account = { iban: 'DE02120300000000202051' }
    const body = { amount, donorName: 'Lea Sommer', account, language: 'en' }
    return (await visitor.post(`/campaigns/${campaign}/donations`, body)).body
  }
  const statement = await createStatement((await donate(85)).reference)
  return {
    session: session.token as string,
    campaign,
    event: events[0].id as number,
    donorToken: (await donate(25)).donorToken as string,
    statement,
    donor: await createDonor(campaign)
  }
}

/** A bank statement with entries of every kind. Returns its id. */
async function createStatement(reference: string): Promise<string> {
  const promised: { reference: string; amount: number; donorName: string; status: string }[] = (
    await admin.get('/donations?limit=100')
  ).body.filter(
    (one: { status: string; reference: string }) => one.status === 'IN_PROCESS' && one.reference !== reference
  )
  const bookings = promised.slice(0, 4).map(donation => ({
    amount: donation.amount.toFixed(2),
    text: `Spende ${donation.reference}`,
    name: donation.donorName
  }))
  const { body } = await admin.send({
    method: 'POST',
    url: '/bank-statements',
    headers: { 'content-type': 'application/xml' },
    payload: buildStatement(
      [
        ...bookings,
        { amount: '80.00', text: `Dach ${reference}`, name: 'Lea Sommer', iban: 'DE02120300000000202051' },
        { amount: '25.00', text: 'Spende fuer das Dach', name: 'Juergen Weiss' },
        { amount: '17.50', text: 'Kuchenverkauf am Samstag', name: 'Baeckerei Sommer' }
      ].map(booking => ({ bookedOn: '2026-09-15', ...booking }))
    )
  })
  return body.id
}

/** A donor with donations of two years, a note and a possible duplicate. Returns the id. */
async function createDonor(campaignId: number): Promise<string> {
  const address = { street: 'Am Mühlgraben 9', postalCode: '05512', city: 'Ulmenfurt', country: 'DE' }
  const give = async (amount: number, fields: object) => {
    const { body } = await admin.post(`/campaigns/${campaignId}/donations`, {
      ...{ amount, status: 'TRANSFERRED', receiptRequested: true, language: 'de', address },
      ...{ donorName: 'Friederike Jansen', email: 'friederike.jansen@ulmenfurt.example' },
      ...fields
    })
    return body.id as string
  }
  const id = await give(120, {})
  await give(40, {})
  await give(25, { donorName: 'F. Jansen' })
  const [{ id: donor }] = (await admin.get(`/donor-records?donationId=${id}`)).body
  await admin.post(`/donor-records/${donor}/notes`, { text: 'Sings in the choir. Prefers letters to emails.' })
  return donor
}
