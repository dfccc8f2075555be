import type { JournalSummary } from '#fundraising/bookkeeping/journal/schema.ts'
import type { Bookkeeping, LedgerAccount } from '#fundraising/bookkeeping/schema.ts'
import { getCsvFormat } from '#platform/csv/csv.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, Field, Select } from '../../components/field.tsx'
import { formatMoney, formatNumber, toLocalDay } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError, withQuery } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage, AdminRole, AdminRouter, Download } from '../shared/context.ts'
import { Form, isConflict, toFormErrors } from '../shared/form.tsx'
import { type Column, Table } from '../shared/table.tsx'

const menu = '/admin/journal'
const treasurers: AdminRole[] = ['treasurer']

type Sum = JournalSummary['accounts'][number]

interface JournalErrors {
  errors: Record<string, string>
  general?: string | undefined
}

/** Journal of payments and refunds, as exports for bookkeeping. */
export function registerJournalRoutes(console: AdminRouter): void {
  console.get(menu, treasurers, async context => await showJournal(context))
  console.get(`${menu}.csv`, treasurers, async context => await download(context, '/journal.csv', 'journal'))
  console.get(`${menu}.datev.csv`, treasurers, async context => await downloadForDatev(context))
  console.post(menu, treasurers, saveAccounts)
}

function getYear(context: AdminContext): string {
  const requested = context.query.year ?? ''
  return /^(?:19|20|21)\d\d$/.test(requested) ? requested : toLocalDay(context.site.timezone, context.now).slice(0, 4)
}

async function showJournal(context: AdminContext, refusal: JournalErrors = { errors: {} }): Promise<AdminPage> {
  const strings = getMessages('journal', context.language)
  const year = getYear(context)
  const [{ body: journal }, { body: accounts, header }] = await Promise.all([
    context.api.get<JournalSummary>('/journal', { year }),
    context.api.get<Bookkeeping>('/bookkeeping')
  ])
  const years = [...new Set([...journal.years.map(String), year])].sort().reverse()
  const isRefused = refusal.general !== undefined || Object.keys(refusal.errors).length > 0
  return {
    title: strings.title,
    menu,
    status: isRefused ? 422 : 200,
    scripts: ['console'],
    body: (
      <div class="narrow">
        <p class="lead">{strings.lead}</p>
        <ErrorSummary title={strings.mend} errors={refusal.errors} general={refusal.general} />
        <form method="get" action={menu} class="card field-row">
          <Select
            name="year"
            label={strings.year}
            value={year}
            options={years.map(one => ({ value: one, label: one }))}
          />
          <div class="actions">
            <button type="submit" class="quiet">
              {strings.show}
            </button>
          </div>
        </form>
        <section class="card" aria-labelledby="year">
          <h2 id="year">{strings.all({ year })}</h2>
          <p>{strings.allHint}</p>
          <div class="actions">
            <a class="button" href={withQuery(`${menu}.csv`, { year })}>
              {strings.download}
            </a>
            <a class="button quiet" href={withQuery(`${menu}.datev.csv`, { year })}>
              {strings.datev}
            </a>
          </div>
        </section>
        <h2 id="accounts">{strings.accounts}</h2>
        <Table
          context={context}
          caption={strings.accounts}
          empty={<p>{strings.none({ year })}</p>}
          rows={journal.accounts}
          columns={buildColumns(context, year)}
        />
        <Accounts
          context={context}
          year={year}
          accounts={accounts}
          tag={header('etag') ?? ''}
          banks={journal.accounts.map(({ account }) => account)}
          errors={refusal.errors}
        />
      </div>
    )
  }
}

function buildColumns(context: AdminContext, year: string): Column<Sum>[] {
  const { language } = context
  const strings = getMessages('journal', language)
  const amount = (sum: Sum, of: number) => formatMoney(language, sum.currency, of, true)
  return [
    {
      label: strings.account,
      isHead: true,
      cell: sum => <span class="anywhere">{formatAccount(context, sum.account)}</span>
    },
    { label: strings.count, isNumber: true, cell: sum => formatNumber(language, sum.count) },
    { label: strings.received, isNumber: true, cell: sum => amount(sum, sum.received) },
    { label: strings.returned, isNumber: true, cell: sum => amount(sum, sum.returned) },
    { label: strings.balance, isNumber: true, cell: sum => amount(sum, sum.balance) },
    {
      label: strings.file,
      cell: sum => (
        <a
          class="button small quiet"
          href={withQuery(`${menu}.csv`, { year, account: sum.account })}
          aria-label={strings.csvOf({ account: formatAccount(context, sum.account) })}
        >
          {strings.csv}
        </a>
      )
    }
  ]
}

function formatAccount({ language }: AdminContext, account: string): string {
  const strings = getMessages('journal', language)
  if (account === 'cash') return strings.cash
  if (account === 'none') return strings.noAccount
  return account.replace(/(.{4})(?=.)/g, '$1 ')
}

const ledgerAccounts: LedgerAccount[] = [
  'bank',
  'cash',
  'donationsWithReceipt',
  'donationsWithoutReceipt',
  'membershipFees'
]

/** Account numbers for the DATEV export. */
function Accounts({
  context,
  year,
  accounts,
  tag,
  banks,
  errors
}: {
  context: AdminContext
  year: string
  accounts: Bookkeeping
  tag: string
  banks: string[]
  errors: Record<string, string>
}) {
  const strings = getMessages('journal', context.language)
  const isSent = context.request.method === 'POST'
  const value = (name: string, stored: string | number | null) =>
    isSent ? getFormField(context, name) : stored === null ? '' : String(stored)
  const labels: Record<LedgerAccount, string> = { ...strings, cash: strings.cashAccount }
  const own = [...new Set([...accounts.bankAccounts.map(({ iban }) => iban), ...banks])].filter(
    account => account !== 'cash' && account !== 'none'
  )
  const text = (name: string, label: string, stored: string | number | null, hint?: string) => (
    <Field
      key={name}
      name={name}
      label={label}
      value={value(name, stored)}
      error={errors[name]}
      inputMode="numeric"
      autocomplete="off"
      maxLength={20}
      {...(hint === undefined ? {} : { hint })}
    />
  )
  return (
    <details class="card" open={Object.keys(errors).length > 0 || accounts.version === 0}>
      <summary>{strings.datevTitle}</summary>
      <p>{strings.datevHint}</p>
      <Form context={context} action={withQuery(menu, { year })}>
        <input type="hidden" name="tag" value={isSent ? getFormField(context, 'tag') : tag} />
        <div class="field-row">
          {text('consultantNumber', strings.consultantNumber, accounts.consultantNumber)}
          {text('clientNumber', strings.clientNumber, accounts.clientNumber)}
        </div>
        <div class="field-row">{ledgerAccounts.map(name => text(name, labels[name], accounts[name]))}</div>
        {own.map((iban, index) => (
          <div key={iban}>
            <input type="hidden" name={`iban${index}`} value={iban} />
            {text(
              `account${index}`,
              strings.ownAccount({ iban: formatAccount(context, iban) }),
              accounts.bankAccounts.find(one => one.iban === iban)?.account ?? null,
              strings.ownAccountHint
            )}
          </div>
        ))}
        <div class="actions">
          <button type="submit">{strings.save}</button>
        </div>
      </Form>
    </details>
  )
}

const bankAccountsMax = 50

async function saveAccounts(context: AdminContext): Promise<AdminPage | Redirect> {
  const strings = getMessages('journal', context.language)
  const asNumber = (name: string) => {
    const typed = getFormField(context, name).trim()
    return /^\d{1,9}$/.test(typed) ? Number(typed) : typed
  }
  const bankAccounts = Array.from({ length: bankAccountsMax }, (_, index) => ({
    index,
    iban: getFormField(context, `iban${index}`),
    account: getFormField(context, `account${index}`).trim()
  })).filter(({ iban, account }) => iban !== '' && account !== '')
  const change = {
    consultantNumber: asNumber('consultantNumber'),
    clientNumber: asNumber('clientNumber'),
    ...Object.fromEntries(ledgerAccounts.map(name => [name, getFormField(context, name)])),
    bankAccounts: bankAccounts.map(({ iban, account }) => ({ iban, account }))
  }
  const tag = getFormField(context, 'tag')
  try {
    await context.api.patch('/bookkeeping', change, tag === '' ? {} : { 'if-match': tag })
    context.flash({ text: strings.saved })
    return redirect(withQuery(menu, { year: getYear(context) }), 303)
  } catch (error) {
    if (isConflict(error)) return await showJournal(context, { errors: {}, general: strings.conflict })
    const { fields, general } = toFormErrors(error)
    const errors = Object.fromEntries(
      Object.entries(fields).map(([name, message]) => {
        const [, place] = /^bankAccounts[./](\d+)/.exec(name) ?? []
        return [place === undefined ? name : `account${bankAccounts[Number(place)]?.index ?? 0}`, message]
      })
    )
    return await showJournal(context, { errors, general })
  }
}

async function download(context: AdminContext, path: string, name: string): Promise<Download> {
  const year = getYear(context)
  const query = { year, ...(context.query.account === undefined ? {} : { account: context.query.account }) }
  const { text } = await context.api.download(withQuery(path, query))
  // Reading the file over HTTP strips the byte order mark that German spreadsheets and DATEV need.
  const needsMark = getCsvFormat(context.language).mark !== '' || name.startsWith('EXTF')
  const mark = needsMark && !text.startsWith('\ufeff') ? '\ufeff' : ''
  return { text: mark + text, type: 'text/csv; charset=utf-8', fileName: `${name}-${year}.csv` }
}

/** If settings are missing, shows the page with the form to fill them in. */
async function downloadForDatev(context: AdminContext): Promise<Download | AdminPage> {
  try {
    return await download(context, '/journal/datev.csv', 'EXTF_Buchungsstapel')
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    return await showJournal(context, { errors: {}, general: error.message })
  }
}
