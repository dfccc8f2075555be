import type { CampaignUpdate, UpdateMailing } from '#fundraising/campaigns/updates/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatNumber } from '../../../format/format.ts'
import { type Redirect, redirect } from '../../../page/page.ts'
import { buildConfirmPage } from '../../shared/confirm-page.tsx'
import type { AdminContext, AdminPage } from '../../shared/context.ts'
import { toFormErrors } from '../../shared/form.tsx'
import { getUpdateApiPath, getUpdatesMenu, getUpdateTitle } from './update-paths.ts'

/** How many donors get the update, and the button that leads to sending it. */
export function MailingPart({
  context: { language, site },
  mailing: { recipients, sentAt, obstacle },
  action
}: {
  context: AdminContext
  mailing: UpdateMailing
  action: string
}) {
  const strings = getMessages('update', language).mailing
  return (
    <section class="card" aria-labelledby="mailing">
      <h2 id="mailing">{strings.title}</h2>
      {sentAt === null ? (
        <>
          {recipients === 0 ? null : (
            <p>{strings.lead({ count: formatNumber(language, recipients), isOne: recipients === 1 })}</p>
          )}
          {obstacle === null ? (
            <>
              <p class="hint">{strings.once}</p>
              <p>
                <a class="button" href={action}>
                  {strings.review}
                </a>
              </p>
            </>
          ) : (
            <p class="hint">{strings.obstacles[obstacle]}</p>
          )}
        </>
      ) : (
        <p>{strings.sentAt({ moment: formatDateTime(language, sentAt, site.timezone) })}</p>
      )}
    </section>
  )
}

/** Says once more how many emails are sent, before they are. */
export async function confirmMailing(context: AdminContext): Promise<AdminPage> {
  return await buildPage(context)
}

export async function sendMailing(context: AdminContext): Promise<AdminPage | Redirect> {
  try {
    const { body } = await context.api.post<UpdateMailing>(`${getUpdateApiPath(context)}/mailing`)
    const { queued } = getMessages('update', context.language).mailing
    context.flash({
      text: queued({ count: formatNumber(context.language, body.recipients), isOne: body.recipients === 1 })
    })
    return redirect(`${getUpdatesMenu(context)}/${context.params.update ?? ''}`, 303)
  } catch (error) {
    return await buildPage(context, toFormErrors(error).general)
  }
}

async function buildPage(context: AdminContext, refused?: string): Promise<AdminPage> {
  const { language, api } = context
  const strings = getMessages('update', language)
  const path = getUpdateApiPath(context)
  const [{ body: update }, { body: mailing }] = await Promise.all([
    api.get<CampaignUpdate>(path),
    api.get<UpdateMailing>(`${path}/mailing`)
  ])
  const { recipients } = mailing
  const own = `${getUpdatesMenu(context)}/${update.id}`
  return buildConfirmPage(context, {
    title: strings.mailing.confirmTitle,
    text: strings.mailing.confirm({
      title: getUpdateTitle(context, update),
      count: formatNumber(language, recipients),
      isOne: recipients === 1
    }),
    menu: '/admin/campaigns',
    action: `${own}/mailing`,
    yes: strings.mailing.send,
    no: { label: strings.form.cancel, href: own },
    refused
  })
}
