import type { Client } from '../services.ts'

/** Adds updates, contact, events and public names of donors to a campaign, with long and malformed texts. Returns ids of its updates and of a donation. */
export async function addCampaignParts(
  admin: Client,
  campaignId: number,
  eventIds: number[]
): Promise<{ published: number; draft: number; reader: string }> {
  const long = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'
  const texts = {
    de: {
      title: `Das Dach ist gedeckt, und der ${long}-Ausschuss dankt`,
      text: `<h2>Was geschehen ist</h2><p>Danke! ${long}</p><ul><li>Ziegel</li><li>Dämmung</li></ul>`
    }
  }
  const path = `/campaigns/${campaignId}`
  const draft = await admin.post(`${path}/updates`, { texts: { en: { title: 'Plans', text: '' } } })
  let published = 0
  for (let day = 1; day <= 12; day += 1) {
    const date = `2026-01-${String(day).padStart(2, '0')}`
    published = (await admin.post(`${path}/updates`, { texts, date, status: 'published' })).body.id
  }
  const contact = {
    ...{
      name: `Friederike Oberländer-Weißenfels ${long}`,
      email: `${'kasse'.repeat(8)}@example.org`,
      phone: '030 123'
    },
    text: { en: '', de: `Ich leite die Musikschule.\n\n${long}` }
  }
  await admin.patch(`${path}/presentation`, { contact, eventIds })
  await admin.patch('/presentation', { contact: { name: 'Anna Becker', text: { en: 'Call me.' } } })
  let reader = ''
  for (const donorName of ['Familie Walkenhorst-Überreuther', long, 'مريم']) {
    const { body } = await admin.post(`${path}/donations`, {
      ...{ amount: 20, donorName, showName: true, status: 'TRANSFERRED', email: 'reader@example.org' },
      news: { text: 'Neuigkeiten zu dieser Spendenaktion erhalten' }
    })
    reader = body.id
  }
  return { published, draft: draft.body.id, reader }
}
