import { randomUUID } from 'node:crypto'
import type { Collection, CollectionPreview } from '#fundraising/payments/direct-debit/collections/schema.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, ErrorSummary, Field } from '../../components/field.tsx'
import { formatDateTime, formatDay, formatLongDay, formatMoney, formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter } from '../shared/context.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { askToCancel, askToFinish, cancel, downloadFile, finish, showCollection, submit } from './collection-page.tsx'
import { MoreLink, menu, StatusBadge, Warnings } from './collection-parts.tsx'
import { askToRevoke, revoke } from './mandate-part.tsx'

const treasurers: AdminRole[] = ['treasurer']

/** Donations collected by direct debit. */
export function registerCollectionRoutes(console: AdminRouter): void {
  const one = `${menu}/:id`
  console.get(menu, treasurers, async context => await showCollections(context))
  console.post(menu, treasurers, createCollection)
  console.get(one, treasurers, showCollection)
  console.get(`${one}/file.xml`, treasurers, downloadFile)
  console.post(`${one}/submitted`, treasurers, submit)
  console.get(`${one}/done`, treasurers, askToFinish)
  console.post(`${one}/done`, treasurers, finish)
  console.get(`${one}/cancel`, treasurers, askToCancel)
  console.post(`${one}/cancel`, treasurers, cancel)
  console.get(`${menu}/mandates/:reference/revoke`, treasurers, askToRevoke)
  console.post(`${menu}/mandates/:reference/revoke`, treasurers, revoke)
}

interface SentForm {
  day?: string
  fields: Record<string, string>
  general: string | undefined
}

async function showCollections(
  context: AdminContext,
  sent: SentForm = { fields: {}, general: undefined }
): Promise<AdminPage> {
  const { language, site, query } = context
  const strings = getMessages('collection', language)
  const [preview, found] = await Promise.all([
    findPreview(context),
    context.api.get<Collection[]>('/collections', { limit: 25, cursor: query.cursor })
  ])
  const isRefused = sent.general !== undefined || Object.keys(sent.fields).length > 0
  return {
    title: strings.title,
    menu,
    status: isRefused ? 422 : 200,
    body: (
      <>
        <p class="lead">{strings.lead}</p>
        {preview === undefined ? (
          <NotSet context={context} />
        ) : (
          <Waiting context={context} preview={preview} sent={sent} />
        )}
        <h2>{strings.list}</h2>
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={found.body}
          columns={[
            {
              label: strings.collectedOn,
              isHead: true,
              cell: ({ id, collectOn }) => <a href={`${menu}/${id}`}>{formatDay(language, collectOn)}</a>
            },
            { label: strings.state, cell: ({ status }) => <StatusBadge context={context} status={status} /> },
            { label: strings.donations, isNumber: true, cell: ({ count }) => formatNumber(language, count) },
            {
              label: strings.amount,
              isNumber: true,
              cell: ({ amount, currency }) => formatMoney(language, currency, amount, true)
            },
            {
              label: strings.madeAt,
              isNamed: true,
              cell: ({ createdAt, by }) => (
                <>
                  <time dateTime={createdAt}>{formatDateTime(language, createdAt, site.timezone)}</time>
                  <span class="below">{formatActor(language, by)}</span>
                </>
              )
            }
          ]}
        />
        <MoreLink context={context} link={found.header('link')} label={strings.list} />
      </>
    )
  }
}

/** Undefined until the organisation can collect direct debits. */
async function findPreview(context: AdminContext): Promise<CollectionPreview | undefined> {
  try {
    return (await context.api.get<CollectionPreview>('/collections/preview')).body
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no-direct-debit') return undefined
    throw error
  }
}

function NotSet({ context }: { context: AdminContext }) {
  const strings = getMessages('collection', context.language)
  return (
    <section class="card narrow" aria-labelledby="not-set">
      <h2 id="not-set">{strings.notSet}</h2>
      <p>{strings.notSetText}</p>
      {context.hasRole() ? (
        <p>
          <a class="button" href="/admin/organisation">
            {strings.setIt}
          </a>
        </p>
      ) : (
        <p class="muted">{strings.askAdmin}</p>
      )}
    </section>
  )
}

function Waiting({ context, preview, sent }: { context: AdminContext; preview: CollectionPreview; sent: SentForm }) {
  const { language } = context
  const strings = getMessages('collection', language)
  const { count, amount, currency, earliestOn, warnings } = preview
  return (
    <section class="card collection-waiting" aria-labelledby="waiting">
      <h2 id="waiting">{strings.waiting}</h2>
      <ErrorSummary title={getMessages('admin', language).refused} errors={sent.fields} general={sent.general} />
      {count === 0 ? (
        <p>{strings.nothing}</p>
      ) : (
        <p class="donation-sum">
          <strong>{formatMoney(language, currency, amount, true)}</strong>{' '}
          <span class="muted">{strings.waitingOf({ count })}</span>
        </p>
      )}
      <Warnings context={context} warnings={warnings} />
      {count === 0 ? null : (
        <Form context={context} action={menu}>
          <input type="hidden" name="idempotencyKey" value={randomUUID()} />
          <Field
            name="collectOn"
            type="date"
            label={strings.day}
            hint={strings.dayHint({ earliest: formatLongDay(language, earliestOn) })}
            value={sent.day ?? earliestOn}
            min={earliestOn}
            required
            error={sent.fields.collectOn}
          />
          <Checkbox name="batchBooking" label={strings.batch} hint={strings.batchHint} checked />
          <div class="actions">
            <button type="submit">{strings.make}</button>
          </div>
        </Form>
      )}
    </section>
  )
}

async function createCollection(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('collection', context.language)
  const day = getFormField(context, 'collectOn')
  const idempotencyKey = getFormField(context, 'idempotencyKey')
  try {
    const { body } = await context.api.post<Collection>(
      '/collections',
      { ...(day === '' ? {} : { collectOn: day }), batchBooking: getFormField(context, 'batchBooking') === 'yes' },
      /^[0-9a-f-]{36}$/.test(idempotencyKey) ? { 'idempotency-key': idempotencyKey } : {}
    )
    context.flash({ text: strings.made })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    const { collectOn, ...others } = fields
    const named = collectOn === undefined ? {} : { collectOn: collectOn.replace(/^collectOn/, strings.day) }
    return await showCollections(context, { day, fields: { ...others, ...named }, general })
  }
}
