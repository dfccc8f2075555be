import type { NewsConsent } from '#fundraising/news/schema.ts'
import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'

/** A consent to news by email, on the pages of its donation and of the donor, with the button that ends it. */
export function NewsPart({
  context,
  action,
  news
}: {
  context: AdminContext
  /** Path of the form that unsubscribes the donor. */
  action: string
  news: NewsConsent | null | undefined
}) {
  const { language, site } = context
  if (news == null) return <>{getMessages('news-consent', language).none}</>
  const inWords = (instant: string) => formatDateTime(language, instant, site.timezone)
  const { agreed, ended, unsubscribe } = getMessages('news-consent', language)
  return (
    <>
      <span class="typed" dir="auto">
        {news.text}
      </span>
      <span class="below">
        {agreed({ moment: inWords(news.agreedAt) })}{' '}
        {news.endedAt === null ? null : ended[news.endedBy ?? 'donor']({ moment: inWords(news.endedAt) })}
      </span>
      {news.endedAt === null ? <ActionButton context={context} action={action} label={unsubscribe} /> : null}
    </>
  )
}

/** Unsubscribes the donor of a donation. `path` is the page that is shown then; by default that of the donation. */
export async function unsubscribeDonor(context: AdminContext, path?: string): Promise<Redirect> {
  const { campaign = '', donation = '' } = context.params
  const [campaignId, donationId] = [encodeURIComponent(campaign), encodeURIComponent(donation)]
  await context.api.post(`/campaigns/${campaignId}/donations/${donationId}/news/unsubscribe`)
  context.flash({ text: getMessages('news-consent', context.language).done })
  return redirect(path ?? `/admin/donations/${campaignId}/${donationId}`, 303)
}

export function getNewsLabel(language: Language): string {
  return getMessages('news-consent', language).label
}
