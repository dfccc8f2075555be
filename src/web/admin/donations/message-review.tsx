import type { Campaign } from '#fundraising/campaigns/schema.ts'
import type { DonationWithHistory } from '#fundraising/donations/schema.ts'
import type { LedgerEntry } from '#fundraising/ledger/schema.ts'
import { Refused, withQuery } from '../../api.ts'
import { ago } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { type GuardWords, guardWords } from '../../text/guard.ts'
import { moneyWords } from '../../text/money.ts'
import { field } from '../../visit.ts'
import type { Desk } from '../console.ts'
import type { Notice } from '../flash.ts'
import { Act, Form } from '../form.tsx'
import { donationsMenu } from './addresses.ts'
import { chosenIn } from './chosen.ts'

export const messagePath = `${donationsMenu}/message`

/** A button shows what a donor wrote, or hides it; it names the donation. */
export async function reviewMessage(desk: Desk): Promise<Redirect> {
  const [one] = chosenIn(field(desk, 'donation'))
  const messageReview = field(desk, 'review') === 'shown' ? 'shown' : 'hidden'
  if (one !== undefined) desk.say(await review(desk, `/campaigns/${one.campaignId}/donations/${one.id}`, messageReview))
  const isOnPage = field(desk, 'page') === 'donation' && one !== undefined
  return redirect(isOnPage ? `${donationsMenu}/${one.campaignId}/${one.id}` : '/admin', 303)
}

async function review(desk: Desk, path: string, messageReview: 'shown' | 'hidden'): Promise<Notice> {
  const words = guardWords[desk.language].messages
  try {
    await desk.api.patch(path, { messageReview })
    return { text: messageReview === 'shown' ? words.isShown : words.isHidden }
  } catch (error) {
    // Its campaign was deleted, or the donation was.
    if (error instanceof Refused && error.status < 500) return { text: error.message, tone: 'bad' }
    throw error
  }
}

/** Whether everybody sees what the donor wrote, and what a treasurer can do about it. */
export function MessagePart({ desk, donation }: { desk: Desk; donation: DonationWithHistory }) {
  const words = guardWords[desk.language].messages
  const { messageReview = null } = donation
  if (messageReview === null) return null
  return (
    <section class="card" aria-labelledby="message-review">
      <h2 id="message-review">{words.part}</h2>
      <p>{describe(donation, words)}</p>
      <Form desk={desk} action={messagePath}>
        <input type="hidden" name="donation" value={`${donation.campaignId} ${donation.id}`} />
        <input type="hidden" name="page" value="donation" />
        <p class="actions">
          {isAllShown(donation) ? null : (
            <button type="submit" name="review" value="shown" class="small">
              {words.show}
            </button>
          )}
          {messageReview === 'hidden' ? null : (
            <button type="submit" name="review" value="hidden" class="small quiet">
              {words.hide}
            </button>
          )}
        </p>
      </Form>
    </section>
  )
}

/** A name alone needs nobody to show it once its money came or a treasurer released the donation. */
function isAllShown({ messageReview, message, status, review }: DonationWithHistory): boolean {
  const isTrusted = status === 'TRANSFERRED' || review === 'released'
  return messageReview === 'shown' || (messageReview === 'waiting' && message === null && isTrusted)
}

function describe(donation: DonationWithHistory, words: GuardWords['messages']): string {
  if (isAllShown(donation)) return words.shown
  if (donation.messageReview === 'hidden') return words.hidden
  return donation.message === null ? words.nameWaits : words.waiting
}

/** Messages that nobody but treasurers sees so far, to be read here; nothing where there are none. */
export function MessagesCard({
  desk,
  waiting,
  total,
  campaigns
}: {
  desk: Desk
  waiting: LedgerEntry[]
  total: number
  campaigns: Campaign[]
}) {
  const { language, now } = desk
  const words = guardWords[language].messages
  const { anonymous } = moneyWords[language]
  if (total === 0) return null
  const nameOfCampaign = (id: number) => campaigns.find(campaign => campaign.id === id)?.translations[language]?.name
  return (
    <section class="card part part-wide" aria-labelledby="messages">
      <div class="part-head">
        <h2 id="messages">{words.card}</h2>
        {total > waiting.length ? <a href={withQuery(donationsMenu, { review: 'message' })}>{words.cardAll}</a> : null}
      </div>
      <p class="hint part-hint">{words.cardLead(total)}</p>
      <ul class="lines">
        {waiting.map(
          ({ campaignId, id, donorName, message, createdAt, campaignName, campaignDeleted, ...donation }) => {
            const name = donorName ?? anonymous
            const said = (label: string) => (
              <>
                <span aria-hidden="true">{label}</span>
                <span class="visually-hidden">{words.of(label, name)}</span>
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
                    <time dateTime={createdAt}>{ago(language, createdAt, now)}</time>
                  </p>
                </div>
                {campaignDeleted ? null : (
                  <div class="line-acts">
                    <Act
                      desk={desk}
                      action={messagePath}
                      fields={{ ...fields, review: 'shown' }}
                      look="small"
                      label={said(words.show)}
                    />
                    <Act
                      desk={desk}
                      action={messagePath}
                      fields={{ ...fields, review: 'hidden' }}
                      label={said(words.hide)}
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
