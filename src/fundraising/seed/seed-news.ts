import { sampleContentCaller } from '#platform/caller.ts'
import type { Settings } from '#platform/config.ts'
import type { Database } from '#platform/database/database.ts'
import { createUpdate } from '../campaigns/updates/campaign-update.ts'
import { toLocalDay } from '../dates.ts'
import { changeCampaignPresentation } from '../presentation/presentation.ts'
import { samplePictures } from './pictures.ts'
import type { SampleCampaign } from './sample-campaigns.ts'
import { sampleNews } from './sample-news.ts'
import type { PicturePaths } from './seed-story.ts'

const dayMs = 86_400_000

/** Updates are parts of a sample campaign: they are removed with it, and not marked by themselves. */
const updateAuthor = { ...sampleContentCaller, makesSamples: false }

/** Writes the contact of a sample campaign, and its updates; their pictures are those of the story. */
export async function seedNews(
  tx: Database,
  sample: SampleCampaign,
  id: number,
  { settings, paths, now }: { settings: Settings; paths: PicturePaths; now: Date }
): Promise<void> {
  const news = sampleNews[sample.name.en]
  if (news === undefined) return
  const { contact, updates } = news
  await changeCampaignPresentation(tx, { by: sampleContentCaller, expected: undefined, now }, id, { contact })
  for (const { daysAgo, title, text, picture } of updates) {
    const at = new Date(now.getTime() - daysAgo * dayMs)
    const imageUrl = picture === undefined ? undefined : paths.get(picture)
    await createUpdate(tx, { by: updateAuthor, settings, now: at }, id, {
      status: 'published',
      date: toLocalDay(at, settings.timezone),
      texts: { en: { title: title.en, text: text.en }, de: { title: title.de, text: text.de } },
      ...(picture === undefined || imageUrl === undefined
        ? {}
        : { imageUrl, imageAlt: samplePictures[picture].alt[sample.language] })
    })
  }
}
