import type { Organisation } from '#fundraising/organisation/schema.ts'
import type { ReceiptRun } from '#fundraising/receipt-runs/schema.ts'
import type { Receipt } from '#fundraising/receipts/schema.ts'
import { Refused, withQuery } from '../../api.ts'
import { money, plainDay } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { receiptWords } from '../../text/receipts.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { Console, ConsolePage, ConsoleRole, Desk, Download } from '../console.ts'
import { refusedForm } from '../form.tsx'
import { Filters, Table } from '../table.tsx'
import { givenPath, saveGiven } from './given-part.tsx'
import { askedRun, showPreview } from './preview-page.tsx'
import { askToWithdraw, openFile, showReceipt, withdraw } from './receipt-page.tsx'
import { Incomplete, More, menu, StateBadge } from './receipt-parts.tsx'
import { RunList, showRun } from './run-page.tsx'

const treasurers: ConsoleRole[] = ['treasurer']

/** Receipts, one by one and for whole years. */
export function receiptPages(console: Console): void {
  const one = `${menu}/:id`
  console.show(menu, treasurers, async desk => await showReceipts(desk))
  console.take(menu, treasurers, issue)
  console.show(`${menu}/preview`, treasurers, async desk => await showPreview(desk))
  console.show(`${menu}/year.pdf`, treasurers, async desk => await downloadYear(desk, 'pdf'))
  console.show(`${menu}/year.zip`, treasurers, async desk => await downloadYear(desk, 'zip'))
  console.take(givenPath, treasurers, saveGiven)
  console.take(`${menu}/runs`, treasurers, startRun)
  console.show(`${menu}/runs/:id`, treasurers, showRun)
  console.show(one, treasurers, showReceipt)
  console.show(`${one}/receipt.pdf`, treasurers, openFile)
  console.show(`${one}/withdraw`, treasurers, askToWithdraw)
  console.take(`${one}/withdraw`, treasurers, withdraw)
}

const states = ['issued', 'withdrawn', 'needs-withdrawal'] as const

async function showReceipts(desk: Desk, refused?: string): Promise<ConsolePage> {
  const { language, query } = desk
  const words = receiptWords[language]
  const year = /^\d{4}$/.test(query.year ?? '') ? query.year : undefined
  const state = states.find(one => one === query.state)
  const [found, { body: organisation }, { body: runs }] = await Promise.all([
    desk.api.get<Receipt[]>('/receipts', {
      ...{ year, state, search: (query.search ?? '').slice(0, 100), limit: 25, cursor: query.cursor }
    }),
    desk.api.get<Organisation>('/organisation'),
    desk.api.get<ReceiptRun[]>('/receipt-runs')
  ])
  return {
    title: words.title,
    menu,
    status: refused === undefined ? 200 : 422,
    body: (
      <>
        <p class="lead">{words.lead}</p>
        <ErrorSummary title={consoleWords[language].refused} errors={{}} general={refused} />
        {organisation.missingForReceipts.length > 0 ? (
          <Incomplete desk={desk} organisation={organisation} />
        ) : (
          <RunForm desk={desk} />
        )}
        <RunList desk={desk} runs={runs.slice(0, 5)} />
        <YearFiles desk={desk} hasReceipts={found.body.length > 0} />
        <h2>{words.list}</h2>
        <Filter desk={desk} year={year} state={state} />
        <Table
          desk={desk}
          caption={words.list}
          empty={<p>{words.none}</p>}
          rows={found.body}
          columns={[
            { label: words.number, isHead: true, cell: ({ id, number }) => <a href={`${menu}/${id}`}>{number}</a> },
            {
              label: words.donor,
              cell: ({ donor, kind }) => (
                <>
                  <span class="anywhere">{donor.name}</span>
                  <span class="below">{words.kinds[kind]}</span>
                </>
              )
            },
            {
              label: words.amount,
              isNumber: true,
              cell: ({ amount, currency }) => money(language, currency, amount, true)
            },
            { label: words.issued, isNamed: true, cell: ({ issuedOn }) => plainDay(language, issuedOn) },
            { label: words.state, cell: receipt => <StateBadge desk={desk} receipt={receipt} /> }
          ]}
        />
        <More desk={desk} link={found.header('link')} />
      </>
    )
  }
}

/** This year and some before it. */
function yearsUntil({ now }: Desk): string[] {
  return Array.from({ length: 5 }, (_, index) => String(now.getFullYear() - index))
}

/** Everything of a year, to print or to keep. */
function YearFiles({ desk, hasReceipts }: { desk: Desk; hasReceipts: boolean }) {
  const words = receiptWords[desk.language]
  if (!hasReceipts) return null
  return (
    <section class="card narrow" aria-labelledby="year-files">
      <h2 id="year-files">{words.yearFiles}</h2>
      <p>{words.yearFilesText}</p>
      <ul class="plain-list">
        {yearsUntil(desk)
          .slice(0, 2)
          .map(year => (
            <li key={year}>
              {year}: <a href={`${menu}/year.pdf?year=${year}`}>{words.yearPdf(year)}</a>,{' '}
              <a href={`${menu}/year.zip?year=${year}`}>{words.yearZip(year)}</a>
            </li>
          ))}
      </ul>
    </section>
  )
}

/** The same file as the API sends. */
async function downloadYear(desk: Desk, kind: 'pdf' | 'zip'): Promise<Download> {
  const { year = '', runId, sent } = desk.query
  const path = withQuery(`/receipts.${kind}`, { year, runId, sent })
  const { status, bytes, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status !== 200) {
    const { code = '', detail = '' } = JSON.parse(text) as { code?: string; detail?: string }
    throw new Refused(status, code, detail, {})
  }
  return { text: bytes, type: `application/${kind}`, fileName: `receipts-${year}.${kind}` }
}

function RunForm({ desk }: { desk: Desk }) {
  const { language } = desk
  const words = receiptWords[language]
  // In the first months the year before is what everybody waits for.
  const usual = desk.now.getMonth() < 6 ? 1 : 0
  return (
    <section class="card narrow" aria-labelledby="run">
      <h2 id="run">{words.runTitle}</h2>
      <p>{words.runText}</p>
      <form method="get" action={`${menu}/preview`}>
        <div class="field-row">
          <Field name="runYear" label={words.year}>
            {tied => (
              <select {...tied}>
                {yearsUntil(desk).map((year, index) => (
                  <option key={year} value={year} selected={index === usual}>
                    {year}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field name="language" label={words.inLanguage}>
            {tied => (
              <select {...tied}>
                <option value="">{words.ownLanguage}</option>
                {(['de', 'en'] as const).map(one => (
                  <option key={one} value={one}>
                    {consoleWords[language].languages[one]}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div class="actions">
          <button type="submit">{words.preview}</button>
        </div>
      </form>
    </section>
  )
}

function Filter({ desk, year, state }: { desk: Desk; year: string | undefined; state: string | undefined }) {
  const words = receiptWords[desk.language]
  return (
    <Filters desk={{ ...desk, path: menu }}>
      <Field name="search" type="search" label={words.search} value={desk.query.search ?? ''} maxLength={100} />
      <Field name="year" label={words.year}>
        {tied => (
          <select {...tied}>
            <option value="">{words.anyYear}</option>
            {[...new Set([...yearsUntil(desk), ...(year === undefined ? [] : [year])])].map(one => (
              <option key={one} value={one} selected={one === year}>
                {one}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="state" label={words.state}>
        {tied => (
          <select {...tied}>
            <option value="">{words.anyState}</option>
            {states.map(one => (
              <option key={one} value={one} selected={one === state}>
                {words.states[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Filters>
  )
}

/** From the page of a donation: for it alone, or for the donor's whole year. */
async function issue(desk: Desk): Promise<ConsolePage | Redirect> {
  const [campaignId, donationId] = [field(desk, 'campaignId'), field(desk, 'donationId')]
  const isSingle = field(desk, 'kind') !== 'collective'
  try {
    const { body } = await desk.api.post<Receipt>('/receipts', {
      ...(isSingle
        ? { kind: 'single', donation: { campaignId: Number(campaignId), id: donationId } }
        : { kind: 'collective', donor: { donationId, year: Number(field(desk, 'year')) } })
    })
    desk.say({ text: receiptWords[desk.language].made(body.number) })
    return redirect(`${menu}/${body.id}`, 303)
  } catch (error) {
    const { fields, general } = refusedForm(error)
    const said = general ?? [...new Set(Object.values(fields))].join(' ')
    // Back to where the button is, where the address can be added.
    if (/^[0-9]{1,15}$/.test(campaignId) && /^[0-9a-f-]{36}$/.test(donationId)) {
      desk.say({ text: said, tone: 'bad' })
      return redirect(`/admin/donations/${campaignId}/${donationId}`, 303)
    }
    return await showReceipts(desk, said)
  }
}

async function startRun(desk: Desk): Promise<ConsolePage | Redirect> {
  try {
    const { body } = await desk.api.post<ReceiptRun>('/receipt-runs', {
      ...askedRun(desk),
      send: field(desk, 'send') === 'yes',
      upToToday: field(desk, 'upToToday') === 'yes'
    })
    return redirect(`${menu}/runs/${body.id}`, 303)
  } catch (error) {
    const { fields, general } = refusedForm(error)
    const said = general ?? [...new Set(Object.values(fields))].join(' ')
    const isTooEarly = error instanceof Refused && error.code === 'year-not-over'
    return await showPreview(desk, isTooEarly ? receiptWords[desk.language].tickUpToToday : said)
  }
}
