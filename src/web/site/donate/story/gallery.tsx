import type { CampaignStory } from '#fundraising/campaigns/story/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { getText } from '../../../format/texts.ts'

/** The pictures of a story; each opens as a whole. */
export function Gallery({ language, pictures }: { language: Language; pictures: CampaignStory['pictures'] }) {
  if (pictures.length === 0) return null
  return (
    <section class="gallery" aria-label={getMessages('story', language).pictures}>
      {pictures.map(({ url, alt, caption, isDecorative }) => {
        const described = getText(alt, language)
        const said = getText(caption, language)
        const image = <img src={url} alt={described.text} lang={described.lang} loading="lazy" />
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
