import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ImageAtUrl } from '../../../components/picture.tsx'
import { getText } from '../../../format/texts.ts'
import type { UploadedImages } from '../../../server/uploaded-images.ts'

/** Two columns, on phones one. */
const gallerySizes = '(min-width: 62rem) 19rem, (min-width: 34rem) 50vw, calc(100vw - 2rem)'

/** The pictures of a story; each opens as a whole. */
export function Gallery({
  language,
  pictures,
  images
}: {
  language: Language
  pictures: CampaignStory['pictures']
  images: UploadedImages
}) {
  if (pictures.length === 0) return null
  return (
    <section class="gallery" aria-label={getMessages('story', language).pictures}>
      {pictures.map(({ url, alt, caption, isDecorative }) => {
        const described = getText(alt, language)
        const said = getText(caption, language)
        const image = (
          <ImageAtUrl url={url} images={images} sizes={gallerySizes} alt={described.text} lang={described.lang} />
        )
        return (
          <figure key={url}>
            {isDecorative ? image : <a href={url}>{image}</a>}
            {said.text === '' ? null : (
              <figcaption lang={said.lang} dir="auto">
                {said.text}
              </figcaption>
            )}
          </figure>
        )
      })}
    </section>
  )
}
