import type { TableField } from './table-fields.ts'
import type { Cells } from './table-row.ts'

/** Layouts of tables without a header, recognised by their content. */
interface Layout {
  fields: (TableField | undefined)[]
  isLike(cells: string[]): boolean
  /** Splits values that the bank puts into one cell. */
  refine(cells: Cells): Cells
}

const day = /^\d{1,2}\.\d{1,2}\.\d{4}$/
const amount = /^(?:-?[\d.]{1,15}[.,]\d\d)?$/
const account = /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/

/** TARGOBANK: day, text, debit, credit, two empty cells, and the account in apostrophes. */
const targobank: Layout = {
  fields: ['bookedOn', 'text', 'debit', 'credit', undefined, undefined, 'account'],
  isLike: cells => {
    const [booked = '', text = '', debit = '', credit = '', one, two, own = ''] = cells.map(cell => cell.trim())
    const isAmounts = amount.test(debit) && amount.test(credit) && debit + credit !== ''
    return (
      cells.length === 7 &&
      day.test(booked) &&
      text !== '' &&
      isAmounts &&
      one === '' &&
      two === '' &&
      /^'[A-Z]{2}\d/.test(own)
    )
  },
  refine: cells => {
    // Type, name, account, bank and text are in one cell, separated by three spaces; account and bank can be missing.
    const [type = '', name = '', ...rest] = (cells.text ?? '').split(/ {3,}/).map(part => part.trim())
    const found: Cells = { ...cells, type, name, account: (cells.account ?? '').replaceAll("'", '') }
    if (account.test(rest[0] ?? '')) found.iban = rest.shift() ?? ''
    if (found.iban !== undefined && /^[A-Z]{6}[A-Z0-9]{2,5}(?: |$)/.test(rest[0] ?? '')) {
      const [bank = '', ...more] = (rest.shift() ?? '').split(/ +/)
      found.bic = bank
      rest.unshift(...more)
    }
    return { ...found, text: rest.length === 0 ? (cells.text ?? '') : rest.join(' ') }
  }
}

export function findLayout(cells: string[]): Layout | undefined {
  return [targobank].find(layout => layout.isLike(cells))
}
