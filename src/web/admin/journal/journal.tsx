import type { Bookkeeping, LedgerAccount } from '#fundraising/bookkeeping/schema.ts'
import type { JournalSummary } from '#fundraising/journal/schema.ts'
import { Refused, withQuery } from '../../api.ts'
import { dayIn, money, number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { consoleWords } from '../../text/console.ts'
import { journalWords } from '../../text/journal.ts'
import { ErrorSummary, Field } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import { Select } from '../calendar-parts.tsx'
import type { Console, ConsolePage, ConsoleRole, Desk, Download } from '../console.ts'
import { Form, isConflict, refusedForm } from '../form.tsx'
import { type Column, Table } from '../table.tsx'

const menu = '/admin/journal'
const treasurers: ConsoleRole[] = ['treasurer']

type Sum = JournalSummary['accounts'][number]

interface Refusal {
  errors: Record<string, string>
  general?: string | undefined
}

/** What came and went back, to take along for the bookkeeping. */
export function journalPages(console: Console): void {
  console.show(menu, treasurers, async desk => await showJournal(desk))
  console.show(`${menu}.csv`, treasurers, async desk => await download(desk, '/journal.csv', 'journal'))
  console.show(`${menu}.datev.csv`, treasurers, async desk => await downloadForDatev(desk))
  console.take(menu, treasurers, saveAccounts)
}

function getYear(desk: Desk): string {
  const asked = desk.query.year ?? ''
  return /^(?:19|20|21)\d\d$/.test(asked) ? asked : dayIn(desk.site.timezone, desk.now).slice(0, 4)
}

async function showJournal(desk: Desk, refusal: Refusal = { errors: {} }): Promise<ConsolePage> {
  const words = journalWords[desk.language]
  const year = getYear(desk)
  const [{ body: journal }, { body: accounts, header }] = await Promise.all([
    desk.api.get<JournalSummary>('/journal', { year }),
    desk.api.get<Bookkeeping>('/bookkeeping')
  ])
  const years = [...new Set([...journal.years.map(String), year])].sort().reverse()
  const isRefused = refusal.general !== undefined || Object.keys(refusal.errors).length > 0
  return {
    title: words.title,
    menu,
    status: isRefused ? 422 : 200,
    islands: ['console'],
    body: (
      <div class="narrow">
        <p class="lead">{words.lead}</p>
        <ErrorSummary title={words.mend} errors={refusal.errors} general={refusal.general} />
        <form method="get" action={menu} class="card field-row">
          <Select
            name="year"
            label={words.year}
            value={year}
            options={years.map(one => ({ value: one, label: one }))}
          />
          <div class="actions">
            <button type="submit" class="quiet">
              {words.show}
            </button>
          </div>
        </form>
        <section class="card" aria-labelledby="year">
          <h2 id="year">{words.all(year)}</h2>
          <p>{words.allHint}</p>
          <div class="actions">
            <a class="button" href={withQuery(`${menu}.csv`, { year })}>
              {words.download}
            </a>
            <a class="button quiet" href={withQuery(`${menu}.datev.csv`, { year })}>
              {words.datev}
            </a>
          </div>
        </section>
        <h2 id="accounts">{words.accounts}</h2>
        <Table
          desk={desk}
          caption={words.accounts}
          empty={<p>{words.none(year)}</p>}
          rows={journal.accounts}
          columns={buildColumns(desk, year)}
        />
        <Accounts
          desk={desk}
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

function buildColumns(desk: Desk, year: string): Column<Sum>[] {
  const { language } = desk
  const words = journalWords[language]
  const amount = (sum: Sum, of: number) => money(language, sum.currency, of, true)
  return [
    { label: words.account, isHead: true, cell: sum => <span class="anywhere">{nameAccount(desk, sum.account)}</span> },
    { label: words.count, isNumber: true, cell: sum => number(language, sum.count) },
    { label: words.received, isNumber: true, cell: sum => amount(sum, sum.received) },
    { label: words.returned, isNumber: true, cell: sum => amount(sum, sum.returned) },
    { label: words.balance, isNumber: true, cell: sum => amount(sum, sum.balance) },
    {
      label: words.file,
      cell: sum => (
        <a
          class="button small quiet"
          href={withQuery(`${menu}.csv`, { year, account: sum.account })}
          aria-label={words.csvOf(nameAccount(desk, sum.account))}
        >
          {words.csv}
        </a>
      )
    }
  ]
}

function nameAccount({ language }: Desk, account: string): string {
  const words = journalWords[language]
  if (account === 'cash') return words.cash
  if (account === 'none') return words.noAccount
  return account.replace(/(.{4})(?=.)/g, '$1 ')
}

const ledgerAccounts: LedgerAccount[] = [
  'bank',
  'cash',
  'donationsWithReceipt',
  'donationsWithoutReceipt',
  'membershipFees'
]

/** The numbers that DATEV knows accounts by. */
function Accounts({
  desk,
  year,
  accounts,
  tag,
  banks,
  errors
}: {
  desk: Desk
  year: string
  accounts: Bookkeeping
  tag: string
  banks: string[]
  errors: Record<string, string>
}) {
  const words = journalWords[desk.language]
  const isSent = desk.request.method === 'POST'
  const value = (name: string, stored: string | number | null) =>
    isSent ? field(desk, name) : stored === null ? '' : String(stored)
  const labels: Record<LedgerAccount, string> = { ...words, cash: words.cashAccount }
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
      <summary>{words.datevTitle}</summary>
      <p>{words.datevHint}</p>
      <Form desk={desk} action={withQuery(menu, { year })}>
        <input type="hidden" name="tag" value={isSent ? field(desk, 'tag') : tag} />
        <div class="field-row">
          {text('consultantNumber', words.consultantNumber, accounts.consultantNumber)}
          {text('clientNumber', words.clientNumber, accounts.clientNumber)}
        </div>
        <div class="field-row">{ledgerAccounts.map(name => text(name, labels[name], accounts[name]))}</div>
        {own.map((iban, index) => (
          <div key={iban}>
            <input type="hidden" name={`iban${index}`} value={iban} />
            {text(
              `account${index}`,
              words.ownAccount(nameAccount(desk, iban)),
              accounts.bankAccounts.find(one => one.iban === iban)?.account ?? null,
              words.ownAccountHint
            )}
          </div>
        ))}
        <div class="actions">
          <button type="submit">{words.save}</button>
        </div>
      </Form>
    </details>
  )
}

const bankAccountsMax = 50

async function saveAccounts(desk: Desk): Promise<ConsolePage | Redirect> {
  const words = journalWords[desk.language]
  const asNumber = (name: string) => {
    const typed = field(desk, name).trim()
    return /^\d{1,9}$/.test(typed) ? Number(typed) : typed
  }
  const bankAccounts = Array.from({ length: bankAccountsMax }, (_, index) => ({
    index,
    iban: field(desk, `iban${index}`),
    account: field(desk, `account${index}`).trim()
  })).filter(({ iban, account }) => iban !== '' && account !== '')
  const change = {
    consultantNumber: asNumber('consultantNumber'),
    clientNumber: asNumber('clientNumber'),
    ...Object.fromEntries(ledgerAccounts.map(name => [name, field(desk, name)])),
    bankAccounts: bankAccounts.map(({ iban, account }) => ({ iban, account }))
  }
  const tag = field(desk, 'tag')
  try {
    await desk.api.patch('/bookkeeping', change, tag === '' ? {} : { 'if-match': tag })
    desk.say({ text: words.saved })
    return redirect(withQuery(menu, { year: getYear(desk) }), 303)
  } catch (error) {
    if (isConflict(error)) return await showJournal(desk, { errors: {}, general: words.conflict })
    const { fields, general } = refusedForm(error)
    const errors = Object.fromEntries(
      Object.entries(fields).map(([name, message]) => {
        const [, place] = /^bankAccounts[./](\d+)/.exec(name) ?? []
        return [place === undefined ? name : `account${bankAccounts[Number(place)]?.index ?? 0}`, message]
      })
    )
    return await showJournal(desk, { errors, general })
  }
}

async function download(desk: Desk, path: string, name: string): Promise<Download> {
  const year = getYear(desk)
  const query = { year, ...(desk.query.account === undefined ? {} : { account: desk.query.account }) }
  const { status, text } = await desk.api.raw({ method: 'GET', path: withQuery(path, query), headers: {} })
  if (status !== 200) throw new Refused(status, '', consoleWords[desk.language].refused, {})
  // A file read over HTTP has lost the mark that German spreadsheets and DATEV look for.
  const needsMark = desk.language === 'de' || name.startsWith('EXTF')
  const mark = needsMark && !text.startsWith('\ufeff') ? '\ufeff' : ''
  return { text: mark + text, type: 'text/csv; charset=utf-8', fileName: `${name}-${year}.csv` }
}

/** What is missing for it is said on the page, where it can be filled in. */
async function downloadForDatev(desk: Desk): Promise<Download | ConsolePage> {
  const path = withQuery('/journal/datev.csv', { year: getYear(desk) })
  const { status, text } = await desk.api.raw({ method: 'GET', path, headers: {} })
  if (status === 409) {
    const { detail } = JSON.parse(text) as { detail: string }
    return await showJournal(desk, { errors: {}, general: detail })
  }
  return await download(desk, '/journal/datev.csv', 'EXTF_Buchungsstapel')
}
