import type { Mandate } from '#fundraising/direct-debit/mandates/schema.ts'
import { Refused } from '../../api.ts'
import { longDay, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { collectionWords } from '../../text/collections.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { donationsMenu } from '../donations/addresses.ts'
import { questionPage } from '../question.tsx'
import { menu } from './collection-parts.tsx'

/** The mandate of a donation that is collected by direct debit; undefined once it is too old to be kept. */
export async function findMandate(desk: Desk, reference: string): Promise<Mandate | undefined> {
  try {
    return await read(desk, reference)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

async function read(desk: Desk, reference: string): Promise<Mandate> {
  return (await desk.api.get<Mandate>(`/mandates/${encodeURIComponent(reference)}`)).body
}

/** On the page of the donation. */
export function MandatePart({ desk, mandate }: { desk: Desk; mandate: Mandate }) {
  const { language, site } = desk
  const words = collectionWords[language]
  const { reference, signedAt, text, collection, donationStatus } = mandate
  return (
    <section class="card" aria-labelledby="mandate">
      <h2 id="mandate">{words.mandate}</h2>
      <dl class="facts facts-grid">
        <div>
          <dt>{words.mandateGiven}</dt>
          <dd>
            <time dateTime={signedAt}>{shortMoment(language, signedAt, site.timezone)}</time>
          </dd>
        </div>
        <div>
          <dt>{words.mandateReference}</dt>
          <dd class="reference">{reference}</dd>
        </div>
        <div class="fact-wide">
          <dt>{words.collectedOn}</dt>
          <dd>
            {collection === null ? (
              <a href={menu}>{words.notCollected}</a>
            ) : (
              <a href={`${menu}/${collection.id}`}>{longDay(language, collection.collectOn)}</a>
            )}
          </dd>
        </div>
      </dl>
      <details>
        <summary>{words.mandateText}</summary>
        <p class="typed" lang={mandate.language}>
          {text}
        </p>
      </details>
      {donationStatus === 'IN_PROCESS' && collection?.status !== 'submitted' ? (
        <p>
          <a href={revokePath(reference)}>{words.revoke}</a>
        </p>
      ) : null}
    </section>
  )
}

const revokePath = (reference: string) => `${menu}/mandates/${encodeURIComponent(reference)}/revoke`
const donationPath = ({ campaignId, donationId }: Mandate) => `${donationsMenu}/${campaignId}/${donationId}`

export async function askToRevoke(desk: Desk): Promise<ConsolePage> {
  const words = collectionWords[desk.language]
  const mandate = await read(desk, desk.params.reference ?? '')
  return questionPage(desk, {
    title: words.revokeTitle,
    text: words.revokeText(mandate.reference),
    menu: donationsMenu,
    action: revokePath(mandate.reference),
    yes: words.revokeYes,
    no: { label: words.keep, href: donationPath(mandate) }
  })
}

export async function revoke(desk: Desk): Promise<Redirect> {
  const reference = encodeURIComponent(desk.params.reference ?? '')
  const { body } = await desk.api.post<Mandate>(`/mandates/${reference}/revoke`)
  desk.say({ text: collectionWords[desk.language].revoked })
  return redirect(donationPath(body), 303)
}
