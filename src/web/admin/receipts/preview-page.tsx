import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { ReceiptRunPreview } from '#fundraising/receipts/runs/schema.ts'
import { legalLanguages } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { Checkbox, ErrorSummary } from '../../components/field.tsx'
import { formatDay, formatMoney, formatNumber } from '../../format/format.ts'
import { withQuery } from '../../server/api-client.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { menu } from './receipt-parts.tsx'

const path = `${menu}/preview`

/** Lists by name what a run would issue, before it issues anything. */
export async function showPreview(context: AdminContext, refused?: string): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('receipt', language)
  const options = parseRunOptions(context)
  const [found, { body: organisation }] = await Promise.all([
    context.api.get<ReceiptRunPreview>('/receipt-runs/preview', {
      ...options,
      limit: 50,
      cursor: context.query.cursor
    }),
    context.api.get<Organisation>('/organisation')
  ])
  const preview = found.body
  const cursor = /[?&]cursor=([\w-]{1,1200})/.exec(found.header('link'))?.[1]
  return {
    title: strings.runOf({ year: String(preview.year) }),
    menu,
    status: refused === undefined ? 200 : 422,
    body: (
      <>
        <p class="lead">{strings.previewLead}</p>
        <ErrorSummary title={getMessages('admin', language).refused} errors={{}} general={refused} />
        {preview.isOver ? null : (
          <p class="notice warn">
            {strings.notOver({ year: String(preview.year), day: formatDay(language, preview.upTo) })}
          </p>
        )}
        <StartForm context={context} preview={preview} organisation={organisation} />
        <Receipts context={context} preview={preview} />
        <SkippedDonations context={context} preview={preview} />
        {cursor === undefined && (context.query.cursor ?? '') === '' ? null : (
          <nav class="pager" aria-label={strings.previewPages}>
            <a class="button quiet small" href={withQuery(path, buildFormFields(context))}>
              {strings.first}
            </a>
            {cursor === undefined ? null : (
              <a class="button quiet small" href={withQuery(path, { ...buildFormFields(context), cursor })}>
                {strings.next}
              </a>
            )}
          </nav>
        )}
      </>
    )
  }
}

/** Year and language, from the form or the query. */
export function parseRunOptions({ query, form, now }: AdminContext): { year: number; language?: string } {
  const said = (name: string) => String(form[name] ?? query[name] ?? '')
  const year = /^\d{4}$/.test(said('runYear')) ? Number(said('runYear')) : now.getFullYear()
  const language = said('language')
  return { year, ...(legalLanguages.some(legal => legal === language) ? { language } : {}) }
}

function buildFormFields(context: AdminContext): Record<string, string> {
  const { year, language = '' } = parseRunOptions(context)
  return { runYear: String(year), language }
}

function StartForm({
  context,
  preview,
  organisation
}: {
  context: AdminContext
  preview: ReceiptRunPreview
  organisation: Organisation
}) {
  const strings = getMessages('receipt', context.language)
  const canSend = organisation.hasSignature && organisation.taxOfficeInformedOn !== null
  return (
    <section class="card narrow" aria-labelledby="start">
      <h2 id="start">{strings.startTitle}</h2>
      <Form context={context} action={`${menu}/runs`}>
        {Object.entries(buildFormFields(context)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {preview.isOver ? null : <Checkbox name="upToToday" label={strings.upToToday} hint={strings.upToTodayHint} />}
        {canSend ? (
          <Checkbox name="send" label={strings.send} hint={strings.sendHint} />
        ) : (
          <p class="muted">{strings.cannotSend}</p>
        )}
        <div class="actions">
          <button type="submit">{strings.start}</button>
          <a class="button quiet" href={menu}>
            {strings.notNow}
          </a>
        </div>
      </Form>
    </section>
  )
}

function Receipts({ context, preview }: { context: AdminContext; preview: ReceiptRunPreview }) {
  const { language } = context
  const strings = getMessages('receipt', language)
  return (
    <>
      <h2>{strings.getReceipt}</h2>
      <Table
        context={context}
        caption={strings.getReceipt}
        empty={<p>{strings.nobodyGets}</p>}
        rows={preview.receipts}
        columns={[
          {
            label: strings.donor,
            isHead: true,
            cell: ({ donor, kind, signedByHand }) => (
              <>
                <span class="anywhere">{donor.name}</span>
                <span class="below">
                  {strings.kinds[kind]}
                  {signedByHand ? `, ${strings.byHand}` : ''}
                </span>
              </>
            )
          },
          {
            label: strings.period,
            isNamed: true,
            cell: ({ kind, period }) =>
              kind === 'single'
                ? formatDay(language, period.from)
                : `${formatDay(language, period.from)} – ${formatDay(language, period.to)}`
          },
          {
            label: strings.donations,
            isNumber: true,
            cell: ({ donations }) => formatNumber(language, donations.length)
          },
          {
            label: strings.amount,
            isNumber: true,
            cell: ({ amount, currency }) => formatMoney(language, currency, amount, true)
          }
        ]}
      />
    </>
  )
}

function SkippedDonations({ context, preview }: { context: AdminContext; preview: ReceiptRunPreview }) {
  const { language } = context
  const strings = getMessages('receipt', language)
  return (
    <>
      <h2>{strings.skipped}</h2>
      <Table
        context={context}
        caption={strings.skipped}
        empty={<p>{strings.nobodyLeftOut}</p>}
        rows={preview.leftOut}
        columns={[
          {
            label: strings.donor,
            isHead: true,
            cell: ({ donor, donations }) => (
              <>
                <span class="anywhere">{donor ?? strings.nameless}</span>
                <span class="below">
                  {donations.slice(0, 5).map(one => (
                    <>
                      <a href={`/admin/donations/${one.campaignId}/${one.id}`}>{one.reference}</a>{' '}
                    </>
                  ))}
                  {donations.length > 5 ? '…' : ''}
                </span>
              </>
            )
          },
          {
            label: strings.reason,
            isNamed: true,
            cell: ({ reason, receiptNumber }) => (
              <>
                {strings.skipReasons[reason]}
                {receiptNumber === null ? null : <span class="below">{receiptNumber}</span>}
              </>
            )
          },
          {
            label: strings.amount,
            isNumber: true,
            cell: ({ amount, currency }) => formatMoney(language, currency, amount, true)
          }
        ]}
      />
    </>
  )
}
