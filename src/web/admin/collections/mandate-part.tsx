import type { Mandate } from '#fundraising/payments/direct-debit/mandates/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatLongDay } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { donationsMenu } from '../donations/links/paths.ts'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { menu } from './collection-parts.tsx'

/** Mandate of a donation by direct debit; undefined after its retention period. */
export async function findMandate(context: AdminContext, reference: string): Promise<Mandate | undefined> {
  try {
    return await readMandate(context, reference)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

async function readMandate(context: AdminContext, reference: string): Promise<Mandate> {
  return (await context.api.get<Mandate>(`/mandates/${encodeURIComponent(reference)}`)).body
}

/** Section of the donation page. */
export function MandatePart({ context, mandate }: { context: AdminContext; mandate: Mandate }) {
  const { language, site } = context
  const strings = getMessages('collection', language)
  const { reference, signedAt, text, collection, donationStatus } = mandate
  return (
    <section class="card" aria-labelledby="mandate">
      <h2 id="mandate">{strings.mandate}</h2>
      <dl class="facts facts-grid">
        <div>
          <dt>{strings.mandateGiven}</dt>
          <dd>
            <time dateTime={signedAt}>{formatDateTime(language, signedAt, site.timezone)}</time>
          </dd>
        </div>
        <div>
          <dt>{strings.mandateReference}</dt>
          <dd class="reference">{reference}</dd>
        </div>
        <div class="fact-wide">
          <dt>{strings.collectedOn}</dt>
          <dd>
            {collection === null ? (
              <a href={menu}>{strings.notCollected}</a>
            ) : (
              <a href={`${menu}/${collection.id}`}>{formatLongDay(language, collection.collectOn)}</a>
            )}
          </dd>
        </div>
      </dl>
      <details>
        <summary>{strings.mandateText}</summary>
        <p class="typed" lang={mandate.language}>
          {text}
        </p>
      </details>
      {donationStatus === 'IN_PROCESS' && collection?.status !== 'submitted' ? (
        <p>
          <a href={getRevokePath(reference)}>{strings.revoke}</a>
        </p>
      ) : null}
    </section>
  )
}

const getRevokePath = (reference: string) => `${menu}/mandates/${encodeURIComponent(reference)}/revoke`
const getDonationPath = ({ campaignId, donationId }: Mandate) => `${donationsMenu}/${campaignId}/${donationId}`

export async function askToRevoke(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('collection', context.language)
  const mandate = await readMandate(context, context.params.reference ?? '')
  return buildConfirmPage(context, {
    title: strings.revokeTitle,
    text: strings.revokeText({ reference: mandate.reference }),
    menu: donationsMenu,
    action: getRevokePath(mandate.reference),
    yes: strings.revokeYes,
    no: { label: strings.keep, href: getDonationPath(mandate) }
  })
}

export async function revoke(context: AdminContext): Promise<Redirect> {
  const reference = encodeURIComponent(context.params.reference ?? '')
  const { body } = await context.api.post<Mandate>(`/mandates/${reference}/revoke`)
  context.flash({ text: getMessages('collection', context.language).revoked })
  return redirect(getDonationPath(body), 303)
}
