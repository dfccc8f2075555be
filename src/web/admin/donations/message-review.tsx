import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import { getMessages, type Messages } from '#platform/messages/messages.ts'
import { formatRelativeTime } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext } from '../shared/context.ts'
import type { Flash } from '../shared/flash.ts'
import { ActionButton, Form } from '../shared/form.tsx'
import { donationsMenu } from './links/paths.ts'
import { parseDonationRefs } from './links/selection.ts'

export const messagePath = `${donationsMenu}/message`

/** Publishes or hides a donor's message; the button's value names the donation. */
export async function reviewMessage(context: AdminContext): Promise<Redirect> {
  const [one] = parseDonationRefs(getFormField(context, 'donation'))
  const messageReview = getFormField(context, 'review') === 'shown' ? 'shown' : 'hidden'
  if (one !== undefined)
    context.flash(await saveReview(context, `/campaigns/${one.campaignId}/donations/${one.id}`, messageReview))
  const isOnPage = getFormField(context, 'page') === 'donation' && one !== undefined
  return redirect(isOnPage ? `${donationsMenu}/${one.campaignId}/${one.id}` : '/admin', 303)
}

async function saveReview(context: AdminContext, path: string, messageReview: 'shown' | 'hidden'): Promise<Flash> {
  const strings = getMessages('abuse-protection', context.language).messages
  try {
    await context.api.patch(path, { messageReview })
    return { text: messageReview === 'shown' ? strings.isShown : strings.isHidden }
  } catch (error) {
    // The campaign or the donation was deleted.
    if (error instanceof ApiError && error.status < 500) return { text: error.message, tone: 'bad' }
    throw error
  }
}

/** Whether the donor's message is public, and the actions of a treasurer. */
export function MessagePart({ context, donation }: { context: AdminContext; donation: DonationWithHistory }) {
  const strings = getMessages('abuse-protection', context.language).messages
  const { messageReview = null } = donation
  if (messageReview === null) return null
  return (
    <section class="card" aria-labelledby="message-review">
      <h2 id="message-review">{strings.part}</h2>
      <p>{describeReview(donation, strings)}</p>
      <Form context={context} action={messagePath}>
        <input type="hidden" name="donation" value={`${donation.campaignId} ${donation.id}`} />
        <input type="hidden" name="page" value="donation" />
        <p class="actions">
          {isAllShown(donation) ? null : (
            <button type="submit" name="review" value="shown" class="small">
              {strings.show}
            </button>
          )}
          {messageReview === 'hidden' ? null : (
            <button type="submit" name="review" value="hidden" class="small quiet">
              {strings.hide}
            </button>
          )}
        </p>
      </Form>
    </section>
  )
}

/** A name without message needs no review once the money was received or a treasurer released the donation. */
function isAllShown({ messageReview, message, status, review }: DonationWithHistory): boolean {
  const isTrusted = status === 'TRANSFERRED' || review === 'released'
  return messageReview === 'shown' || (messageReview === 'waiting' && message === null && isTrusted)
}

function describeReview(donation: DonationWithHistory, strings: Messages<'abuse-protection'>['messages']): string {
  if (isAllShown(donation)) return strings.shown
  if (donation.messageReview === 'hidden') return strings.hidden
  return donation.message === null ? strings.nameWaits : strings.waiting
}

/** Messages that only treasurers see so far, for review; renders nothing if there are none. */
export function MessagesCard({
  context,
  waiting,
  total,
  campaigns
}: {
  context: AdminContext
  waiting: ListedDonation[]
  total: number
  campaigns: Campaign[]
}) {
  const { language, now } = context
  const strings = getMessages('abuse-protection', language).messages
  const { anonymous } = getMessages('donation', language)
  if (total === 0) return null
  const nameOfCampaign = (id: number) => campaigns.find(campaign => campaign.id === id)?.translations[language]?.name
  return (
    <section class="card part part-wide" aria-labelledby="messages">
      <div class="part-head">
        <h2 id="messages">{strings.card}</h2>
        {total > waiting.length ? (
          <a href={withQuery(donationsMenu, { review: 'message' })}>{strings.cardAll}</a>
        ) : null}
      </div>
      <p class="hint part-hint">{strings.cardLead({ count: total })}</p>
      <ul class="lines">
        {waiting.map(
          ({ campaignId, id, donorName, message, createdAt, campaignName, campaignDeleted, ...donation }) => {
            const name = donorName ?? anonymous
            const said = (label: string, full: string) => (
              <>
                <span aria-hidden="true">{label}</span>
                <span class="visually-hidden">{full}</span>
              </>
            )
            const fields = { donation: `${campaignId} ${id}` }
            return (
              <li key={id} class="line line-message">
                <div class="line-main">
                  <p class="line-title">
                    <a href={`${donationsMenu}/${campaignId}/${id}`}>{name}</a>
                  </p>
                  <p class="typed" lang={donation.language}>
                    {message}
                  </p>
                  <p class="line-hint">
                    <span class="line-of">{nameOfCampaign(campaignId) ?? campaignName}</span>
                    <time dateTime={createdAt}>{formatRelativeTime(language, createdAt, now)}</time>
                  </p>
                </div>
                {campaignDeleted ? null : (
                  <div class="line-acts">
                    <ActionButton
                      context={context}
                      action={messagePath}
                      fields={{ ...fields, review: 'shown' }}
                      look="small"
                      label={said(strings.show, strings.showOf({ name }))}
                    />
                    <ActionButton
                      context={context}
                      action={messagePath}
                      fields={{ ...fields, review: 'hidden' }}
                      label={said(strings.hide, strings.hideOf({ name }))}
                    />
                  </div>
                )}
              </li>
            )
          }
        )}
      </ul>
    </section>
  )
}
