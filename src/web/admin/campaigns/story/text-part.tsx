import { storyLengths } from '#fundraising/campaigns/story/schema.ts'
import { languages as allLanguages } from '#platform/language.ts'
import { Field } from '../../../components/field.tsx'
import { calendarAdminStrings } from '../../../strings/calendar-admin.ts'
import type { StoryPart } from './row-tools.tsx'
import { storyAdminStrings } from './strings.ts'

/** The story as rich text, in each language. */
export function TextPart({ context, draft: { input, languages, errors } }: StoryPart) {
  const strings = storyAdminStrings[context.language]
  return (
    <section class="card" id="text">
      <h2>{strings.text}</h2>
      <p class="hint part-hint">{strings.textHint}</p>
      <div class="story-texts">
        {languages.map(language => (
          <Field
            key={language}
            name={`text_${language}`}
            label={languages.length === 1 ? strings.text : strings.labelIn(strings.text, strings.in[language])}
            error={errors[`text_${language}`]}
          >
            {tied => (
              <textarea
                {...tied}
                rows={12}
                maxLength={storyLengths.text}
                lang={language}
                data-rich={JSON.stringify(calendarAdminStrings[context.language].rich)}
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
