import type { LedgerEntry } from '#fundraising/ledger/schema.ts'
import { Refused } from '../../api.ts'
import { number } from '../../format.ts'
import { type Redirect, redirect } from '../../page.ts'
import { statementWords } from '../../text/statements.ts'
import { ErrorSummary, FieldError } from '../../ui/field.tsx'
import { field } from '../../visit.ts'
import type { ConsolePage, Desk } from '../console.ts'
import { Form, isConflict } from '../form.tsx'
import { centsIn, exactAmount, toCents, typedAmount } from '../typed-amount.ts'
import { amountOf, apiPath, pagePath, type StatementEntry } from './statement-answers.ts'
import { entryPath } from './statement-parts.tsx'

/** A donation of a split, as it is typed. */
export interface SplitRow {
  reference: string
  amount: string
}

export interface SplitState {
  rows: SplitRow[]
  /** By the name of the field. */
  errors: Record<string, string>
  general?: string | undefined
}

const rowsMin = 4
const rowsMax = 50

/** The donations that the text names come first, each with what it waits for. */
export function newSplit(desk: Desk, entry: StatementEntry): SplitState {
  let left = toCents(entry.amount)
  const rows = entry.suggestions
    .filter(({ currency }) => currency === entry.currency)
    .map(({ reference, donationAmount, received }) => {
      const cents = Math.min(left, Math.max(0, toCents(donationAmount) - toCents(received)))
      left -= cents
      return { reference, amount: cents === 0 ? '' : typedAmount(cents, desk.language) }
    })
  return { rows, errors: {} }
}

export function SplitForm({ desk, entry, state }: { desk: Desk; entry: StatementEntry; state: SplitState }) {
  const words = statementWords[desk.language]
  const amount = amountOf(desk, entry.currency, entry.amount)
  const count = Math.min(rowsMax, Math.max(rowsMin, state.rows.length + 1))
  const rows = Array.from({ length: count }, (_, place) => state.rows[place] ?? { reference: '', amount: '' })
  return (
    <section id="split" class="entry-split">
      <h2>{words.split}</h2>
      <p>{words.splitLead(amount)}</p>
      <ErrorSummary title={words.split} errors={state.errors} general={state.general} />
      <Form desk={desk} action={`${entryPath(entry)}/split`}>
        <input type="hidden" name="version" value={String(entry.version)} />
        <div data-split={String(toCents(entry.amount))} data-language={desk.language} data-currency={entry.currency}>
          {rows.map((row, place) => (
            <Row key={place} desk={desk} row={row} place={place} errors={state.errors} />
          ))}
          <p class="entry-left">
            {words.splitLeft}: <output>{amountOf(desk, entry.currency, getLeft(desk, entry, rows))}</output>
          </p>
        </div>
        <button type="submit">{words.splitSend}</button>
      </Form>
    </section>
  )
}

function Row({
  desk,
  row,
  place,
  errors
}: {
  desk: Desk
  row: SplitRow
  place: number
  errors: Record<string, string>
}) {
  const words = statementWords[desk.language]
  const inputs = [
    { name: 'references', label: words.splitReference, value: row.reference, mode: 'text' as const },
    { name: 'amounts', label: words.amount, value: row.amount, mode: 'decimal' as const }
  ]
  return (
    <fieldset class="entry-split-row">
      <legend class="visually-hidden">{words.splitRow(number(desk.language, place + 1))}</legend>
      {inputs.map(({ name, label, value, mode }) => {
        const id = `field-${name}-${place}`
        const error = errors[`${name}-${place}`]
        return (
          <div key={name} class="field">
            <label for={id}>{label}</label>
            <input
              id={id}
              type="text"
              name={`${name}[]`}
              value={value}
              maxLength={40}
              autocomplete="off"
              inputMode={mode}
              {...(error === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-error` })}
            />
            <FieldError of={id} error={error} />
          </div>
        )
      })}
    </fieldset>
  )
}

function getLeft({ language }: Desk, entry: StatementEntry, rows: SplitRow[]): number {
  const said = rows.reduce((sum, { amount }) => {
    const cents = amount === '' ? 0 : centsIn(amount, language)
    return sum + (typeof cents === 'number' ? cents : 0)
  }, 0)
  return (toCents(entry.amount) - said) / 100
}

/** Books an entry for several donations, or shows what is wrong with the form, as it was typed. */
export async function splitEntry(
  desk: Desk,
  show: (desk: Desk, state: SplitState) => Promise<ConsolePage>
): Promise<ConsolePage | Redirect> {
  const words = statementWords[desk.language]
  const rows = readRows(desk)
  const { donations, errors } = await findDonations(desk, rows)
  if (Object.keys(errors).length > 0) return await show(desk, { rows, errors })
  if (donations.length < 2) return await show(desk, { rows, errors, general: words.splitTooFew })
  const path = apiPath(desk, `/entries/${encodeURIComponent(desk.params.entry ?? '')}`)
  const version = field(desk, 'version')
  const headers: Record<string, string> = /^\d{1,9}$/.test(version) ? { 'if-match': `"${version}"` } : {}
  try {
    const { body } = await desk.api.patch<StatementEntry>(path, { donations }, headers)
    const amount = amountOf(desk, body.currency, body.amount)
    desk.say({ text: words.said.split(amount, number(desk.language, body.matches.length)) })
    return redirect(pagePath(desk), 303)
  } catch (error) {
    if (isConflict(error)) return await show(desk, { rows, errors: {}, general: words.conflict })
    if (!(error instanceof Refused) || ![400, 409, 422].includes(error.status)) throw error
    return await show(desk, { rows, errors: {}, general: error.message })
  }
}

/** Rows that somebody filled in, in their places. */
function readRows({ form }: Desk): SplitRow[] {
  const list = (value: unknown) => (Array.isArray(value) ? value : []).map(one => (typeof one === 'string' ? one : ''))
  const [references, amounts] = [list(form.references), list(form.amounts)]
  return Array.from({ length: Math.min(rowsMax, Math.max(references.length, amounts.length)) }, (_, place) => ({
    reference: (references[place] ?? '').trim().slice(0, 40),
    amount: (amounts[place] ?? '').trim().slice(0, 40)
  }))
}

interface Part {
  campaignId: number
  id: string
  amount: string
}

async function findDonations(
  desk: Desk,
  rows: SplitRow[]
): Promise<{ donations: Part[]; errors: Record<string, string> }> {
  const words = statementWords[desk.language]
  const donations: Part[] = []
  const errors: Record<string, string> = {}
  for (const [place, { reference, amount }] of rows.entries()) {
    // What was suggested and got no amount is left out.
    if (amount === '') continue
    const cents = centsIn(amount, desk.language)
    if (typeof cents === 'string') errors[`amounts-${place}`] = cents
    const { body } = await desk.api.get<LedgerEntry[]>('/donations', { search: reference, limit: 2 })
    const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
    const found = reference === '' ? undefined : body.find(one => plain(one.reference ?? '') === plain(reference))
    if (found === undefined) errors[`references-${place}`] = words.splitNoDonation(reference || '–')
    if (found === undefined || typeof cents === 'string') continue
    donations.push({ campaignId: found.campaignId, id: found.id, amount: exactAmount(cents) })
  }
  return { donations, errors }
}
