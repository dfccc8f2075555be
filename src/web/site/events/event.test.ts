import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, calendar, startSite } from '#test/support/services.ts'

const { admin, visitor } = await startSite({ env: { TIMEZONE: 'Europe/Berlin' } })

async function create(collection: string, fields: object, by: Client = admin) {
  const created = await by.post(`${calendar}/${collection}`, fields)
  assert.equal(created.status, 201, created.text)
  return created.body
}

const times = { start_date: '2099-06-13 14:00:00', end_date: '2099-06-13 18:00:00' }
const anEvent = async (fields: object = {}) => await create('events', { title: 'Summer festival', ...times, ...fields })

async function addGermanText(id: number, fields: object) {
  const written = await admin.put(`${calendar}/events/${id}?language=de`, fields)
  assert.equal(written.status, 200, written.text)
  return written.body
}

const sendForm = (path: string, fields: Record<string, string>) =>
  visitor.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString()
  })

test('the page of an event shows time, place, cost and organizer', async () => {
  const event = await anEvent({
    title: 'Bread and cider',
    cost: '5',
    venue: { venue: 'Town Hall', address: 'Markt 1', zip: '05512', city: 'Ulmenfurt', geo_lat: 51.5, geo_lng: 10.25 },
    organizer: { organizer: 'Bakers', phone: '+49 30 123' }
  })
  const { status, text } = await visitor.get(`/en/event/${event.slug}`)
  assert.equal(status, 200)
  assert.match(text, /<h1 class="p-name">Bread and cider<\/h1>/)
  assert.match(text, /datetime="2099-06-13T14:00:00\+02:00"/)
  assert.match(text, /Saturday, 13 June 2099, 14:00<\/time>–<time[^>]*>18:00<\/time>/)
  assert.match(text, /€5/)
  assert.match(text, /href="\/en\/venue\/town-hall"/)
  assert.match(text, /openstreetmap\.org\/\?mlat=51\.5&amp;mlon=10\.25/)
  assert.match(text, /href="geo:51\.5,10\.25/)
  assert.match(text, /href="\/en\/organizer\/bakers"/)
  assert.match(text, /href="tel:\+4930123"/)
  const german = await visitor.get(`/de/termin/${event.slug}`)
  assert.match(german.text, /Samstag, 13\. Juni 2099, 14:00<\/time>–<time[^>]*>18:00<\/time> Uhr/)
  assert.match(german.text, /5\s€/)
})

test('all-day events, events until midnight and events of several days have a readable period', async () => {
  const describeTime = async (fields: object) => {
    const { slug } = await anEvent({ title: 'A matter of time', ...fields })
    const { text } = await visitor.get(`/en/event/${slug}`)
    return /<p class="event-when">(.*?)<\/p>/.exec(text)?.[1]?.replace(/<[^>]*>/g, '')
  }
  assert.equal(await describeTime({ all_day: true }), 'Saturday, 13 June 2099, all day')
  assert.equal(
    await describeTime({ all_day: true, end_date: '2099-06-15 12:00:00' }),
    'Saturday, 13 June 2099 to Monday, 15 June 2099'
  )
  assert.equal(await describeTime({ end_date: '2099-06-14 00:00:00' }), 'Saturday, 13 June 2099, 14:00–00:00')
  assert.equal(
    await describeTime({ end_date: '2099-06-14 02:30:00' }),
    'Saturday, 13 June 2099, 14:00 to Sunday, 14 June 2099, 02:30'
  )
})

test('an event in another time zone shows the zone and the local time of the site', async () => {
  const { slug } = await anEvent({ title: 'Far away', timezone: 'America/New_York' })
  const { text } = await visitor.get(`/en/event/${slug}`)
  assert.match(text, /America\/New York/)
  assert.match(text, /here: Saturday, 13 June 2099, 20:00–00:00/)
})

test('a slug in the other language redirects permanently to the slug in the language of the page', async () => {
  const event = await anEvent({ title: 'Harvest feast' })
  const german = await addGermanText(event.id, { title: 'Erntefest' })
  const { status, headers } = await visitor.get(`/de/termin/${event.slug}`)
  assert.equal(status, 301)
  assert.equal(headers.location, `/de/termin/${german.slug}`)
  const { text } = await visitor.get(`/en/event/${event.slug}`)
  assert.match(text, new RegExp(`hreflang="de" href="[^"]*/de/termin/${german.slug}"`))
  assert.match(text, new RegExp(`rel="canonical" href="[^"]*/en/event/${event.slug}"`))
})

test('a slug in another script has one URL, and a twice encoded slug redirects to it', async () => {
  for (const title of ['Праздник', 'حفل موسيقي']) {
    const { id, slug } = await anEvent({ title })
    const address = `/en/event/${encodeURIComponent(title.toLowerCase().replace(' ', '-')).toLowerCase()}`
    const { status, text } = await visitor.get(address)
    assert.equal(status, 200)
    assert.match(text, new RegExp(`rel="canonical" href="[^"]*${address}"`))
    // The links of pages until version 0.1.
    const encodedTwice = await visitor.get(`/en/event/${encodeURIComponent(slug)}`)
    assert.deepEqual([encodedTwice.status, encodedTwice.headers.location], [301, address])
    assert.ok(
      (await visitor.get(`/en/calendar/list?search=${encodeURIComponent(title)}`)).text.includes(`"${address}"`)
    )
    assert.equal((await visitor.get(`/event/${slug}/`)).headers.location, address)
    assert.equal((await visitor.get(`/en/embed/events/${id}`)).text.includes(`"${address}"`), true)
  }
})

test('right-to-left text has dir=auto', async () => {
  const venue = { venue: 'قاعة المدينة', address: 'شارع الزهور 5' }
  const { slug } = await anEvent({ title: 'مهرجان الحي', description: '<p>أهلا وسهلا</p>', venue })
  const { text } = await visitor.get(`/en/event/${slug}`)
  assert.match(text, /<h1 class="p-name" dir="auto">مهرجان/)
  assert.match(text, /<div class="prose e-content" dir="auto"><p>أهلا/)
  assert.match(text, /<a class="p-name u-url" href="[^"]*" dir="auto">قاعة/)
  assert.match(text, /<span class="p-street-address" dir="auto">/)
  assert.match((await visitor.get('/en/calendar/list?search=مهرجان')).text, /<span dir="auto">مهرجان/)
})

test('the country of a venue is shown in the language of the page', async () => {
  const { slug } = await anEvent({ title: 'Abroad', venue: { venue: 'Halle', city: 'Köln', country: 'Deutschland' } })
  assert.match((await visitor.get(`/en/event/${slug}`)).text, /<span class="p-country-name">Germany</)
  assert.match((await visitor.get(`/de/termin/${slug}`)).text, /<span class="p-country-name">Deutschland</)
})

test('a text in one language only is shown with its lang attribute and a note', async () => {
  const { slug } = await anEvent({ title: 'English only', description: 'Just words.' })
  const { text } = await visitor.get(`/de/termin/${slug}`)
  assert.match(text, /Dieser Termin ist nur auf Englisch beschrieben/)
  assert.match(text, /<h1 class="p-name" lang="en">/)
  assert.match(text, /class="prose e-content" lang="en"/)
  assert.match(text, new RegExp(`rel="canonical" href="[^"]*/en/event/${slug}"`))
})

test('cancelled, postponed, past and current events are labelled', async () => {
  const openEvent = async (fields: object) => {
    const { slug } = await anEvent({ title: 'State', ...fields })
    return (await visitor.get(`/en/event/${slug}`)).text
  }
  const cancelled = await openEvent({ event_status: 'canceled' })
  assert.match(cancelled, /This event does not take place/)
  assert.doesNotMatch(cancelled, /Add to calendar/)
  assert.match(await openEvent({ event_status: 'postponed' }), /A new date will follow/)
  const past = await openEvent({ start_date: '2001-01-01 10:00:00', end_date: '2001-01-01 11:00:00' })
  assert.match(past, /This event is over/)
  assert.doesNotMatch(past, /Add to calendar/)
  assert.match(await openEvent({ start_date: '2001-01-01 10:00:00' }), /Happening now/)
  assert.doesNotMatch(await openEvent({}), /class="notice/)
})

test('HTML in titles, names and addresses is escaped in the page and in its JSON-LD', async () => {
  const payload = `"'>&lt;img src=x onerror=alert(1)&gt;</script>`
  const { slug } = await anEvent({
    title: `Sharp ${payload}`,
    description: '<p onclick="x()">Body</p><script>alert(2)</script>',
    venue: { venue: `Hall ${payload}`, address: `Street ${payload}`, website: 'https://example.org/"><b>' },
    categories: [`Kind ${payload}`]
  })
  const { text } = await visitor.get(`/en/event/${slug}`)
  assert.doesNotMatch(text, /<img src=x|<b>|onclick|alert\(2\)/)
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
  assert.match(JSON.parse(data).name, /^Sharp /)
})

test('JSON-LD has the URL of the page, the meta description is short, and email addresses are encoded', async () => {
  const { slug } = await anEvent({
    title: 'Open day',
    excerpt: `<p>Come &amp; see</p> ${'many words '.repeat(60)}`,
    organizer: { organizer: 'Choir', email: 'choir@example.org' }
  })
  const { text } = await visitor.get(`/en/event/${slug}`)
  assert.doesNotMatch(text, /choir@example\.org/)
  assert.match(
    text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    /mailto:choir@example\.org/
  )
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
  assert.match(data.url, new RegExp(`/en/event/${slug}$`))
  assert.equal(data['@type'], 'Event')
  const description = /<meta name="description" content="([^"]*)"/.exec(text)?.[1] ?? ''
  assert.match(description, /^Come &amp; see/)
  assert.ok(description.length <= 204, String(description.length))
})

test('the page links to an .ics file, Google Calendar and Outlook', async () => {
  const { id, slug } = await anEvent({ title: 'Note me', all_day: true })
  const { text } = await visitor.get(`/de/termin/${slug}`)
  assert.match(text, new RegExp(`href="/de/events/${id}\\.ics"`))
  assert.match(text, /calendar\.google\.com\/[^"]*dates=20990613%2F20990614/)
  assert.match(text, /outlook\.live\.com\/[^"]*allday=true/)
  assert.equal((await visitor.get(`/de/events/${id}.ics`)).status, 200)
})

test('headings of a description start below the heading of the page', async () => {
  const { slug } = await anEvent({ title: 'Structure', description: '<h1>One</h1><p>x</p><h4>Four</h4><p>y</p>' })
  const { text } = await visitor.get(`/en/event/${slug}`)
  assert.equal(text.match(/<h1/g)?.length, 1)
  assert.match(text, /<h2>One<\/h2>.*<h3>Four<\/h3>/s)
})

test('a protected event shows its content only with the correct password; a wrong one is an error', async () => {
  const { slug } = await anEvent({
    title: 'Rehearsal of the secret',
    description: 'Behind the curtain.',
    post_password: 'open sesame',
    venue: { venue: 'Hidden cellar' }
  })
  const path = `/en/event/${slug}`
  const closed = await visitor.get(path)
  assert.equal(closed.status, 200)
  assert.match(closed.text, /name="robots" content="noindex"/)
  assert.match(closed.text, /<form[^>]*method="post"/)
  assert.doesNotMatch(closed.text, /Behind the curtain|Hidden cellar|2099/)

  const wrong = await sendForm(path, { password: 'guess' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.text, /aria-invalid="true"/)
  assert.doesNotMatch(wrong.text, /Behind the curtain|guess/)
  assert.match((await sendForm(path, { password: '' })).text, /Please enter the password/)

  const opened = await sendForm(path, { password: 'open sesame' })
  assert.equal(opened.status, 200)
  assert.match(opened.text, /Behind the curtain/)
  assert.match(opened.text, /name="robots" content="noindex"/)
  assert.equal(opened.headers['cache-control'], 'no-store')
  assert.doesNotMatch(opened.text, /open sesame|\.ics"[^>]*rel="nofollow"/)
})

test('a password form from another site is refused', async () => {
  const { slug } = await anEvent({ title: 'Own forms', post_password: 'secret' })
  const { status } = await visitor.send({
    method: 'POST',
    url: `/en/event/${slug}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    payload: 'password=secret'
  })
  assert.equal(status, 403)
})

test('an unknown event is 404, one in the trash 410, and a draft 404', async () => {
  assert.equal((await visitor.get('/en/event/never-was')).status, 404)
  const deleted = await anEvent({ title: 'Soon gone' })
  await admin.delete(`${calendar}/events/${deleted.id}`)
  assert.equal((await visitor.get(`/en/event/${deleted.slug}`)).status, 410)
  const draft = await anEvent({ title: 'Not yet', slug: 'not-yet-public', status: 'draft' })
  const { status, text } = await visitor.get(`/en/event/${draft.slug || 'not-yet-public'}`)
  assert.equal(status, 404)
  assert.doesNotMatch(text, /Not yet</)
  assert.equal((await visitor.get(`/en/event/${'a'.repeat(3000)}`)).status, 404)
})

test('the previous and next events are linked, also among events with the same start', async () => {
  const at = (day: string, title: string) =>
    anEvent({ title, start_date: `2098-03-${day} 10:00:00`, end_date: `2098-03-${day} 11:00:00` })
  const first = await at('01', 'Chain one')
  const second = await at('02', 'Chain two')
  const twin = await at('02', 'Chain three')
  const last = await at('03', 'Chain four')
  const readNeighbours = async (slug: string) => {
    const { text } = await visitor.get(`/en/event/${slug}`)
    const readSlug = (name: string) => new RegExp(`href="/en/event/([^"]*)" rel="${name}"`).exec(text)?.[1]
    return [readSlug('prev'), readSlug('next')]
  }
  assert.deepEqual(await readNeighbours(second.slug), [first.slug, twin.slug])
  assert.deepEqual(await readNeighbours(twin.slug), [second.slug, last.slug])
})

test('the page has links to share the event and to set a reminder, and the .ics file can contain an alarm', async () => {
  const { id, slug } = await anEvent({
    title: 'Sommerfest & <b>Tanz</b>',
    start_date: '2031-06-14 15:00:00',
    end_date: '2031-06-14 18:00:00'
  })
  const { text } = await visitor.get(`/en/event/${slug}`)
  const address = `http://localhost:80/en/event/${slug}`
  assert.match(text, new RegExp(`<input id="share-address" type="text" readonly value="${address}"`))
  assert.match(text, /<button[^>]*data-copy="#share-address"[^>]*hidden/)
  assert.match(text, new RegExp(`<button[^>]*data-share="${address}"[^>]*hidden`))
  assert.match(text, /src="\/assets\/copy-/)
  assert.ok(text.includes(`href="mailto:?subject=${encodeURIComponent('Are you coming? Sommerfest & Tanz')}&amp;body=`))
  assert.match(text, /href="mailto:\?subject=Reminder%3A%20Sommerfest[^"]*body=[^"]*2031[^"]*"/)
  assert.match(text, new RegExp(`href="/en/events/${id}\\.ics\\?alarm=1440"`))
  const { text: file } = await visitor.get(`/en/events/${id}.ics?alarm=1440`)
  assert.match(
    file,
    /BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Sommerfest & Tanz\r\nTRIGGER:-PT1440M\r\nEND:VALARM\r\nEND:VEVENT/
  )
  assert.doesNotMatch((await visitor.get(`/en/events/${id}.ics`)).text, /VALARM/)
  assert.equal((await visitor.get(`/calendar/events/v1/events/${id}.ics?alarm=-1`)).status, 400)
})
