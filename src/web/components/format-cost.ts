import type { Language } from '#platform/language.ts'
import { getMessages } from '#platform/messages/messages.ts'
import { formatMoney } from '../format/format.ts'

interface Cost {
  cost: string
  /** Missing in previews of unsaved events. */
  cost_details?: { currency_symbol: string; values: string[] }
}

/** Cost of an event, localized if it consists of plain numbers; empty if it is unknown. */
export function formatCost(language: Language, currency: string, { cost, cost_details: details }: Cost): string {
  const values = (details?.values ?? []).map(Number)
  const { free } = getMessages('layout', language)
  if (details?.currency_symbol !== '' || values.length === 0 || values.some(Number.isNaN)) {
    return cost === 'Free' ? free : cost
  }
  const shown = [Math.min(...values), Math.max(...values)].map(one =>
    one === 0 ? free : formatMoney(language, currency, one)
  )
  return [...new Set(shown)].join(' – ')
}
