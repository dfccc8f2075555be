import type { NewsSubscription } from '#fundraising/news/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import type { Page, PageRouter } from '../../page/page.ts'
import type { PageContext } from '../../server/context.ts'
import { getPath, getPaths } from '../../server/paths.ts'

/** The link of emails with news. Opening it changes nothing, because mail servers open links to check them. */
export function registerUnsubscribePage(pages: PageRouter): void {
  pages.addUncached('unsubscribe', async context => {
    const { body } = await context.api.get<NewsSubscription>(getApiPath(context))
    return buildPage(context, body)
  })
  // The button of the page, or a mail program (RFC 8058), which sends `List-Unsubscribe=One-Click` and ignores the page.
  pages.addForm('unsubscribe', async context => {
    const { body } = await context.api.post<NewsSubscription>(`${getApiPath(context)}/unsubscribe`)
    return buildPage(context, body)
  })
}

function getApiPath({ params }: PageContext): string {
  return `/news/${encodeURIComponent(params.token ?? '')}`
}

function buildPage(context: PageContext, { campaignName, language: lang, isActive }: NewsSubscription): Page {
  const { language, params, reply } = context
  const strings = getMessages('campaign-page', language).unsubscribe
  // Not `no-referrer`: browsers would send the form without its origin, and it would be refused.
  reply.header('cache-control', 'no-store').header('referrer-policy', 'same-origin')
  const token = params.token ?? ''
  return {
    title: isActive ? strings.title : strings.done,
    alternates: getPaths('unsubscribe', token),
    menu: 'donate',
    styles: 'donate',
    noindex: true,
    body: (
      <div class="update-page">
        <h1>{isActive ? strings.title : strings.done}</h1>
        <p class="lead" lang={lang === language ? undefined : lang}>
          {isActive ? strings.ask({ campaign: campaignName }) : strings.doneText({ campaign: campaignName })}
        </p>
        <p>{strings.kept}</p>
        {isActive ? (
          <form method="post" action={getPath('unsubscribe', language, token)}>
            <button type="submit" class="large">
              {strings.button}
            </button>
          </form>
        ) : null}
      </div>
    )
  }
}
