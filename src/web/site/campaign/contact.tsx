import type { CampaignPresentation } from '#fundraising/presentation/schema.ts'
import { type Language, listOtherLanguages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { MailLink } from '../../components/mail-link.tsx'
import { PlainText } from '../../components/plain-text.tsx'
import { formatDay } from '../../format/format.ts'

/** Who is responsible for the campaign, and the tax status of the organisation. */
export function Contact({
  language,
  presentation: { contact, taxStatus }
}: {
  language: Language
  presentation: CampaignPresentation
}) {
  const strings = getMessages('campaign-page', language)
  if (contact === null && taxStatus === null) return null
  const isWritten = (one: Language) => (contact?.text[one] ?? '') !== ''
  const lang = isWritten(language) ? undefined : listOtherLanguages(language).find(isWritten)
  const text = contact?.text[lang ?? language] ?? ''
  return (
    <aside class="card campaign-contact" aria-labelledby="contact">
      <h2 id="contact">{contact === null ? strings.taxTitle : strings.contact}</h2>
      {contact === null ? null : (
        <div class="contact-person">
          {contact.imageUrl === null ? null : (
            <img src={contact.imageUrl} alt={contact.imageAlt} width="96" height="96" loading="lazy" />
          )}
          <div>
            <p>
              <strong dir="auto">{contact.name}</strong>
            </p>
            {text === '' ? null : (
              <div lang={lang} dir="auto">
                <PlainText text={text} />
              </div>
            )}
            {contact.phone === null ? null : (
              <p>
                {strings.phone}: <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`}>{contact.phone}</a>
              </p>
            )}
            {contact.email === null ? null : (
              <p>
                {strings.email}: <MailLink address={contact.email} />
              </p>
            )}
          </div>
        </div>
      )}
      {taxStatus === null ? null : (
        <p class="small muted">
          {strings.tax({
            organisation: taxStatus.legalName,
            office: taxStatus.taxOffice,
            day: formatDay(language, taxStatus.date)
          })}
        </p>
      )}
    </aside>
  )
}
