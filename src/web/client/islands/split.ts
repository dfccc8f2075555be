import { parseAmount } from '../../format/amount.ts'

/** Updates the amount that is left to split, on every input. */
function updateRemainder(form: HTMLElement): void {
  const { locale = '', decimalMark = '.' } = form.dataset
  const left = form.querySelector('output')
  const inputs = [...form.querySelectorAll<HTMLInputElement>('input[name="amounts[]"]')]
  form.addEventListener('input', () => {
    let cents = Number(form.dataset.split)
    for (const { value } of inputs) {
      const read = value.trim() === '' ? 0 : parseAmount(value, decimalMark)
      if (typeof read === 'number') cents -= read
    }
    if (left !== null) left.textContent = formatCents(locale, form.dataset.currency ?? '', cents)
  })
}

function formatCents(locale: string, currency: string, cents: number): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100)
  } catch {
    return `${(cents / 100).toFixed(2)} ${currency}`
  }
}

for (const form of document.querySelectorAll<HTMLElement>('[data-split]')) updateRemainder(form)
