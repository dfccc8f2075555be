import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { CampaignUpdate } from '#fundraising/campaigns/updates/schema.ts'
import { formatLanguageName, type Language, listOtherLanguages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ImageAtUrl } from '../../components/picture.tsx'
import { RichText } from '../../components/rich-text.tsx'
import { formatDay, formatNumber } from '../../format/format.ts'
import { toPlainText, truncateText } from '../../format/plain-text.ts'
import { getUpdatePath, getUpdatesPath } from '../../server/campaign-paths.ts'
import { getCampaignPath } from '../../server/campaign-text.ts'
import type { PageContext } from '../../server/context.ts'
import type { UploadedImages } from '../../server/uploaded-images.ts'

export interface ShownUpdate {
  title: string
  text: string
  /** Set only if it differs from the page's language. */
  lang: Language | undefined
}

/** The text in the page's language, else in another one. */
export function getUpdateText({ texts }: Pick<CampaignUpdate, 'texts'>, language: Language): ShownUpdate {
  const own = texts[language]
  if (own !== undefined) return { ...own, lang: undefined }
  const other = listOtherLanguages(language).find(one => texts[one] !== undefined)
  return { ...((other && texts[other]) ?? { title: '', text: '' }), lang: other }
}

const openingLength = 260
/** As wide as the text. */
const updateImageSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)'

/** The latest updates, on the page of the campaign. */
export function LatestUpdates({
  context: { language },
  campaign,
  updates,
  count,
  images
}: {
  context: Pick<PageContext, 'language'>
  campaign: Campaign
  updates: CampaignUpdate[]
  count: number
  images: UploadedImages
}) {
  const strings = getMessages('campaign-page', language)
  if (updates.length === 0) return null
  return (
    <section class="campaign-updates" aria-labelledby="updates">
      <h2 id="updates">{strings.updates}</h2>
      <ol class="plain-list">
        {updates.map(update => (
          <li key={update.id}>
            <UpdateTeaser language={language} campaign={campaign} update={update} images={images} />
          </li>
        ))}
      </ol>
      {count <= updates.length ? null : (
        <p>
          <a href={getUpdatesPath(campaign, language)}>
            {strings.allUpdates({ count: formatNumber(language, count) })}
          </a>
        </p>
      )}
    </section>
  )
}

export function UpdateTeaser({
  language,
  campaign,
  update,
  images,
  heading: Heading = 'h3'
}: {
  language: Language
  campaign: Campaign
  update: CampaignUpdate
  images: UploadedImages
  heading?: 'h2' | 'h3'
}) {
  const { title, text, lang } = getUpdateText(update, language)
  const opening = truncateText(toPlainText(removeHeadings(text.slice(0, 4000))), openingLength)
  return (
    <article class="update">
      <p class="small muted">
        <time dateTime={update.date}>{formatDay(language, update.date)}</time>
      </p>
      <Heading lang={lang} dir="auto">
        <a href={getUpdatePath(campaign, update.id, language)}>{title}</a>
      </Heading>
      {update.imageUrl === null ? null : (
        <ImageAtUrl
          className="update-image"
          url={update.imageUrl}
          images={images}
          sizes={updateImageSizes}
          alt={update.imageAlt}
        />
      )}
      {opening === '' ? null : (
        <p lang={lang} dir="auto">
          {opening}
        </p>
      )}
    </article>
  )
}

/** A whole update, on its own page. */
export function UpdateArticle({
  context: { language },
  campaign,
  update,
  images
}: {
  context: Pick<PageContext, 'language'>
  campaign: Campaign
  update: CampaignUpdate
  images: UploadedImages
}) {
  const strings = getMessages('campaign-page', language)
  const { title, text, lang } = getUpdateText(update, language)
  return (
    <article class="update-page">
      <p class="eyebrow">
        <a href={getUpdatesPath(campaign, language)}>{strings.updates}</a>
      </p>
      <h1 lang={lang} dir="auto">
        {title}
      </h1>
      <p class="lead">
        <time dateTime={update.date}>{formatDay(language, update.date)}</time>
      </p>
      {lang === undefined ? null : (
        <p class="other-language">{strings.onlyIn({ languageName: formatLanguageName(lang, language) })}</p>
      )}
      {update.imageUrl === null ? null : (
        <ImageAtUrl
          className="campaign-image"
          url={update.imageUrl}
          images={images}
          sizes={updateImageSizes}
          alt={update.imageAlt}
          isFirst
        />
      )}
      {text === '' ? null : (
        <div dir="auto">
          <RichText html={text} lang={lang} />
        </div>
      )}
      <p class="actions">
        <a class="button quiet" href={getCampaignPath(campaign, language)}>
          {strings.toCampaign}
        </a>
      </p>
    </article>
  )
}

/** A heading would run into the sentence after it. */
function removeHeadings(html: string): string {
  const [before = '', ...parts] = html.split(/<h[1-6]\b/)
  return before + parts.map(part => part.split(/<\/h[1-6]>/, 2)[1] ?? '').join('')
}
