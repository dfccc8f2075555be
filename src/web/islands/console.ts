/** Small comforts of the console. Everything works without them. */

// What is wrong with a form is where the reader wants to be.
document.querySelector<HTMLElement>('[data-focus]')?.focus()

// A box that ticks all boxes of the name it gives, or all of its table.
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
    // Every box that changes makes the master follow.
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

// The organisation's colour on the page at once, as the site would show it: readable.
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
    sheet.href = isOwn.checked ? `/theme.css?accent=${colour.value.slice(1)}` : '/theme.css'
  }
  colour.addEventListener('change', () => {
    isOwn.checked = true
    show()
  })
  isOwn.addEventListener('change', show)
  if (isOwn.checked) show()
}
