import { sendRequest } from '../kalends-process.ts'
import { calendar, campaign, donation, event } from '../services.ts'
import { asAdmin } from './scenario.ts'
import { formatGet, formatPost } from './traffic.ts'

/** Creates content, and returns a generator of visitor requests: mostly reads, some donations. */
export async function createVisitorRequests(url: string): Promise<(number: number) => string> {
  const campaigns: number[] = []
  for (let count = 0; count < 20; count += 1) {
    const body = { ...campaign, targetAmount: 1_000_000, description: 'What it is for. '.repeat(20) }
    campaigns.push((await sendRequest(`${url}/campaigns`, { method: 'POST', body, headers: asAdmin })).body.id)
  }
  for (let count = 0; count < 100; count += 1) {
    const day = String(1 + (count % 28)).padStart(2, '0')
    const body = {
      ...event,
      title: `Event ${count}`,
      start_date: `2027-06-${day} 19:00:00`,
      end_date: `2027-06-${day} 21:00:00`
    }
    await sendRequest(`${url}${calendar}/events`, { method: 'POST', body, headers: asAdmin })
  }
  return number => {
    const campaignId = campaigns[number % campaigns.length]
    switch (number % 10) {
      case 0:
      case 5:
        return formatPost(`/campaigns/${campaignId}/donations`, donation)
      case 1:
        return formatGet(`${calendar}/events?per_page=10&page=${1 + (number % 7)}&start_date=2027-01-01`)
      case 2:
        return formatGet(`/campaigns?limit=20&n=${number}`)
      case 3:
        return formatGet(`/campaigns/${campaignId}/donations?limit=20`)
      default:
        return formatGet(`/campaigns/${campaignId}?n=${number}`)
    }
  }
}
