import type { NewsConsent } from '#fundraising/news/schema.ts'
import type { Language } from '#platform/language.ts'
import { formatDateTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { AdminContext } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'

/** The consent to news by email on the page of a donation, with the button that ends it. */
export function NewsPart({
  context,
  path,
  news
}: {
  context: AdminContext
  /** Path of the donation's page. */
  path: string
  news: NewsConsent | null | undefined
}) {
  const { language, site } = context
  if (news == null) return <>{strings[language].none}</>
  const inWords = (instant: string) => formatDateTime(language, instant, site.timezone)
  const { agreed, ended, unsubscribe } = strings[language]
  return (
    <>
      <span class="typed">{news.text}</span>
      <span class="below">
        {agreed(inWords(news.agreedAt))}{' '}
        {news.endedAt === null ? null : ended[news.endedBy ?? 'donor'](inWords(news.endedAt))}
      </span>
      {news.endedAt === null ? (
        <ActionButton context={context} action={`${path}/news/unsubscribe`} label={unsubscribe} />
      ) : null}
    </>
  )
}

export async function unsubscribeDonor(context: AdminContext): Promise<Redirect> {
  const { campaign = '', donation = '' } = context.params
  const [campaignId, donationId] = [encodeURIComponent(campaign), encodeURIComponent(donation)]
  await context.api.post(`/campaigns/${campaignId}/donations/${donationId}/news/unsubscribe`)
  context.flash({ text: strings[context.language].done })
  return redirect(`/admin/donations/${campaignId}/${donationId}`, 303)
}

export function getNewsLabel(language: Language): string {
  return strings[language].label
}

const en = {
  label: 'News by email',
  none: 'Not requested.',
  agreed: (moment: string) => `Agreed on ${moment}.`,
  ended: {
    donor: (moment: string) => `Unsubscribed by the donor on ${moment}.`,
    treasurer: (moment: string) => `Unsubscribed by a treasurer on ${moment}.`
  },
  unsubscribe: 'Unsubscribe',
  done: 'The donor is unsubscribed.'
}

const de: typeof en = {
  label: 'Neuigkeiten per E-Mail',
  none: 'Nicht gewünscht.',
  agreed: moment => `Eingewilligt am ${moment}.`,
  ended: {
    donor: moment => `Selbst abbestellt am ${moment}.`,
    treasurer: moment => `Abbestellt durch die Verwaltung am ${moment}.`
  },
  unsubscribe: 'Abbestellen',
  done: 'Die Neuigkeiten sind abbestellt.'
}

const strings: Record<Language, typeof en> = { en, de }
