import type { Receipt } from '#fundraising/receipts/schema.ts'
import { Refused } from '../../api.ts'
import { money, plainDay, shortMoment } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { receiptWords } from '../../text/receipts.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk, Download } from '../console.ts'
import { Form, refusedForm } from '../form.tsx'
import { actorOf } from '../site/activity-words.ts'
import { spoken } from '../spoken.ts'
import { Table } from '../table.tsx'
import { menu, StateBadge } from './receipt-parts.tsx'

const apiPath = ({ params }: Desk, more = '') => `/receipts/${encodeURIComponent(params.id ?? '')}${more}`
const pagePath = ({ params }: Desk, more = '') => `${menu}/${encodeURIComponent(params.id ?? '')}${more}`

export async function showReceipt(desk: Desk): Promise<ConsolePage> {
  const { language } = desk
  const words = receiptWords[language]
  const { body: receipt } = await desk.api.get<Receipt>(apiPath(desk))
  const { donor, withdrawn } = receipt
  return {
    title: `${words.kinds[receipt.kind]} ${receipt.number}`,
    menu,
    body: (
      <>
        {receipt.needsWithdrawal ? (
          <p class="notice warn" role="alert">
            {words.needsWithdrawal}
          </p>
        ) : null}
        <div class="editor editor-columns money">
          <div class="editor-main">
            <section class="card" aria-labelledby="facts">
              <h2 id="facts">
                {money(language, receipt.currency, receipt.amount, true)} <StateBadge desk={desk} receipt={receipt} />
              </h2>
              <dl class="facts facts-grid">
                <div>
                  <dt>{words.donor}</dt>
                  <dd>
                    {donor.name === '' ? (
                      <span class="faded">{words.forgotten}</span>
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
                  <dt>{words.period}</dt>
                  <dd>{periodOf(desk, receipt)}</dd>
                </div>
                <div>
                  <dt>{words.issued}</dt>
                  <dd>
                    {plainDay(language, receipt.issuedOn)}
                    <span class="below">{actorOf(language, receipt.issuedBy)}</span>
                  </dd>
                </div>
                <div>
                  <dt>{words.language}</dt>
                  <dd>{consoleWords[language].languages[receipt.language]}</dd>
                </div>
                <div>
                  <dt>{words.sent}</dt>
                  <dd>{receipt.sent ? words.yes : words.no}</dd>
                </div>
                {receipt.replaces === null ? null : (
                  <div>
                    <dt>{words.replaces}</dt>
                    <dd>{receipt.replaces}</dd>
                  </div>
                )}
                {withdrawn === null ? null : (
                  <div>
                    <dt>{words.states.withdrawn}</dt>
                    <dd>
                      {withdrawn.reason}
                      <span class="below">
                        {words.withdrawnOn(
                          shortMoment(language, withdrawn.at, desk.site.timezone),
                          actorOf(language, withdrawn.by)
                        )}
                      </span>
                    </dd>
                  </div>
                )}
              </dl>
            </section>
            <h2>{words.donations}</h2>
            <Table
              desk={desk}
              caption={words.donations}
              empty={null}
              rows={receipt.donations}
              columns={[
                {
                  label: words.reference,
                  isHead: true,
                  cell: one => <a href={`/admin/donations/${one.campaignId}/${one.id}`}>{one.reference}</a>
                },
                { label: words.received, isNamed: true, cell: one => plainDay(language, one.receivedOn) },
                {
                  label: words.amount,
                  isNumber: true,
                  cell: one => money(language, receipt.currency, one.amount, true)
                }
              ]}
            />
          </div>
          <div class="editor-side">
            {donor.name === '' ? null : (
              <section class="card" aria-labelledby="file">
                <h2 id="file">{words.file}</h2>
                <p>
                  <a class="button" href={pagePath(desk, '/receipt.pdf')}>
                    {words.open}
                  </a>
                </p>
                <p>
                  <a href={pagePath(desk, '/receipt.pdf?copy=true')}>{words.copy}</a>
                  <span class="below">{words.copyHint}</span>
                </p>
                {receipt.state === 'issued' ? (
                  <p>
                    <a class="button quiet small" href={pagePath(desk, '/withdraw')}>
                      {words.withdraw}
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

function periodOf({ language }: Desk, { period, kind }: Receipt): string {
  const from = plainDay(language, period.from)
  return kind === 'single' ? from : `${from} – ${plainDay(language, period.to)}`
}

/** Opened in the browser: it is to be looked at and printed. */
export async function openFile(desk: Desk): Promise<Download> {
  const { body } = await desk.api.get<Receipt>(apiPath(desk))
  const isCopy = desk.query.copy === 'true'
  const path = apiPath(desk, isCopy ? '.pdf?copy=true' : '.pdf')
  const { status, bytes, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) {
    const { code = '', detail = '' } = JSON.parse(text) as { code?: string; detail?: string }
    throw new Refused(status, code, detail, {})
  }
  return { text: bytes, type: 'application/pdf', fileName: `${body.number}${isCopy ? '-copy' : ''}.pdf`, isShown: true }
}

export async function askToWithdraw(desk: Desk): Promise<ConsolePage> {
  return withdrawPage(desk, (await desk.api.get<Receipt>(apiPath(desk))).body)
}

function withdrawPage(desk: Desk, receipt: Receipt, error?: string): ConsolePage {
  const words = receiptWords[desk.language]
  return {
    title: words.withdrawTitle(receipt.number),
    menu,
    status: error === undefined ? 200 : 422,
    body: (
      <div class="narrow">
        <ErrorSummary title={consoleWords[desk.language].mend} errors={error === undefined ? {} : { reason: error }} />
        <p class="lead">{words.withdrawText}</p>
        <Form desk={desk} action={pagePath(desk, '/withdraw')}>
          <Field
            name="reason"
            label={words.reason}
            value={field(desk, 'reason')}
            error={error}
            maxLength={500}
            required
          />
          <div class="actions">
            <button type="submit" class="danger">
              {words.withdrawYes}
            </button>
            <a class="button quiet" href={pagePath(desk)}>
              {words.keep}
            </a>
          </div>
        </Form>
      </div>
    )
  }
}

export async function withdraw(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = receiptWords[desk.language]
  try {
    await desk.api.post(apiPath(desk, '/withdraw'), { reason: field(desk, 'reason') })
    desk.say({ text: words.withdrawn })
    return redirect(pagePath(desk), 303)
  } catch (error) {
    const { fields, general } = refusedForm(error)
    const { reason = general } = spoken(fields, { reason: words.reason })
    return withdrawPage(desk, (await desk.api.get<Receipt>(apiPath(desk))).body, reason ?? '')
  }
}
