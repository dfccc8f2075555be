import { storyLengths } from '#fundraising/campaigns/story/schema.ts'
import { languages as allLanguages, formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Field } from '../../../components/field.tsx'
import type { StoryPart } from './row-tools.tsx'

/** The story as rich text, in each language. */
export function TextPart({ context, draft: { input, languages, errors } }: StoryPart) {
  const strings = getMessages('story-admin', context.language)
  return (
    <section class="card" id="text">
      <h2>{strings.text}</h2>
      <p class="hint part-hint">{strings.textHint}</p>
      <div class="story-texts">
        {languages.map(language => (
          <Field
            key={language}
            name={`text_${language}`}
            label={
              languages.length === 1
                ? strings.text
                : strings.labelIn({ label: strings.text, language: formatLanguageName(language, context.language) })
            }
            error={errors[`text_${language}`]}
          >
            {tied => (
              <textarea
                {...tied}
                rows={12}
                maxLength={storyLengths.text}
                lang={language}
                data-rich={JSON.stringify(getMessages('calendar-admin', context.language).rich)}
              >
                {input[`text_${language}`]}
              </textarea>
            )}
          </Field>
        ))}
      </div>
      {allLanguages
        .filter(language => !languages.includes(language))
        .map(language => (
          <input key={language} type="hidden" name={`text_${language}`} value={input[`text_${language}`]} />
        ))}
    </section>
  )
}
