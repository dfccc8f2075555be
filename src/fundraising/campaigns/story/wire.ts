import { buildVersionEtag } from '#platform/http/etag.ts'
import { toAmount } from '../../money/money.ts'
import type { CampaignRow } from '../queries.ts'
import type { StoryRow } from './queries.ts'
import type { CampaignStory } from './schema.ts'

/** What pages count as received: payments of donations and offline amounts. */
export function getReceivedCents({ transferredCents, offlineCents }: CampaignRow): number {
  return transferredCents + offlineCents
}

/** The story with the progress of its items and milestones. `days` has the days on which sums were reached. */
export function toWire(
  campaign: CampaignRow,
  story: StoryRow,
  days: { cents: number; day: string | null }[]
): CampaignStory {
  const received = getReceivedCents(campaign)
  let left = Math.max(0, received)
  return {
    campaignId: campaign.id,
    text: story.texts,
    pictures: story.pictures,
    items: story.items.map(({ title, text, amountCents, quantity }) => {
      const covered = Math.min(left, amountCents * quantity)
      left -= covered
      return { title, text, amount: toAmount(amountCents), quantity, amountCovered: toAmount(covered) }
    }),
    milestones: story.milestones.map(({ title, amountCents }) => {
      const isReached = received >= amountCents
      const reachedOn = isReached ? (days.find(({ cents }) => cents === amountCents)?.day ?? null) : null
      return { title, amount: toAmount(amountCents), isReached, reachedOn }
    }),
    updatedAt: story.updatedAt
  }
}

/** Combines the version of the story with the sums that its progress depends on. */
export function buildStoryEtag(campaign: CampaignRow, story: StoryRow): string {
  return buildVersionEtag(story.version, campaign.transferredCents, campaign.offlineCents)
}
