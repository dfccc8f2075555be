import { resizeFrames } from '../widgets/frames.ts'
import { enableCopyButtons } from './copy.ts'

/** Updates the result as soon as an option changes; without scripts a button does. */
const form = document.querySelector<HTMLFormElement>('form[data-configurator]')
const pauseMs = 250

if (form !== null) enhanceForm(form)
resizeFrames(location.origin)

function enhanceForm(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  if (button !== null) button.hidden = true
  // Live region for screen readers.
  const status = document.createElement('p')
  status.className = 'visually-hidden'
  status.setAttribute('role', 'status')
  form.append(status)
  let timer = 0
  let turn = 0

  async function show(): Promise<void> {
    turn += 1
    const own = turn
    const address = buildUrl(form)
    try {
      const answer = await fetch(address)
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const made = page.getElementById('result')
      if (own !== turn || made === null) return
      document.getElementById('result')?.replaceWith(made)
      history.replaceState(null, '', address)
      enableCopyButtons(made)
      const said = made.querySelector('[data-summary]') ?? made.querySelector('h2')
      status.textContent = said?.textContent ?? ''
    } catch {
      // Network error: a regular submit lets the browser report it.
      form.submit()
    }
  }

  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void show(), pauseMs)
  })
}

/** Only non-empty fields, to keep the URL short. */
function buildUrl(form: HTMLFormElement): string {
  const said = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : []
  )
  return `${form.action.split('#')[0]}?${new URLSearchParams(said)}`
}
