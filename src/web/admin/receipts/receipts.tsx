import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { ReceiptRun } from '#fundraising/receipts/runs/schema.ts'
import type { Receipt } from '#fundraising/receipts/schema.ts'
import { formatLanguageName } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field } from '../../components/field.tsx'
import { formatDay, formatMoney } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter, Download } from '../shared/context.ts'
import { toFormErrors } from '../shared/form.tsx'
import { Filters, Table } from '../shared/table.tsx'
import { givenPath, saveGiven } from './given-part.tsx'
import { parseRunOptions, showPreview } from './preview-page.tsx'
import { askToWithdraw, openFile, showReceipt, withdraw } from './receipt-page.tsx'
import { Incomplete, MoreLink, menu, StateBadge } from './receipt-parts.tsx'
import { RunList, showRun } from './run-page.tsx'

const treasurers: AdminRole[] = ['treasurer']

/** Single receipts and yearly runs. */
export function registerReceiptRoutes(console: AdminRouter): void {
  const one = `${menu}/:id`
  console.get(menu, treasurers, async context => await showReceipts(context))
  console.post(menu, treasurers, issueReceipt)
  console.get(`${menu}/preview`, treasurers, async context => await showPreview(context))
  console.get(`${menu}/year.pdf`, treasurers, async context => await downloadYear(context, 'pdf'))
  console.get(`${menu}/year.zip`, treasurers, async context => await downloadYear(context, 'zip'))
  console.post(givenPath, treasurers, saveGiven)
  console.post(`${menu}/runs`, treasurers, startRun)
  console.get(`${menu}/runs/:id`, treasurers, showRun)
  console.get(one, treasurers, showReceipt)
  console.get(`${one}/receipt.pdf`, treasurers, openFile)
  console.get(`${one}/withdraw`, treasurers, askToWithdraw)
  console.post(`${one}/withdraw`, treasurers, withdraw)
}

const states = ['issued', 'withdrawn', 'needs-withdrawal'] as const

async function showReceipts(context: AdminContext, refused?: string): Promise<AdminPage> {
  const { language, query } = context
  const strings = getMessages('receipt', language)
  const year = /^\d{4}$/.test(query.year ?? '') ? query.year : undefined
  const state = states.find(one => one === query.state)
  const [found, { body: organisation }, { body: runs }] = await Promise.all([
    context.api.get<Receipt[]>('/receipts', {
      ...{ year, state, search: (query.search ?? '').slice(0, 100), limit: 25, cursor: query.cursor }
    }),
    context.api.get<Organisation>('/organisation'),
    context.api.get<ReceiptRun[]>('/receipt-runs')
  ])
  return {
    title: strings.title,
    menu,
    status: refused === undefined ? 200 : 422,
    body: (
      <>
        <p class="lead">{strings.lead}</p>
        <ErrorSummary title={getMessages('admin', language).refused} errors={{}} general={refused} />
        {organisation.missingForReceipts.length > 0 ? (
          <Incomplete context={context} organisation={organisation} />
        ) : (
          <RunForm context={context} />
        )}
        <RunList context={context} runs={runs.slice(0, 5)} />
        <YearFiles context={context} hasReceipts={found.body.length > 0} />
        <h2>{strings.list}</h2>
        <Filter context={context} year={year} state={state} />
        <Table
          context={context}
          caption={strings.list}
          empty={<p>{strings.none}</p>}
          rows={found.body}
          columns={[
            { label: strings.number, isHead: true, cell: ({ id, number }) => <a href={`${menu}/${id}`}>{number}</a> },
            {
              label: strings.donor,
              cell: ({ donor, kind }) => (
                <>
                  <span class="anywhere">{donor.name}</span>
                  <span class="below">{strings.kinds[kind]}</span>
                </>
              )
            },
            {
              label: strings.amount,
              isNumber: true,
              cell: ({ amount, currency }) => formatMoney(language, currency, amount, true)
            },
            { label: strings.issued, isNamed: true, cell: ({ issuedOn }) => formatDay(language, issuedOn) },
            { label: strings.state, cell: receipt => <StateBadge context={context} receipt={receipt} /> }
          ]}
        />
        <MoreLink context={context} link={found.header('link')} />
      </>
    )
  }
}

/** This year and some before it, newest first. */
function listYears({ now }: AdminContext): string[] {
  return Array.from({ length: 5 }, (_, index) => String(now.getFullYear() - index))
}

/** Downloads with all receipts of a year, to print or to archive. */
function YearFiles({ context, hasReceipts }: { context: AdminContext; hasReceipts: boolean }) {
  const strings = getMessages('receipt', context.language)
  if (!hasReceipts) return null
  return (
    <section class="card narrow" aria-labelledby="year-files">
      <h2 id="year-files">{strings.yearFiles}</h2>
      <p>{strings.yearFilesText}</p>
      <ul class="plain-list">
        {listYears(context)
          .slice(0, 2)
          .map(year => (
            <li key={year}>
              {year}: <a href={`${menu}/year.pdf?year=${year}`}>{strings.yearPdf({ year })}</a>,{' '}
              <a href={`${menu}/year.zip?year=${year}`}>{strings.yearZip({ year })}</a>
            </li>
          ))}
      </ul>
    </section>
  )
}

/** Passes the API's file through. */
async function downloadYear(context: AdminContext, kind: 'pdf' | 'zip'): Promise<Download> {
  const { year = '', runId, sent } = context.query
  const path = withQuery(`/receipts.${kind}`, { year, runId, sent })
  const { bytes } = await context.api.download(path)
  return { text: bytes, type: `application/${kind}`, fileName: `receipts-${year}.${kind}` }
}

function RunForm({ context }: { context: AdminContext }) {
  const { language } = context
  const strings = getMessages('receipt', language)
  // In the first half of a year, the previous year is preselected: its receipts are due.
  const usual = context.now.getMonth() < 6 ? 1 : 0
  return (
    <section class="card narrow" aria-labelledby="run">
      <h2 id="run">{strings.runTitle}</h2>
      <p>{strings.runText}</p>
      <form method="get" action={`${menu}/preview`}>
        <div class="field-row">
          <Field name="runYear" label={strings.year}>
            {tied => (
              <select {...tied}>
                {listYears(context).map((year, index) => (
                  <option key={year} value={year} selected={index === usual}>
                    {year}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field name="language" label={strings.inLanguage}>
            {tied => (
              <select {...tied}>
                <option value="">{strings.ownLanguage}</option>
                {(['de', 'en'] as const).map(one => (
                  <option key={one} value={one}>
                    {formatLanguageName(one, language)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div class="actions">
          <button type="submit">{strings.preview}</button>
        </div>
      </form>
    </section>
  )
}

function Filter({
  context,
  year,
  state
}: {
  context: AdminContext
  year: string | undefined
  state: string | undefined
}) {
  const strings = getMessages('receipt', context.language)
  return (
    <Filters context={{ ...context, path: menu }}>
      <Field name="search" type="search" label={strings.search} value={context.query.search ?? ''} maxLength={100} />
      <Field name="year" label={strings.year}>
        {tied => (
          <select {...tied}>
            <option value="">{strings.anyYear}</option>
            {[...new Set([...listYears(context), ...(year === undefined ? [] : [year])])].map(one => (
              <option key={one} value={one} selected={one === year}>
                {one}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="state" label={strings.state}>
        {tied => (
          <select {...tied}>
            <option value="">{strings.anyState}</option>
            {states.map(one => (
              <option key={one} value={one} selected={one === state}>
                {strings.states[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Filters>
  )
}

/** Issues a receipt from the donation page: for this donation, or for the donor's whole year. */
async function issueReceipt(context: AdminContext): Promise<AdminPage | Redirect> {
  const [campaignId, donationId] = [getFormField(context, 'campaignId'), getFormField(context, 'donationId')]
  const isSingle = getFormField(context, 'kind') !== 'collective'
  try {
    const { body } = await context.api.post<Receipt>('/receipts', {
      ...(isSingle
        ? { kind: 'single', donation: { campaignId: Number(campaignId), id: donationId } }
        : { kind: 'collective', donor: { donationId, year: Number(getFormField(context, 'year')) } })
    })
    context.flash({ text: getMessages('receipt', context.language).made({ number: body.number }) })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    const said = general ?? [...new Set(Object.values(fields))].join(' ')
    // Redirects to the donation page, where the address can be added.
    if (/^[0-9]{1,15}$/.test(campaignId) && /^[0-9a-f-]{36}$/.test(donationId)) {
      context.flash({ text: said, tone: 'bad' })
      return redirect(`/admin/donations/${campaignId}/${donationId}`, 303)
    }
    return await showReceipts(context, said)
  }
}

async function startRun(context: AdminContext): Promise<AdminPage | Redirect> {
  try {
    const { body } = await context.api.post<ReceiptRun>('/receipt-runs', {
      ...parseRunOptions(context),
      send: getFormField(context, 'send') === 'yes',
      upToToday: getFormField(context, 'upToToday') === 'yes'
    })
    return redirect(`${menu}/runs/${body.id}`, 303)
  } catch (error) {
    const { fields, general } = toFormErrors(error)
    const said = general ?? [...new Set(Object.values(fields))].join(' ')
    const isTooEarly = error instanceof ApiError && error.code === 'year-not-over'
    return await showPreview(context, isTooEarly ? getMessages('receipt', context.language).tickUpToToday : said)
  }
}
