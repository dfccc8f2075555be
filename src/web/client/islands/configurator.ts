import { resizeFrames } from '../widgets/frames.ts'
import { enableCopyButtons } from './copy.ts'

/** Shows the result of what is chosen at once; without us a button does. */
const form = document.querySelector<HTMLFormElement>('form[data-configurator]')
const pauseMs = 250

if (form !== null) enhanceForm(form)
resizeFrames(location.origin)

function enhanceForm(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  if (button !== null) button.hidden = true
  // For those who do not see that something has changed.
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
      // The network is away: the ordinary way says so better than we could.
      form.submit()
    }
  }

  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void show(), pauseMs)
  })
}

/** Only what was said: the address stays short. */
function buildUrl(form: HTMLFormElement): string {
  const said = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : []
  )
  return `${form.action.split('#')[0]}?${new URLSearchParams(said)}`
}
