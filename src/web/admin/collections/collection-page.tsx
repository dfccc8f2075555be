import type { ComponentChildren } from 'preact'
import type { CollectedDonation, Collection } from '#fundraising/payments/direct-debit/collections/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatDateTime, formatDay, formatIban, formatLongDay, formatMoney, toLocalDay } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import type { ApiResponse } from '../../server/api-client.ts'
import { formatActor } from '../activity/describe-activity.ts'
import { donationsMenu } from '../donations/links/paths.ts'
import { DonationBadge } from '../donations/links/status-badge.tsx'
import { buildConfirmPage } from '../shared/confirm-page.tsx'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { ActionButton } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { MoreLink, menu, StatusBadge, Warnings } from './collection-parts.tsx'

const getApiPath = ({ params }: AdminContext, below = '') =>
  `/collections/${encodeURIComponent(params.id ?? '')}${below}`
const getPagePath = ({ params }: AdminContext, below = '') => `${menu}/${encodeURIComponent(params.id ?? '')}${below}`

export async function showCollection(context: AdminContext): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('collection', language)
  const [{ body: collection }, items] = await Promise.all([
    context.api.get<Collection>(getApiPath(context)),
    context.api.get<CollectedDonation[]>(getApiPath(context, '/donations'), { limit: 50, cursor: context.query.cursor })
  ])
  // The only remaining step is then the one that the warning describes.
  const isOutOfDate = collection.warnings.some(({ code }) => code === 'out-of-date')
  return {
    title: strings.one({ day: formatDay(language, collection.collectOn) }),
    menu,
    body: (
      <div class="collection">
        <p class="donation-sum">
          <strong>{formatMoney(language, collection.currency, collection.amount, true)}</strong>{' '}
          <span class="muted">{strings.waitingOf({ count: collection.count })}</span>{' '}
          <StatusBadge context={context} status={collection.status} />
        </p>
        {collection.nextStatuses.length === 0 || isOutOfDate ? null : (
          <Steps context={context} collection={collection} />
        )}
        <Warnings context={context} warnings={collection.warnings} />
        <Items context={context} currency={collection.currency} items={items} />
        <FileFacts context={context} collection={collection} />
        {collection.nextStatuses.includes('cancelled') ? (
          <p class="danger-zone">
            <a class="button danger small" href={getPagePath(context, '/cancel')}>
              {strings.cancel}
            </a>
          </p>
        ) : null}
      </div>
    )
  }
}

/** Progress: the current step, the next one, and the rest. */
function Steps({ context, collection }: { context: AdminContext; collection: Collection }) {
  const { language, site, now } = context
  const strings = getMessages('collection', language)
  const day = formatLongDay(language, collection.collectOn)
  const isSubmitted = collection.status === 'submitted'
  const hasCome = toLocalDay(site.timezone, now) >= collection.collectOn
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">{strings.steps}</h2>
      <ol class="collection-steps">
        <Step title={strings.fileStep} isOver={isSubmitted}>
          <p>{strings.fileText}</p>
          <p class="hint">{strings.fileCareful}</p>
          <a class={isSubmitted ? 'button quiet small' : 'button'} href={getPagePath(context, '/file.xml')} download>
            {strings.download}
          </a>
        </Step>
        <Step title={strings.bankStep} isOver={isSubmitted}>
          <p>{strings.bankText({ day })}</p>
          {isSubmitted ? null : (
            <ActionButton
              context={context}
              action={getPagePath(context, '/submitted')}
              label={strings.submit}
              look="quiet"
            />
          )}
        </Step>
        <Step title={strings.moneyStep} isOver={false}>
          <p>{strings.moneyText({ day })}</p>
          <p class="hint">{strings.moneyBack}</p>
          {isSubmitted && hasCome ? (
            <a class="button" href={getPagePath(context, '/done')}>
              {strings.finish}
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

function Items({
  context,
  currency,
  items
}: {
  context: AdminContext
  currency: string
  items: ApiResponse<CollectedDonation[]>
}) {
  const { language } = context
  const strings = getMessages('collection', language)
  return (
    <div>
      <h2>{strings.items}</h2>
      <Table
        context={context}
        caption={strings.items}
        empty={<p>{strings.nothing}</p>}
        rows={items.body}
        columns={[
          {
            label: strings.reference,
            isHead: true,
            cell: ({ campaignId, donationId, reference }) => (
              <a class="reference" href={`${donationsMenu}/${campaignId}/${donationId}`}>
                {reference}
              </a>
            )
          },
          {
            label: strings.donor,
            cell: ({ donorName }) => donorName ?? <span class="muted">{strings.anonymous}</span>
          },
          {
            label: strings.amount,
            isNumber: true,
            cell: ({ amount }) => formatMoney(language, currency, amount, true)
          },
          {
            label: strings.state,
            cell: ({ status }) => (
              <DonationBadge status={status} label={getMessages('donation', language).statuses[status]} />
            )
          }
        ]}
      />
      <MoreLink context={context} link={items.header('link')} label={strings.items} />
    </div>
  )
}

function FileFacts({ context, collection }: { context: AdminContext; collection: Collection }) {
  const { language, site } = context
  const strings = getMessages('collection', language)
  const { messageId, batchBooking, blocks, createdAt, by, currency } = collection
  return (
    <section class="card" aria-labelledby="file-facts">
      <h2 id="file-facts">{strings.facts}</h2>
      <dl class="facts facts-grid">
        <div>
          <dt>{strings.booking}</dt>
          <dd>{batchBooking ? strings.batchYes : strings.batchNo}</dd>
        </div>
        <div>
          <dt>{strings.madeAt}</dt>
          <dd>
            {formatDateTime(language, createdAt, site.timezone)}, {formatActor(language, by)}
          </dd>
        </div>
        <div>
          <dt>{strings.messageId}</dt>
          <dd class="anywhere">{messageId}</dd>
        </div>
        <div class="fact-wide">
          <dt>{strings.accounts}</dt>
          <dd>
            {blocks.map(({ account, sequenceType, count, amount }) => (
              <div key={`${account} ${sequenceType}`} class="collection-account">
                <span class="reference">{formatIban(account)}</span>
                <span class="below">
                  {formatMoney(language, currency, amount, true)} {strings.waitingOf({ count })}
                </span>
              </div>
            ))}
          </dd>
        </div>
      </dl>
    </section>
  )
}

export async function downloadFile(context: AdminContext): Promise<Download> {
  const { body } = await context.api.get<Collection>(getApiPath(context))
  const path = getApiPath(context, '/pain.008.xml')
  const { text } = await context.api.download(path)
  return {
    text,
    type: 'application/xml; charset=utf-8',
    fileName: `direct-debits-${body.collectOn}-${body.id}.xml`
  }
}

export async function submit(context: AdminContext): Promise<Redirect> {
  return await changeStatus(context, { status: 'submitted' }, getMessages('collection', context.language).submitted)
}

export async function askToFinish(context: AdminContext): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('collection', language)
  const { body } = await context.api.get<Collection>(getApiPath(context))
  return buildConfirmPage(context, {
    title: strings.finishTitle,
    text: strings.finishText({
      donations: strings.concerning({ count: body.count }),
      amount: formatMoney(language, body.currency, body.amount, true)
    }),
    menu,
    action: getPagePath(context, '/done'),
    yes: strings.finish,
    no: { label: strings.notYet, href: getPagePath(context) }
  })
}

export async function finish(context: AdminContext): Promise<Redirect> {
  return await changeStatus(context, { status: 'done' }, getMessages('collection', context.language).finished)
}

export async function askToCancel(context: AdminContext): Promise<AdminPage> {
  const strings = getMessages('collection', context.language)
  const { body } = await context.api.get<Collection>(getApiPath(context))
  const isSubmitted = body.status === 'submitted'
  return buildConfirmPage(context, {
    title: strings.cancelTitle,
    text: isSubmitted ? strings.cancelSubmitted : strings.cancelMade,
    menu,
    action: getPagePath(context, isSubmitted ? '/cancel?recalled=yes' : '/cancel'),
    yes: isSubmitted ? strings.cancelRecalled : strings.cancelYes,
    no: { label: strings.keep, href: getPagePath(context) }
  })
}

export async function cancel(context: AdminContext): Promise<Redirect> {
  const change = { status: 'cancelled', recalled: context.query.recalled === 'yes' }
  return await changeStatus(context, change, getMessages('collection', context.language).cancelled)
}

async function changeStatus(context: AdminContext, change: object, said: string): Promise<Redirect> {
  await context.api.patch(getApiPath(context), change)
  context.flash({ text: said })
  return redirect(getPagePath(context), 303)
}
