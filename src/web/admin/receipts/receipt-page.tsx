import type { Receipt } from '#fundraising/receipts/schema.ts'
import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatDateTime, formatDay, formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { getFormField } from '../../server/context.ts'
import { formatActor } from '../activity/describe-activity.ts'
import type { AdminContext, AdminPage, Download } from '../shared/context.ts'
import { toLabelledErrors } from '../shared/field-errors.ts'
import { Form, toFormErrors } from '../shared/form.tsx'
import { Table } from '../shared/table.tsx'
import { menu, StateBadge } from './receipt-parts.tsx'

const getApiPath = ({ params }: AdminContext, more = '') => `/receipts/${encodeURIComponent(params.id ?? '')}${more}`
const getPagePath = ({ params }: AdminContext, more = '') => `${menu}/${encodeURIComponent(params.id ?? '')}${more}`

export async function showReceipt(context: AdminContext): Promise<AdminPage> {
  const { language } = context
  const strings = getMessages('receipt', language)
  const { body: receipt } = await context.api.get<Receipt>(getApiPath(context))
  const { donor, withdrawn } = receipt
  return {
    title: `${strings.kinds[receipt.kind]} ${receipt.number}`,
    menu,
    body: (
      <>
        {receipt.needsWithdrawal ? (
          <p class="notice warn" role="alert">
            {strings.needsWithdrawal}
          </p>
        ) : null}
        <div class="editor editor-columns money">
          <div class="editor-main">
            <section class="card" aria-labelledby="facts">
              <h2 id="facts">
                {formatMoney(language, receipt.currency, receipt.amount, true)}{' '}
                <StateBadge context={context} receipt={receipt} />
              </h2>
              <dl class="facts facts-grid">
                <div>
                  <dt>{strings.donor}</dt>
                  <dd>
                    {donor.name === '' ? (
                      <span class="muted">{strings.forgotten}</span>
                    ) : (
                      <>
                        {donor.name}
                        <span class="below">
                          {donor.address.street}, {donor.address.postalCode} {donor.address.city},{' '}
                          {donor.address.country}
                        </span>
                      </>
                    )}
                  </dd>
                </div>
                <div>
                  <dt>{strings.period}</dt>
                  <dd>{formatPeriod(context, receipt)}</dd>
                </div>
                <div>
                  <dt>{strings.issued}</dt>
                  <dd>
                    {formatDay(language, receipt.issuedOn)}
                    <span class="below">{formatActor(language, receipt.issuedBy)}</span>
                  </dd>
                </div>
                <div>
                  <dt>{strings.language}</dt>
                  <dd>{formatLanguageName(receipt.language, language)}</dd>
                </div>
                <div>
                  <dt>{strings.sent}</dt>
                  <dd>{receipt.sent ? strings.yes : strings.no}</dd>
                </div>
                {receipt.replaces === null ? null : (
                  <div>
                    <dt>{strings.replaces}</dt>
                    <dd>{receipt.replaces}</dd>
                  </div>
                )}
                {withdrawn === null ? null : (
                  <div>
                    <dt>{strings.states.withdrawn}</dt>
                    <dd>
                      {withdrawn.reason}
                      <span class="below">
                        {strings.withdrawnOn({
                          day: formatDateTime(language, withdrawn.at, context.site.timezone),
                          by: formatActor(language, withdrawn.by)
                        })}
                      </span>
                    </dd>
                  </div>
                )}
              </dl>
            </section>
            <h2>{strings.donations}</h2>
            <Table
              context={context}
              caption={strings.donations}
              empty={null}
              rows={receipt.donations}
              columns={[
                {
                  label: strings.reference,
                  isHead: true,
                  cell: one => <a href={`/admin/donations/${one.campaignId}/${one.id}`}>{one.reference}</a>
                },
                { label: strings.received, isNamed: true, cell: one => formatDay(language, one.receivedOn) },
                {
                  label: strings.amount,
                  isNumber: true,
                  cell: one => formatMoney(language, receipt.currency, one.amount, true)
                }
              ]}
            />
          </div>
          <div class="editor-side">
            {donor.name === '' ? null : (
              <section class="card" aria-labelledby="file">
                <h2 id="file">{strings.file}</h2>
                <p>
                  <a class="button" href={getPagePath(context, '/receipt.pdf')}>
                    {strings.open}
                  </a>
                </p>
                <p>
                  <a href={getPagePath(context, '/receipt.pdf?copy=true')}>{strings.copy}</a>
                  <span class="below">{strings.copyHint}</span>
                </p>
                {receipt.state === 'issued' ? (
                  <p>
                    <a class="button quiet small" href={getPagePath(context, '/withdraw')}>
                      {strings.withdraw}
                    </a>
                  </p>
                ) : null}
              </section>
            )}
          </div>
        </div>
      </>
    )
  }
}

function formatPeriod({ language }: AdminContext, { period, kind }: Receipt): string {
  const from = formatDay(language, period.from)
  return kind === 'single' ? from : `${from} – ${formatDay(language, period.to)}`
}

/** Served inline: the file is for viewing and printing. */
export async function openFile(context: AdminContext): Promise<Download> {
  const { body } = await context.api.get<Receipt>(getApiPath(context))
  const isCopy = context.query.copy === 'true'
  const path = getApiPath(context, isCopy ? '.pdf?copy=true' : '.pdf')
  const { bytes } = await context.api.download(path)
  return { text: bytes, type: 'application/pdf', fileName: `${body.number}${isCopy ? '-copy' : ''}.pdf`, isShown: true }
}

export async function askToWithdraw(context: AdminContext): Promise<AdminPage> {
  return buildWithdrawPage(context, (await context.api.get<Receipt>(getApiPath(context))).body)
}

function buildWithdrawPage(context: AdminContext, receipt: Receipt, error?: string): AdminPage {
  const strings = getMessages('receipt', context.language)
  return {
    title: strings.withdrawTitle({ number: receipt.number }),
    menu,
    status: error === undefined ? 200 : 422,
    body: (
      <div class="narrow">
        <ErrorSummary
          title={getMessages('admin', context.language).mend}
          errors={error === undefined ? {} : { reason: error }}
        />
        <p class="lead">{strings.withdrawText}</p>
        <Form context={context} action={getPagePath(context, '/withdraw')}>
          <Field
            name="reason"
            label={strings.reason}
            value={getFormField(context, 'reason')}
            error={error}
            maxLength={500}
            required
          />
          <div class="actions">
            <button type="submit" class="danger">
              {strings.withdrawYes}
            </button>
            <a class="button quiet" href={getPagePath(context)}>
              {strings.keep}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

export async function withdraw(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('receipt', context.language)
  try {
    await context.api.post(getApiPath(context, '/withdraw'), { reason: getFormField(context, 'reason') })
    context.flash({ text: strings.withdrawn })
    return redirect(getPagePath(context), 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    const { reason = general } = toLabelledErrors(fields, { reason: strings.reason })
    return buildWithdrawPage(context, (await context.api.get<Receipt>(getApiPath(context))).body, reason ?? '')
  }
}
