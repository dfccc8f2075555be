import { checkIban, normalizeIban } from '../../format/iban.ts'

interface FormTools {
  /** The text for a word, with its values. */
  say: (word: string, values?: Record<string, unknown>) => string
  showFieldError: (field: HTMLInputElement, message?: string) => void
}

/** Checks the IBAN of the donation form while it is typed, and names the bank. Loaded with the first character. */
export function enableIbanCheck(form: HTMLFormElement, { say, showFieldError }: FormTools): void {
  const [iban, good, bank] = ['#field-iban', '#iban-good', '#field-bank'].map(what => form.querySelector(what)) as [
    HTMLInputElement,
    HTMLElement,
    HTMLInputElement
  ]
  let known = ''

  function update(isComposing: boolean): void {
    good.textContent = ''
    showFieldError(iban)
    if (!isComposing) formatIbanField(iban)
    if (bank.value === known) bank.value = known = ''
    nameBank(normalizeIban(iban.value))
  }

  function check(): void {
    const plain = normalizeIban(iban.value)
    const wrong = plain ? checkIban(plain) : undefined
    if (!wrong) return
    const length = 'expected' in wrong && wrong.expected
    showFieldError(iban, say(`iban-${wrong.fault}`, { country: plain.slice(0, 2), length, given: plain.length }))
  }

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

  iban.addEventListener('input', event => update((event as InputEvent).isComposing))
  iban.addEventListener('blur', check)
  // What was typed before this file was loaded.
  update(false)
  if (document.activeElement !== iban) check()
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
