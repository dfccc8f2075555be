import type { ListedDonation } from '#fundraising/donations/all-donations/schema.ts'
import { getLocale, getNumberMarks } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { ErrorSummary, FieldError } from '../../components/field.tsx'
import { formatNumber } from '../../format/format.ts'
import { type Redirect, redirect } from '../../page/page.ts'
import { ApiError } from '../../server/api-client.ts'
import { getFormField } from '../../server/context.ts'
import type { AdminContext, AdminPage } from '../shared/context.ts'
import { Form, isConflict } from '../shared/form.tsx'
import { formatAmountInput, formatApiAmount, parseCents, toCents } from '../shared/parse-amount.ts'
import { formatStatementAmount, getStatementApiPath, getStatementPagePath, type StatementEntry } from './statement.ts'
import { getEntryPath } from './statement-parts.tsx'

/** One donation of a split, as typed. */
export interface SplitRow {
  reference: string
  amount: string
}

export interface SplitState {
  rows: SplitRow[]
  /** By field name. */
  errors: Record<string, string>
  general?: string | undefined
}

const rowsMin = 4
const rowsMax = 50

/** Starts with the donations that the text names, each with its outstanding amount. */
export function newSplit(context: AdminContext, entry: StatementEntry): SplitState {
  let left = toCents(entry.amount)
  const rows = entry.suggestions
    .filter(({ currency }) => currency === entry.currency)
    .map(({ reference, donationAmount, received }) => {
      const cents = Math.min(left, Math.max(0, toCents(donationAmount) - toCents(received)))
      left -= cents
      return { reference, amount: cents === 0 ? '' : formatAmountInput(cents, context.language) }
    })
  return { rows, errors: {} }
}

export function SplitForm({
  context,
  entry,
  state
}: {
  context: AdminContext
  entry: StatementEntry
  state: SplitState
}) {
  const strings = getMessages('statement', context.language)
  const amount = formatStatementAmount(context, entry.currency, entry.amount)
  const count = Math.min(rowsMax, Math.max(rowsMin, state.rows.length + 1))
  const rows = Array.from({ length: count }, (_, place) => state.rows[place] ?? { reference: '', amount: '' })
  return (
    <section id="split" class="entry-split">
      <h2>{strings.split}</h2>
      <p>{strings.splitLead({ amount })}</p>
      <ErrorSummary title={strings.split} errors={state.errors} general={state.general} />
      <Form context={context} action={`${getEntryPath(entry)}/split`}>
        <input type="hidden" name="version" value={String(entry.version)} />
        <div
          data-split={String(toCents(entry.amount))}
          data-locale={getLocale(context.language)}
          data-decimal-mark={getNumberMarks(context.language).decimalMark}
          data-currency={entry.currency}
        >
          {rows.map((row, place) => (
            <Row key={place} context={context} row={row} place={place} errors={state.errors} />
          ))}
          <p class="entry-left">
            {strings.splitLeft}:{' '}
            <output>{formatStatementAmount(context, entry.currency, getRemainingCents(context, entry, rows))}</output>
          </p>
        </div>
        <button type="submit">{strings.splitSend}</button>
      </Form>
    </section>
  )
}

function Row({
  context,
  row,
  place,
  errors
}: {
  context: AdminContext
  row: SplitRow
  place: number
  errors: Record<string, string>
}) {
  const strings = getMessages('statement', context.language)
  const inputs = [
    { name: 'references', label: strings.splitReference, value: row.reference, mode: 'text' as const },
    { name: 'amounts', label: strings.amount, value: row.amount, mode: 'decimal' as const }
  ]
  return (
    <fieldset class="entry-split-row">
      <legend class="visually-hidden">{strings.splitRow({ row: formatNumber(context.language, place + 1) })}</legend>
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

function getRemainingCents({ language }: AdminContext, entry: StatementEntry, rows: SplitRow[]): number {
  const said = rows.reduce((sum, { amount }) => {
    const cents = amount === '' ? 0 : parseCents(amount, language)
    return sum + (typeof cents === 'number' ? cents : 0)
  }, 0)
  return (toCents(entry.amount) - said) / 100
}

/** Books an entry to several donations, or shows the form again with its errors. */
export async function splitEntry(
  context: AdminContext,
  show: (context: AdminContext, state: SplitState) => Promise<AdminPage>
): Promise<AdminPage | Redirect> {
  const strings = getMessages('statement', context.language)
  const rows = readRows(context)
  const { donations, errors } = await findDonations(context, rows)
  if (Object.keys(errors).length > 0) return await show(context, { rows, errors })
  if (donations.length < 2) return await show(context, { rows, errors, general: strings.splitTooFew })
  const path = getStatementApiPath(context, `/entries/${encodeURIComponent(context.params.entry ?? '')}`)
  const version = getFormField(context, 'version')
  const headers: Record<string, string> = /^\d{1,9}$/.test(version) ? { 'if-match': `"${version}"` } : {}
  try {
    const { body } = await context.api.patch<StatementEntry>(path, { donations }, headers)
    const amount = formatStatementAmount(context, body.currency, body.amount)
    context.flash({ text: strings.said.split({ amount, count: formatNumber(context.language, body.matches.length) }) })
    return redirect(getStatementPagePath(context), 303)
  } catch (error) {
    if (isConflict(error)) return await show(context, { rows, errors: {}, general: strings.conflict })
    if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error
    return await show(context, { rows, errors: {}, general: error.message })
  }
}

/** Rows that are filled in, by position. */
function readRows({ form }: AdminContext): SplitRow[] {
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
  context: AdminContext,
  rows: SplitRow[]
): Promise<{ donations: Part[]; errors: Record<string, string> }> {
  const strings = getMessages('statement', context.language)
  const donations: Part[] = []
  const errors: Record<string, string> = {}
  for (const [place, { reference, amount }] of rows.entries()) {
    // Suggested rows without amount are skipped.
    if (amount === '') continue
    const cents = parseCents(amount, context.language)
    if (typeof cents === 'string') errors[`amounts-${place}`] = cents
    const { body } = await context.api.get<ListedDonation[]>('/donations', { search: reference, limit: 2 })
    const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
    const found = reference === '' ? undefined : body.find(one => plain(one.reference ?? '') === plain(reference))
    if (found === undefined) errors[`references-${place}`] = strings.splitNoDonation({ reference: reference || '–' })
    if (found === undefined || typeof cents === 'string') continue
    donations.push({ campaignId: found.campaignId, id: found.id, amount: formatApiAmount(cents) })
  }
  return { donations, errors }
}
