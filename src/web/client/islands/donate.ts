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
  const say = (word: string, values: Record<string, unknown> = {}) =>
    String(strings[word]).replace(/\{(\w+)\}/g, (_, name) => String(values[name]))

  /** Most donors choose an amount, and do not need this file. Without it the server checks the amount. */
  async function parseOwnAmount() {
    const loaded = await import('../../format/amount.ts').catch(console.warn)
    return loaded?.parseAmount(own.value, decimalMark)
  }

  async function showAmount(): Promise<void> {
    const parsed = own.value && (await parseOwnAmount())
    if (isSent) return
    const preset = presets.find(one => one.checked)
    const cents = own.value ? parsed : Number(preset?.value ?? 0) * 100
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

  own.addEventListener('change', async () => {
    const read = await parseOwnAmount()
    if (read === undefined || !own.value.trim()) return
    if (typeof read === 'number') showFieldError(own, read < least ? say('small') : '')
    else {
      const values = 'largeCents' in read ? { large: read.largeCents / 100, small: typed(read.smallCents) } : {}
      showFieldError(own, say(read.fault, { ...values, typed: own.value }))
    }
  })

  const typed = (cents: number) => (cents / 100).toFixed(2).replace('.', decimalMark)

  // The field only exists if the organisation collects direct debits, and few donors use it.
  const iban = form.querySelector('#field-iban')
  iban?.addEventListener('input', loadIbanField, { once: true })
  async function loadIbanField(): Promise<void> {
    const { enableIbanCheck } = await import('../on-demand/iban-field.ts')
    enableIbanCheck(form, { say, showFieldError })
  }

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
