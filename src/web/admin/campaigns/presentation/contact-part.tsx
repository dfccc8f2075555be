import type { TaxStatus } from '#fundraising/presentation/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDay } from '../../../format/format.ts'
import type { AdminContext } from '../../shared/context.ts'
import { FormFields } from '../../shared/forms/form-fields.tsx'
import { type ContactDraft, contactFields } from './contact-fields.ts'

/** The contact in a form, and what is said about the tax status below it. */
export function ContactPart({
  context,
  draft: { input, errors },
  hint,
  taxStatus
}: {
  context: AdminContext
  draft: ContactDraft
  hint: string
  taxStatus: TaxStatus | null
}) {
  const { language } = context
  const strings = getMessages('presentation', language).form
  return (
    <section class="card">
      <h2>{strings.contact}</h2>
      <p class="hint">
        {strings.contactHint} {hint}
      </p>
      <FormFields {...{ context, strings, input, errors }} fields={contactFields.contact} />
      <p class="hint">
        {taxStatus === null
          ? strings.taxMissing
          : strings.taxShown({
              text: getMessages('campaign-page', language).tax({
                organisation: taxStatus.legalName,
                office: taxStatus.taxOffice,
                day: formatDay(language, taxStatus.date)
              })
            })}
      </p>
    </section>
  )
}
