import type { ComponentChildren } from 'preact'
import type { CollectedDonation, Collection } from '#fundraising/direct-debit/collections/schema.ts'
import { type Answer, Refused } from '../../api.ts'
import { dayIn, ibanInFours, longDay, money, number, plainDay, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { collectionWords } from '../../text/collections.ts'
import { moneyWords } from '../../text/money.ts'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { donationsMenu } from '../donations/addresses.ts'
import { DonationBadge } from '../donations/donation-list.tsx'
import { Act } from '../form.tsx'
import { questionPage } from '../question.tsx'
import { actorOf } from '../site/activity-words.ts'
import { Table } from '../table.tsx'
import { More, menu, StatusBadge, Warnings } from './collection-parts.tsx'

const apiPath = ({ params }: Desk, below = '') => `/collections/${encodeURIComponent(params.id ?? '')}${below}`
const pagePath = ({ params }: Desk, below = '') => `${menu}/${encodeURIComponent(params.id ?? '')}${below}`

export async function showCollection(desk: Desk): Promise<ConsolePage> {
  const { language } = desk
  const words = collectionWords[language]
  const [{ body: collection }, items] = await Promise.all([
    desk.api.get<Collection>(apiPath(desk)),
    desk.api.get<CollectedDonation[]>(apiPath(desk, '/donations'), { limit: 50, cursor: desk.query.cursor })
  ])
  // Then there is only one thing to do, which the warning says.
  const isOutOfDate = collection.warnings.some(({ code }) => code === 'out-of-date')
  return {
    title: words.one(plainDay(language, collection.collectOn)),
    menu,
    body: (
      <div class="collection">
        <p class="donation-sum">
          <strong>{money(language, collection.currency, collection.amount, true)}</strong>{' '}
          <span class="faded">{words.waitingOf(number(language, collection.count))}</span>{' '}
          <StatusBadge desk={desk} status={collection.status} />
        </p>
        {collection.nextStatuses.length === 0 || isOutOfDate ? null : <Steps desk={desk} collection={collection} />}
        <Warnings desk={desk} warnings={collection.warnings} />
        <Items desk={desk} currency={collection.currency} items={items} />
        <FileFacts desk={desk} collection={collection} />
        {collection.nextStatuses.includes('cancelled') ? (
          <p class="danger-zone">
            <a class="button danger small" href={pagePath(desk, '/cancel')}>
              {words.cancel}
            </a>
          </p>
        ) : null}
      </div>
    )
  }
}

/** Where somebody is, what is next, and what comes after that. */
function Steps({ desk, collection }: { desk: Desk; collection: Collection }) {
  const { language, site, now } = desk
  const words = collectionWords[language]
  const day = longDay(language, collection.collectOn)
  const isSubmitted = collection.status === 'submitted'
  const hasCome = dayIn(site.timezone, now) >= collection.collectOn
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">{words.steps}</h2>
      <ol class="collection-steps">
        <Step title={words.fileStep} isOver={isSubmitted}>
          <p>{words.fileText}</p>
          <p class="hint">{words.fileCareful}</p>
          <a class={isSubmitted ? 'button quiet small' : 'button'} href={pagePath(desk, '/file.xml')} download>
            {words.download}
          </a>
        </Step>
        <Step title={words.bankStep} isOver={isSubmitted}>
          <p>{words.bankText(day)}</p>
          {isSubmitted ? null : (
            <Act desk={desk} action={pagePath(desk, '/submitted')} label={words.submit} look="quiet" />
          )}
        </Step>
        <Step title={words.moneyStep} isOver={false}>
          <p>{words.moneyText(day)}</p>
          <p class="hint">{words.moneyBack}</p>
          {isSubmitted && hasCome ? (
            <a class="button" href={pagePath(desk, '/done')}>
              {words.finish}
            </a>
          ) : null}
        </Step>
      </ol>
    </section>
  )
}

function Step({ title, isOver, children }: { title: string; isOver: boolean; children: ComponentChildren }) {
  return (
    <li class={isOver ? 'over' : undefined}>
      <h3>{title}</h3>
      {children}
    </li>
  )
}

function Items({ desk, currency, items }: { desk: Desk; currency: string; items: Answer<CollectedDonation[]> }) {
  const { language } = desk
  const words = collectionWords[language]
  return (
    <div>
      <h2>{words.items}</h2>
      <Table
        desk={desk}
        caption={words.items}
        empty={<p>{words.nothing}</p>}
        rows={items.body}
        columns={[
          {
            label: words.reference,
            isHead: true,
            cell: ({ campaignId, donationId, reference }) => (
              <a class="reference" href={`${donationsMenu}/${campaignId}/${donationId}`}>
                {reference}
              </a>
            )
          },
          {
            label: words.donor,
            cell: ({ donorName }) => donorName ?? <span class="faded">{words.anonymous}</span>
          },
          { label: words.amount, isNumber: true, cell: ({ amount }) => money(language, currency, amount, true) },
          {
            label: words.state,
            cell: ({ status }) => <DonationBadge status={status} label={moneyWords[language].statuses[status]} />
          }
        ]}
      />
      <More desk={desk} link={items.header('link')} label={words.items} />
    </div>
  )
}

function FileFacts({ desk, collection }: { desk: Desk; collection: Collection }) {
  const { language, site } = desk
  const words = collectionWords[language]
  const { messageId, batchBooking, blocks, createdAt, by, currency } = collection
  return (
    <section class="card" aria-labelledby="file-facts">
      <h2 id="file-facts">{words.facts}</h2>
      <dl class="facts facts-grid">
        <div>
          <dt>{words.booking}</dt>
          <dd>{batchBooking ? words.batchYes : words.batchNo}</dd>
        </div>
        <div>
          <dt>{words.madeAt}</dt>
          <dd>
            {shortMoment(language, createdAt, site.timezone)}, {actorOf(language, by)}
          </dd>
        </div>
        <div>
          <dt>{words.messageId}</dt>
          <dd class="anywhere">{messageId}</dd>
        </div>
        <div class="fact-wide">
          <dt>{words.accounts}</dt>
          <dd>
            {blocks.map(({ account, sequenceType, count, amount }) => (
              <div key={`${account} ${sequenceType}`} class="collection-account">
                <span class="reference">{ibanInFours(account)}</span>
                <span class="below">
                  {money(language, currency, amount, true)} {words.waitingOf(number(language, count))}
                </span>
              </div>
            ))}
          </dd>
        </div>
      </dl>
    </section>
  )
}

export async function downloadFile(desk: Desk): Promise<Download> {
  const { body } = await desk.api.get<Collection>(apiPath(desk))
  const path = apiPath(desk, '/pain.008.xml')
  const { status, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) {
    const { code = '', detail = '' } = JSON.parse(text) as { code?: string; detail?: string }
    throw new Refused(status, code, detail, {})
  }
  return {
    text,
    type: 'application/xml; charset=utf-8',
    fileName: `direct-debits-${body.collectOn}-${body.id}.xml`
  }
}

export async function submit(desk: Desk): Promise<Redirect> {
  return await move(desk, { status: 'submitted' }, collectionWords[desk.language].submitted)
}

export async function askToFinish(desk: Desk): Promise<ConsolePage> {
  const { language } = desk
  const words = collectionWords[language]
  const { body } = await desk.api.get<Collection>(apiPath(desk))
  return questionPage(desk, {
    title: words.finishTitle,
    text: words.finishText(
      words.concerning(number(language, body.count)),
      money(language, body.currency, body.amount, true)
    ),
    menu,
    action: pagePath(desk, '/done'),
    yes: words.finish,
    no: { label: words.notYet, href: pagePath(desk) }
  })
}

export async function finish(desk: Desk): Promise<Redirect> {
  return await move(desk, { status: 'done' }, collectionWords[desk.language].finished)
}

export async function askToCancel(desk: Desk): Promise<ConsolePage> {
  const words = collectionWords[desk.language]
  const { body } = await desk.api.get<Collection>(apiPath(desk))
  const isSubmitted = body.status === 'submitted'
  return questionPage(desk, {
    title: words.cancelTitle,
    text: isSubmitted ? words.cancelSubmitted : words.cancelMade,
    menu,
    action: pagePath(desk, isSubmitted ? '/cancel?recalled=yes' : '/cancel'),
    yes: isSubmitted ? words.cancelRecalled : words.cancelYes,
    no: { label: words.keep, href: pagePath(desk) }
  })
}

export async function cancel(desk: Desk): Promise<Redirect> {
  const change = { status: 'cancelled', recalled: desk.query.recalled === 'yes' }
  return await move(desk, change, collectionWords[desk.language].cancelled)
}

async function move(desk: Desk, change: object, said: string): Promise<Redirect> {
  await desk.api.patch(apiPath(desk), change)
  desk.say({ text: said })
  return redirect(pagePath(desk), 303)
}
