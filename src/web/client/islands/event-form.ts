/** Progressive enhancements of the event editor, which works without them. */
const form = document.querySelector<HTMLFormElement>('form.editor')

if (form !== null) {
  enableCopyButtons(form)
  toggleTimes(form)
  moveEndWithStart(form)
  toggleDependentFields(form)
  warnUnsaved(form)
}

function findInput(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const found = form.elements.namedItem(name)
  return found instanceof HTMLInputElement ? found : null
}

/** Copies the other language's text into a field. */
function enableCopyButtons(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-copy-into]')) {
    button.hidden = false
    button.addEventListener('click', () => {
      const field = form.elements.namedItem(button.dataset.copyInto ?? '')
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
      field.value = button.dataset.text ?? ''
      field.dispatchEvent(new Event('input', { bubbles: true }))
      // Notifies a rich-text editor that replaces the field.
      field.dispatchEvent(new Event('filled'))
      if (field.offsetParent !== null) field.focus()
    })
  }
}

/** Hides the time fields of all-day events. */
function toggleTimes(form: HTMLFormElement): void {
  const box = findInput(form, 'all_day')
  const times = ['start_time', 'end_time'].map(name => findInput(form, name)?.closest<HTMLElement>('.field'))
  const show = () => {
    for (const field of times) if (field) field.hidden = box?.checked === true
  }
  box?.addEventListener('change', show)
  show()
}

/** Moving the start date moves the end date by the same number of days. */
function moveEndWithStart(form: HTMLFormElement): void {
  const start = findInput(form, 'start_date')
  const end = findInput(form, 'end_date')
  if (start === null || end === null) return
  let before = start.value
  start.addEventListener('change', () => {
    const days = (Date.parse(start.value) - Date.parse(before)) / 86_400_000
    if (start.value === '') return
    if (end.value === '' || Number.isNaN(days)) {
      if (end.value === '' || end.value < start.value) end.value = start.value
    } else {
      end.value = new Date(Date.parse(end.value) + days * 86_400_000).toISOString().slice(0, 10)
    }
    before = start.value
  })
}

/** Shows fields that belong to some options only: `data-shown-for="repeat=month|year"`. */
function toggleDependentFields(form: HTMLFormElement): void {
  for (const part of form.querySelectorAll<HTMLElement>('[data-shown-for]')) {
    const [name = '', values = ''] = (part.dataset.shownFor ?? '').split('=')
    const choice = form.elements.namedItem(name)
    if (!(choice instanceof HTMLSelectElement)) continue
    const show = () => {
      part.hidden = !values.split('|').includes(choice.value)
    }
    choice.addEventListener('change', show)
    show()
  }
}

/** Asks before leaving with unsaved changes. */
function warnUnsaved(form: HTMLFormElement): void {
  // A form that comes back with errors or a conflict is not saved either.
  let isUnsaved = document.getElementById('errors') !== null || form.querySelector('[data-unsaved]') !== null
  form.addEventListener('input', () => {
    isUnsaved = true
  })
  form.addEventListener('submit', event => {
    const opensElsewhere = event.submitter?.hasAttribute('formtarget') === true
    if (!opensElsewhere) isUnsaved = false
  })
  // A language tab takes unsaved input along.
  form.addEventListener('kept', () => {
    isUnsaved = false
  })
  window.addEventListener('beforeunload', event => {
    if (isUnsaved) event.preventDefault()
  })
}
