import type { DonorRecord } from '#fundraising/donors/schema.ts'
import { formatLanguageName, languages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Select } from '../../components/field.tsx'
import { formatDay, formatMoney } from '../../format/format.ts'
import type { AdminContext } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { donorsMenu, getDonorPath, toSiteDay } from './donor-format.tsx'

/** Letters of a donor, and the form that writes one. */
export function LetterPart({ context, donor }: { context: AdminContext; donor: DonorRecord }) {
  const { language } = context
  const strings = getMessages('letter', language)
  const years = [...new Set(donor.years.map(({ year }) => String(year)))]
  return (
    <section class="card" aria-labelledby="letters">
      <h2 id="letters">{strings.part}</h2>
      {donor.letters.length === 0 ? <p class="muted">{strings.none}</p> : null}
      <ul class="plain-list">
        {donor.letters.map(({ id, year, amount, currency, writtenAt }) => (
          <li key={id}>
            <a href={`${donorsMenu}/letters/${id}/letter.pdf`}>{strings.open({ year: String(year) })}</a>
            <span class="below">
              {formatMoney(language, currency, amount, true)}, {formatDay(language, toSiteDay(context, writtenAt))}
            </span>
          </li>
        ))}
      </ul>
      {donor.address === null ? (
        <p class="hint">{strings.needsAddress}</p>
      ) : years.length === 0 ? (
        <p class="hint">{strings.nothingReceived}</p>
      ) : (
        <Form context={context} action={`${getDonorPath(donor.id)}/letters`}>
          <div class="field-row">
            <Select
              name="year"
              label={strings.year}
              value={years[0] ?? ''}
              options={years.map(year => ({ value: year, label: year }))}
            />
            <Select
              name="language"
              label={strings.language}
              value=""
              options={[
                { value: '', label: strings.ownLanguage },
                ...languages.map(one => ({ value: one, label: formatLanguageName(one, language) }))
              ]}
            />
          </div>
          <button type="submit" class="small">
            {strings.write}
          </button>
        </Form>
      )}
    </section>
  )
}
