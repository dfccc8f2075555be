import { pickByLanguage } from '#platform/language.ts'
import { buildText } from '#platform/messages/messages.ts'
import type { EntryProblem } from './parsed-entry.ts'

/** Problems of a single payment. None quotes the file, because more people see problems than statements. */
export const problem = {
  amount: (): EntryProblem => ({
    code: 'amount',
    message: buildText('statement-file-problems', 'amount')
  }),
  decimals: (): EntryProblem => ({
    code: 'amount-decimals',
    message: buildText('statement-file-problems', 'decimals')
  }),
  large: (): EntryProblem => ({
    code: 'amount-too-large',
    message: buildText('statement-file-problems', 'large')
  }),
  direction: (): EntryProblem => ({
    code: 'direction',
    message: buildText('statement-file-problems', 'direction')
  }),
  contradiction: (): EntryProblem => ({
    code: 'direction-contradiction',
    message: buildText('statement-file-problems', 'contradiction')
  }),
  day: (): EntryProblem => ({
    code: 'day',
    message: buildText('statement-file-problems', 'day')
  }),
  currency: (): EntryProblem => ({
    code: 'currency',
    message: buildText('statement-file-problems', 'currency')
  }),
  sum: (): EntryProblem => ({
    code: 'sum',
    message: buildText('statement-file-problems', 'sum')
  }),
  batchRejected: (): EntryProblem => ({
    code: 'batch-rejected',
    message: buildText('statement-file-problems', 'batchRejected')
  }),
  transaction: (): EntryProblem => ({
    code: 'transaction',
    message: buildText('statement-file-problems', 'transaction')
  }),
  quote: (line: number): EntryProblem => ({
    code: 'quote',
    message: buildText('statement-file-problems', 'quote', { line })
  })
}

/** Adds the line number of the file to a problem. */
export function addLine(line: number, { code, message }: EntryProblem): EntryProblem {
  return {
    code,
    message: buildText('statement-file-problems', 'inLine', language => ({
      line,
      text: pickByLanguage(message, language)
    }))
  }
}
