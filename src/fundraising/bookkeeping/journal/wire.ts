import type { CsvWriter } from '#platform/csv/csv.ts'
import { type Language, pickByLanguage } from '#platform/language.ts'
import type { DonationKind } from '../../donation-kind.ts'
import type { PaymentSource } from '../../donations/payments/schema.ts'
import { toAmount } from '../../money/money.ts'
import type { AccountSum, JournalRow } from './queries.ts'
import { cashAccount, type JournalSummary, noAccount } from './schema.ts'

interface JournalStrings {
  columns: string[]
  sources: Record<PaymentSource, string>
  kinds: Record<DonationKind, string>
  wentBack: string
  cash: string
  day: (day: string) => string
}

/** Column names and date formats as spreadsheets in that language expect them. */
const strings: Record<Language, JournalStrings> = {
  en: {
    columns: [
      'Day',
      'Received',
      'Pledged',
      'Currency',
      'Kind',
      'Payment',
      'Name',
      'Street',
      'Postal code',
      'City',
      'Country',
      'Campaign',
      'Reference',
      'Account',
      'Bank statement',
      'Receipt number'
    ],
    sources: {
      bank_entry: 'Transfer',
      cash: 'Cash',
      direct_debit: 'Direct debit',
      manual: 'Recorded by hand',
      correction: 'Correction'
    },
    kinds: {
      money: 'Donation',
      membership_fee: 'Membership fee',
      waived_expenses: 'Waived expenses',
      in_kind: 'Gift in kind'
    },
    wentBack: 'refunded',
    cash: 'Cash',
    day: day => day
  },
  de: {
    columns: [
      'Tag',
      'Eingegangen',
      'Zugesagt',
      'Währung',
      'Art',
      'Zahlungsart',
      'Name',
      'Straße',
      'PLZ',
      'Ort',
      'Land',
      'Spendenaktion',
      'Referenz',
      'Konto',
      'Kontoauszug',
      'Nummer der Zuwendungsbestätigung'
    ],
    sources: {
      bank_entry: 'Überweisung',
      cash: 'Bar',
      direct_debit: 'Lastschrift',
      manual: 'Von Hand gebucht',
      correction: 'Korrektur'
    },
    kinds: {
      money: 'Geldspende',
      membership_fee: 'Mitgliedsbeitrag',
      waived_expenses: 'Aufwandsverzicht',
      in_kind: 'Sachspende'
    },
    wentBack: 'zurückgezahlt',
    cash: 'Kasse',
    day: day => day.split('-').reverse().join('.')
  }
}

export function buildHead(csv: CsvWriter, language: Language): string {
  return csv.formatHeader(pickByLanguage(strings, language).columns)
}

export function buildLine(csv: CsvWriter, row: JournalRow, language: Language): string {
  const { sources, kinds, wentBack, cash, day } = pickByLanguage(strings, language)
  const payment = row.amountCents < 0 ? `${sources[row.originalSource]}, ${wentBack}` : sources[row.source]
  return csv.formatRow([
    day(row.receivedOn),
    toAmount(row.amountCents),
    toAmount(row.promisedCents),
    row.currency,
    kinds[row.kind],
    payment,
    row.donorName,
    row.street,
    row.postalCode,
    row.city,
    row.country,
    row.campaignName,
    row.reference,
    row.account === cashAccount ? cash : row.account === noAccount ? null : row.account,
    row.statementId === null ? null : String(row.statementId),
    row.receiptNumber
  ])
}

export function toSummaryJson(years: number[], sums: AccountSum[]): JournalSummary {
  return {
    years,
    accounts: sums.map(({ account, currency, count, receivedCents, returnedCents }) => ({
      account,
      currency,
      count,
      received: toAmount(receivedCents),
      returned: toAmount(returnedCents),
      balance: toAmount(receivedCents - returnedCents)
    }))
  }
}
