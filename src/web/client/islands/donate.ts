import { parseAmount } from '../../format/amount.ts'
import { checkIban, normalizeIban } from '../../format/iban.ts'

/** Progressive enhancement of the donation form, which works without it. Its texts come with the form. */
const form = document.querySelector<HTMLFormElement>('form[data-donate]')
if (form !== null) enhanceForm(form, JSON.parse(form.dataset.donate ?? ''))

interface FormStrings {
  locale: string
  decimalMark: string
  currency: string
  least: number
  [word: string]: string | number
}

function enhanceForm(form: HTMLFormElement, strings: FormStrings): void {
  const find = (what: string) => form.querySelector(what) as HTMLInputElement
  const own = find('#field-own')
  const button = find('.donate-button')
  const presets = [...form.querySelectorAll<HTMLInputElement>('[name=amount]')]
  const { locale, decimalMark, currency, least } = strings
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
  let isSent = false

  /** Replaces placeholders in braces. */
  const say: Say = (word, values = {}) => String(strings[word]).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

  function showAmount(): void {
    const preset = presets.find(one => one.checked)
    const cents = own.value ? parseAmount(own.value, decimalMark) : Number(preset?.value ?? 0) * 100
    button.textContent =
      Number(cents) >= least ? say('donateAmount', { amount: money.format(Number(cents) / 100) }) : say('donate')
  }

  function changed(event: Event): void {
    if (event.target !== own) own.value = ''
    else if (own.value) for (const preset of presets) preset.checked = false
    showFieldError(own)
    showAmount()
  }
  for (const one of [own, ...presets]) one.addEventListener('input', changed)

  own.addEventListener('change', () => {
    if (!own.value.trim()) return
    const read = parseAmount(own.value, decimalMark)
    if (typeof read === 'number') showFieldError(own, read < least ? say('small') : '')
    else {
      const values = 'largeCents' in read ? { large: read.largeCents / 100, small: typed(read.smallCents) } : {}
      showFieldError(own, say(read.fault, { ...values, typed: own.value }))
    }
  })

  const typed = (cents: number) => (cents / 100).toFixed(2).replace('.', decimalMark)

  // The field only exists if the organisation collects direct debits.
  if (find('#field-iban')) enhanceIban(form, say)

  form.addEventListener('submit', event => {
    if (isSent) event.preventDefault()
    isSent = true
    button.setAttribute('aria-disabled', 'true')
    button.textContent = say('sending')
  })
  // Users may come back from the next page (bfcache), with the form as they left it.
  addEventListener('pageshow', () => {
    isSent = false
    button.removeAttribute('aria-disabled')
    showAmount()
  })
  showAmount()
  // Errors are read first.
  document.getElementById('errors')?.focus()
}

type Say = (word: string, values?: Record<string, unknown>) => string

function enhanceIban(form: HTMLFormElement, say: Say): void {
  const [iban, good, bank] = ['#field-iban', '#iban-good', '#field-bank'].map(what => form.querySelector(what)) as [
    HTMLInputElement,
    HTMLElement,
    HTMLInputElement
  ]
  let known = ''

  iban.addEventListener('input', event => {
    good.textContent = ''
    showFieldError(iban)
    if (!(event as InputEvent).isComposing) formatIbanField(iban)
    if (bank.value === known) bank.value = known = ''
    nameBank(normalizeIban(iban.value))
  })
  iban.addEventListener('blur', () => {
    const plain = normalizeIban(iban.value)
    const wrong = plain ? checkIban(plain) : undefined
    if (!wrong) return
    const length = 'expected' in wrong && wrong.expected
    showFieldError(iban, say(`iban-${wrong.fault}`, { country: plain.slice(0, 2), length, given: plain.length }))
  })

  /** Only sends a request if the check digits are valid; does not overwrite a typed bank name. */
  async function nameBank(plain: string): Promise<void> {
    if (!plain || checkIban(plain)) return
    good.textContent = say('valid')
    const question = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ iban: plain })
    }
    // Optional: the form works without the bank's name.
    const answer = await fetch('/ibans', question).catch(() => undefined)
    const name = answer?.ok && (await answer.json()).bankName
    if (!name || normalizeIban(iban.value) !== plain) return
    good.textContent = say('bank', { bank: name })
    bank.value ||= known = name
  }
}

/** Upper case in groups of four; the caret stays behind the same character. */
function formatIbanField(field: HTMLInputElement): void {
  const { value, selectionStart } = field
  const before = normalizeIban(value.slice(0, selectionStart ?? value.length)).length
  const grouped = normalizeIban(value).replace(/(.{4})(?=.)/g, '$1 ')
  if (grouped === value) return
  const caret = before + Math.max(0, Math.ceil(before / 4) - 1)
  field.value = grouped
  field.setSelectionRange(caret, caret)
}

/** Shows or removes a field's error, linked by aria attributes. */
function showFieldError(field: HTMLInputElement, message = ''): void {
  const id = `${field.id}-error`
  document.getElementById(id)?.remove()
  if (message) field.insertAdjacentHTML('afterend', `<p class="field-error" id="${id}"></p>`)
  const note = document.getElementById(id)
  if (note) note.textContent = message
  field.setAttribute('aria-describedby', `${field.id}-hint ${message && id}`)
  field.setAttribute('aria-invalid', String(message !== ''))
}
