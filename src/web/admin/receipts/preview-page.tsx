import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { ReceiptRunPreview } from '#fundraising/receipt-runs/schema.ts'
import { withQuery } from '../../api.ts'
import { money, number, plainDay } from '../../format.ts'
import { consoleWords } from '../../text/console.ts'
import { receiptWords } from '../../text/receipts.ts'
import { Check, ErrorSummary } from '../../ui/field.tsx'
import type { ConsolePage, Desk } from '../console.ts'
import { Form } from '../form.tsx'
import { Table } from '../table.tsx'
import { menu } from './receipt-parts.tsx'

const path = `${menu}/preview`

/** What a run would do, by name, before anything is issued. */
export async function showPreview(desk: Desk, refused?: string): Promise<ConsolePage> {
  const { language } = desk
  const words = receiptWords[language]
  const asked = askedRun(desk)
  const [found, { body: organisation }] = await Promise.all([
    desk.api.get<ReceiptRunPreview>('/receipt-runs/preview', { ...asked, limit: 50, cursor: desk.query.cursor }),
    desk.api.get<Organisation>('/organisation')
  ])
  const preview = found.body
  const cursor = /[?&]cursor=([\w-]{1,1200})/.exec(found.header('link'))?.[1]
  return {
    title: words.runOf(String(preview.year)),
    menu,
    status: refused === undefined ? 200 : 422,
    body: (
      <>
        <p class="lead">{words.previewLead}</p>
        <ErrorSummary title={consoleWords[language].refused} errors={{}} general={refused} />
        {preview.isOver ? null : (
          <p class="notice warn">{words.notOver(String(preview.year), plainDay(language, preview.upTo))}</p>
        )}
        <StartForm desk={desk} preview={preview} organisation={organisation} />
        <Receipts desk={desk} preview={preview} />
        <LeftOut desk={desk} preview={preview} />
        {cursor === undefined && (desk.query.cursor ?? '') === '' ? null : (
          <nav class="pager" aria-label={words.previewPages}>
            <a class="button quiet small" href={withQuery(path, formFields(desk))}>
              {words.first}
            </a>
            {cursor === undefined ? null : (
              <a class="button quiet small" href={withQuery(path, { ...formFields(desk), cursor })}>
                {words.next}
              </a>
            )}
          </nav>
        )}
      </>
    )
  }
}

/** The year and the language that were chosen, in a form or in the address. */
export function askedRun({ query, form, now }: Desk): { year: number; language?: string } {
  const said = (name: string) => String(form[name] ?? query[name] ?? '')
  const year = /^\d{4}$/.test(said('runYear')) ? Number(said('runYear')) : now.getFullYear()
  const language = said('language')
  return { year, ...(language === 'de' || language === 'en' ? { language } : {}) }
}

function formFields(desk: Desk): Record<string, string> {
  const { year, language = '' } = askedRun(desk)
  return { runYear: String(year), language }
}

function StartForm({
  desk,
  preview,
  organisation
}: {
  desk: Desk
  preview: ReceiptRunPreview
  organisation: Organisation
}) {
  const words = receiptWords[desk.language]
  const canSend = organisation.hasSignature && organisation.taxOfficeInformedOn !== null
  return (
    <section class="card narrow" aria-labelledby="start">
      <h2 id="start">{words.startTitle}</h2>
      <Form desk={desk} action={`${menu}/runs`}>
        {Object.entries(formFields(desk)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {preview.isOver ? null : <Check name="upToToday" label={words.upToToday} hint={words.upToTodayHint} />}
        {canSend ? (
          <Check name="send" label={words.send} hint={words.sendHint} />
        ) : (
          <p class="faded">{words.cannotSend}</p>
        )}
        <div class="actions">
          <button type="submit">{words.start}</button>
          <a class="button quiet" href={menu}>
            {words.notNow}
          </a>
        </div>
      </Form>
    </section>
  )
}

function Receipts({ desk, preview }: { desk: Desk; preview: ReceiptRunPreview }) {
  const { language } = desk
  const words = receiptWords[language]
  return (
    <>
      <h2>{words.getReceipt}</h2>
      <Table
        desk={desk}
        caption={words.getReceipt}
        empty={<p>{words.nobodyGets}</p>}
        rows={preview.receipts}
        columns={[
          {
            label: words.donor,
            isHead: true,
            cell: ({ donor, kind, signedByHand }) => (
              <>
                <span class="anywhere">{donor.name}</span>
                <span class="below">
                  {words.kinds[kind]}
                  {signedByHand ? `, ${words.byHand}` : ''}
                </span>
              </>
            )
          },
          {
            label: words.period,
            isNamed: true,
            cell: ({ kind, period }) =>
              kind === 'single'
                ? plainDay(language, period.from)
                : `${plainDay(language, period.from)} – ${plainDay(language, period.to)}`
          },
          {
            label: words.donations,
            isNumber: true,
            cell: ({ donations }) => number(language, donations.length)
          },
          {
            label: words.amount,
            isNumber: true,
            cell: ({ amount, currency }) => money(language, currency, amount, true)
          }
        ]}
      />
    </>
  )
}

function LeftOut({ desk, preview }: { desk: Desk; preview: ReceiptRunPreview }) {
  const { language } = desk
  const words = receiptWords[language]
  return (
    <>
      <h2>{words.skipped}</h2>
      <Table
        desk={desk}
        caption={words.skipped}
        empty={<p>{words.nobodyLeftOut}</p>}
        rows={preview.leftOut}
        columns={[
          {
            label: words.donor,
            isHead: true,
            cell: ({ donor, donations }) => (
              <>
                <span class="anywhere">{donor ?? words.nameless}</span>
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
            label: words.reason,
            isNamed: true,
            cell: ({ reason, receiptNumber }) => (
              <>
                {words.skipReasons[reason]}
                {receiptNumber === null ? null : <span class="below">{receiptNumber}</span>}
              </>
            )
          },
          {
            label: words.amount,
            isNumber: true,
            cell: ({ amount, currency }) => money(language, currency, amount, true)
          }
        ]}
      />
    </>
  )
}
