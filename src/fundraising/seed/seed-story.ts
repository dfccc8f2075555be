import { sampleContentCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import type { SeedTools } from '#platform/http/service.ts'
import { patchCampaign } from '../campaigns/campaign.ts'
import { addOfflineAmount } from '../campaigns/offline-amounts/offline-amount.ts'
import { patchStory } from '../campaigns/story/story.ts'
import { toLocalDay } from '../dates.ts'
import type { Cents } from '../money/money.ts'
import { samplePictures } from './pictures.ts'
import type { SampleCampaign } from './sample-campaigns.ts'
import { type SamplePictureName, type SampleStory, sampleStories } from './sample-stories.ts'

/** Paths of stored pictures, by their names; empty where no service stores pictures. */
export type PicturePaths = Map<SamplePictureName, string>

/** Stores the pictures of a campaign's story. Not in a transaction, because drawing takes long. */
export async function storeStoryPictures(sample: SampleCampaign, { storePicture }: SeedTools): Promise<PicturePaths> {
  const paths: PicturePaths = new Map()
  const { cover, pictures = [] } = sampleStories[sample.name.en] ?? {}
  if (storePicture === undefined || cover === undefined) return paths
  for (const name of [cover, ...pictures.map(([picture]) => picture)]) {
    paths.set(name, await storePicture(samplePictures[name]))
  }
  return paths
}

/** Writes the story of a sample campaign, its cover image and its offline amounts. */
export async function seedStory(
  tx: Database,
  sample: SampleCampaign,
  id: number,
  { settings, paths, now }: { settings: Settings; paths: PicturePaths; now: Date }
): Promise<void> {
  const story = sampleStories[sample.name.en]
  if (story === undefined) return
  const common = { expected: undefined, settings, now }
  const imageUrl = paths.get(story.cover)
  if (imageUrl !== undefined) {
    const input = { imageUrl, imageAlt: samplePictures[story.cover].alt[sample.language] }
    await patchCampaign(tx, sampleContentCaller, { ...common, id, input })
  }
  await patchStory(tx, sampleContentCaller, { ...common, campaignId: id, input: toStoryPatch(story, paths) })
  for (const [daysAgo, amount, label] of story.offline ?? []) {
    const receivedOn = toLocalDay(new Date(now.getTime() - daysAgo * 86_400_000), settings.timezone)
    const actor = { by: sampleContentCaller, timezone: settings.timezone, now }
    await addOfflineAmount(tx, actor, id, { amount: toCents(amount), receivedOn, label })
  }
}

function toStoryPatch({ text, pictures = [], items = [], milestones = [] }: SampleStory, paths: PicturePaths) {
  return {
    ...(text === undefined ? {} : { text }),
    pictures: pictures.flatMap(([name, caption]) => {
      const url = paths.get(name)
      return url === undefined ? [] : [{ url, caption, alt: samplePictures[name].alt }]
    }),
    items: items.map(([title, amount, quantity, about = {}]) => ({
      ...{ title, quantity, amount: toCents(amount), text: about }
    })),
    milestones: milestones.map(([title, amount]) => ({ title, amount: toCents(amount) }))
  }
}

const toCents = (amount: number) => Math.round(amount * 100) as Cents
