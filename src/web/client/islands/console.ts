import { checkIban, normalizeIban } from '../../format/iban.ts'

/** Progressive enhancements of the console, which works without them. */

// Moves the focus to the form's errors.
document.querySelector<HTMLElement>('[data-focus]')?.focus()

// A checkbox that selects all checkboxes of the given name, or all of its table.
for (const master of document.querySelectorAll<HTMLInputElement>('input[data-select-all]')) {
  const { selectAll = '' } = master.dataset
  const place = master.closest('form, table') ?? document
  const boxes = () =>
    [...place.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')].filter(
      box => box !== master && !box.disabled && (selectAll === '' || box.name === selectAll)
    )
  const follow = () => {
    const ticked = boxes().filter(({ checked }) => checked).length
    master.checked = ticked > 0 && ticked === boxes().length
    master.indeterminate = ticked > 0 && !master.checked
  }
  const veil = master.closest<HTMLElement>('[hidden]')
  if (veil !== null) veil.hidden = false
  master.addEventListener('change', () => {
    // Each changed checkbox updates the master.
    const { checked } = master
    for (const box of boxes()) {
      box.checked = checked
      box.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  place.addEventListener('change', event => {
    if (event.target !== master) follow()
  })
  follow()
}

// Previews theme and colour of the organisation at once, adjusted for contrast as on the site.
const colour = document.querySelector<HTMLInputElement>('input[data-accent]')
const isOwn = document.querySelector<HTMLInputElement>('input[name="accentOwn"]')
if (colour !== null && isOwn !== null) {
  let sheet = document.querySelector<HTMLLinkElement>('link[href^="/theme.css"]')
  const show = () => {
    if (sheet === null) {
      sheet = document.createElement('link')
      sheet.rel = 'stylesheet'
      document.head.append(sheet)
    }
    const theme = document.querySelector<HTMLInputElement>('input[data-theme]:checked')?.value ?? ''
    sheet.href = `/theme.css?theme=${theme}${isOwn.checked ? `&accent=${colour.value.slice(1)}` : ''}`
  }
  colour.addEventListener('change', () => {
    isOwn.checked = true
    show()
  })
  isOwn.addEventListener('change', show)
  for (const choice of document.querySelectorAll('input[data-theme]')) choice.addEventListener('change', show)
  if (isOwn.checked) show()
}

// Fills in the bank's name as soon as an IBAN is complete. A typed name is not overwritten.
for (const iban of document.querySelectorAll<HTMLInputElement>('input[data-bank]')) {
  const bank = document.getElementById(iban.dataset.bank ?? '')
  if (bank instanceof HTMLInputElement) fillBankName(iban, bank)
}

function fillBankName(iban: HTMLInputElement, bank: HTMLInputElement): void {
  let filled = ''
  // A name that was filled in earlier belongs to the previous IBAN, so it may be overwritten.
  const remember = async () => {
    const name = bank.value
    if (name !== '' && (await fetchBankName(normalizeIban(iban.value))) === name) filled = name
  }
  iban.addEventListener('focus', () => void remember(), { once: true })
  iban.addEventListener('input', async () => {
    const number = normalizeIban(iban.value)
    if (checkIban(number) !== undefined) return
    const name = await fetchBankName(number)
    if (normalizeIban(iban.value) !== number || (bank.value !== '' && bank.value !== filled)) return
    filled = name
    bank.value = name
  })
}

/** Optional: without a response the API fills in the name on saving. */
async function fetchBankName(iban: string): Promise<string> {
  const question = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ iban }) }
  const answer = await fetch('/ibans', question).catch(() => undefined)
  return (answer?.ok === true && (await answer.json()).bankName) || ''
}
