import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findText, getMessages } from '#platform/messages/messages.ts'
import { startAdmin } from '#test/support/admin-client.ts'
import { calendar, campaign, event } from '#test/support/services.ts'
import { findVerb } from './describe-activity.ts'

const { admin, signIn } = await startAdmin()
const [anna, bruno] = [await signIn('admin'), await signIn('admin', 'de')]

test('every action has a text in both languages, and is an option of the filter', async () => {
  const known: { action: string; subject: string }[] = (await admin.get('/actions')).body
  assert.ok(known.length > 40)
  const { text } = await anna.get('/admin/activity')
  for (const { action, subject } of known) {
    for (const language of ['en', 'de'] as const) {
      assert.ok(findText(getMessages('activity', language).subjects, subject), `${subject} has no text in ${language}`)
      assert.ok(findVerb(language, action), `${action} has no text in ${language}`)
    }
    assert.match(text, new RegExp(`<option value="${action.replace('.', '\\.')}">`))
  }
})

test('actions on a webhook are shown as sentences that link to the webhook', async () => {
  const { id } = (await admin.post('/webhooks', { url: 'https://chat.example.org/in', actions: ['*'] })).body
  await admin.post(`/webhooks/${id}/test`)
  await admin.post(`/webhooks/${id}/secret`)
  const english = (await anna.get('/admin/activity?subject=webhook')).text
  assert.match(english, /The server key \(ADMIN_KEY\) created the webhook chat\.example\.org/)
  assert.match(english, new RegExp(`href="/admin/webhooks/${id}">The server key \\(ADMIN_KEY\\) tested the webhook`))
  assert.match((await bruno.get('/admin/activity?subject=webhook')).text, /hat den Signaturschlüssel des Webhooks/)
})

test('an update lists only the changed fields, with old and new value; long texts are named without content', async () => {
  const { id } = (await admin.post(`${calendar}/events`, { ...event, title: 'Flea market' })).body
  // As the form of the console sends it: with all fields.
  await admin.patch(`${calendar}/events/${id}`, { ...event, title: 'Flea market', start_date: '2027-06-01 18:00:00' })
  const { text } = await anna.get(`/admin/activity?subject=event&subjectId=${id}&action=event.updated`)
  assert.match(text, /Changed: Start [^<;]*2027[^<;]*19:00 → [^<;]*2027[^<;]*18:00</)
  const { id: campaignId } = (await admin.post('/campaigns', campaign)).body
  await admin.patch(`/campaigns/${campaignId}`, { targetAmount: 9000, description: 'A secret of some length' })
  const page = (await bruno.get(`/admin/activity?subject=campaign&subjectId=${campaignId}&action=campaign.updated`))
    .text
  assert.match(page, /Beschreibung; Ziel 8\.000 → 9\.000</)
  assert.doesNotMatch(page, /A secret/)
})
