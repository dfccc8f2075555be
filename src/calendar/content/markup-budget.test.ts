// test: both stores
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noHosts, sanitize, toMultilineText } from '#platform/rich-text/html.ts'
import { sanitizeHtml } from '#platform/rich-text/rich-text.ts'
import { fillBudget, markupPiece } from '#test/security/markup.ts'
import { countRuns, skipUnlessFull } from '#test/support/full-run.ts'
import { calendar, event, startCalendar } from '#test/support/services.ts'
import { venueFields } from '../venues/schema.ts'

const { withRole, admin } = await startCalendar()
const contributor = await withRole('contributor')
const links = (count: number) => '<a href=x>y</a>'.repeat(count)
const countItems = async (collection: string) => (await admin.get(`${calendar}/${collection}?status=any`)).body.total

test('a text with too much markup is refused with the field and the rule', async () => {
  for (const [language, words] of [
    ['en', /description has too much markup.* 4000 tags/],
    ['de', /description hat zu viele Auszeichnungen.* 4000 Tags/]
  ] as const) {
    const body = { ...event, description: links(9990) }
    const refused = await contributor.post(`${calendar}/events`, body, { 'accept-language': language })
    assert.equal(refused.status, 400)
    assert.match(refused.body.data.params.description, words)
  }
  const { body: created } = await admin.post(`${calendar}/events`, event)
  for (const [path, body] of [
    [`/events/${created.id}`, { excerpt: links(1300) }],
    ['/venues', { venue: 'Hall', description: links(2000) }],
    ['/organizers', { organizer: 'Club', description: links(2000) }],
    ['/categories', { name: 'Music', description: links(2000) }],
    ['/tags', { name: 'Loud', description: links(2000) }]
  ] as const) {
    const refused = await admin.post(calendar + path, body)
    assert.deepEqual([refused.status, /too much markup/.test(refused.text)], [400, true], path)
  }
})

test('all texts of a request share one markup budget; a request over the budget creates nothing', async () => {
  const someLinks = links(400)
  const body = (venue: string) => ({
    ...event,
    description: someLinks,
    venue: { venue: 'A hall of its own', description: venue },
    organizer: [{ organizer: 'The first of two', description: someLinks }]
  })
  const before = [await countItems('venues'), await countItems('organizers'), await countItems('events')]
  const refused = await admin.post(`${calendar}/events`, body(links(800)))
  assert.equal(refused.status, 400)
  assert.match(refused.body.data.params.venue, /^venue has too much markup/)
  assert.deepEqual([await countItems('venues'), await countItems('organizers'), await countItems('events')], before)
  const accepted = await admin.post(`${calendar}/events`, body(someLinks))
  assert.equal(accepted.status, 201, accepted.text)
  assert.match(accepted.body.venue.description, /rel="noopener"/)
})

test('long texts with ordinary markup are accepted and not cut', { skip: skipUnlessFull }, async () => {
  const day = '<h3>Saturday</h3><ul>'.concat(
    '<li><strong>19:30</strong> A concert of an hour &amp; more</li>'.repeat(20),
    '</ul>'
  )
  const plain = 'A paragraph of a hundred words and more. '.repeat(30)
  for (const description of [day.repeat(30), `${plain}\n\n`.repeat(200), 'x'.repeat(400_000)]) {
    const { status, body, text } = await admin.post(`${calendar}/events`, { ...event, description })
    assert.equal(status, 201, text)
    assert.ok(toMultilineText(body.description).length > description.length / 3)
  }
})

test('a long text is sanitized in a worker and does not block the event loop', { skip: skipUnlessFull }, async () => {
  const site = { site: { ownHosts: noHosts } }
  const programme = '<li onclick=x>An <b>act</b>'.repeat(900)
  let ticks = 0
  const count = setInterval(() => (ticks += 1), 1)
  const [first, second] = await Promise.all([sanitizeHtml(site, programme), sanitizeHtml(site, links(1200))])
  clearInterval(count)
  assert.ok(ticks > 0)
  assert.deepEqual([first, second], [sanitize(programme), sanitize(links(1200))])

  const { status, body, text } = await admin.post(`${calendar}/events`, { ...event, description: programme })
  assert.equal(status, 201, text)
  assert.match(body.description, /<li>An <b>act<\/b>/)
  assert.doesNotMatch(body.description, /onclick/)
})

test('parsing a field does not sanitize its HTML', () => {
  const about = { zone: 'UTC', now: new Date() }
  assert.equal(venueFields.description.parse('<b onclick=x>y', about), '<b onclick=x>y')
})

test('sanitizing any markup within the budget a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.array(markupPiece, { minLength: 1, maxLength: 8 }), pieces => {
      const once = sanitize(fillBudget(pieces.join('')))
      assert.equal(sanitize(once), once)
      assert.doesNotMatch(once, /<script|\son\w+=/i)
    }),
    { numRuns: countRuns(25) }
  )
})
