import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/**
 * Calculates the proof that a donation needs where the organisation asks for one: from the moment somebody begins to fill
 * in the form, by the browser's own functions, which leave the page free to be typed in. Its words come with the form.
 */
const place = document.querySelector<HTMLElement>('[data-proof]')
const form = place?.closest('form')
if (place && form) prove(place, form, JSON.parse(place.dataset.proof ?? ''))

interface ProofOptions {
  challenge: Challenge | null
  working: string
  failed: string
}

/** A form is a moment on its way. */
const spareSeconds = 15

function prove(place: HTMLElement, form: HTMLFormElement, given: ProofOptions): void {
  const field = place.querySelector('input') as HTMLInputElement
  const status = place.querySelector('[role=status]') as HTMLElement
  let expiresAt = 0
  let isNeeded = true
  let work: Promise<void> | undefined

  const isReady = () => !isNeeded || (field.value !== '' && expiresAt - spareSeconds > Date.now() / 1000)

  async function solve(): Promise<void> {
    // The one that came with the page, while it is good.
    let challenge = given.challenge
    given.challenge = null
    if (!challenge || Number(challenge.parameters.expiresAt) - spareSeconds <= Date.now() / 1000) {
      challenge = (await (await fetch('/challenge', { headers: { accept: 'application/json' } })).json()).challenge
    }
    // The organisation has stopped asking.
    isNeeded = challenge !== null
    if (!challenge) return
    const solution = await solveChallenge({ challenge, deriveKey })
    if (!solution) throw new Error('no solution')
    field.value = btoa(JSON.stringify({ challenge, solution }))
    expiresAt = Number(challenge.parameters.expiresAt)
  }

  function begin(): Promise<void> {
    work ??= solve().finally(() => {
      work = undefined
    })
    return work
  }

  form.addEventListener('focusin', () => {
    // Whatever goes wrong here goes wrong again when the form is sent, and is said then.
    if (!isReady()) begin().catch(() => {})
  })

  // Before the others hear of it: to them the form is sent when the proof is there.
  form.addEventListener(
    'submit',
    event => {
      if (isReady()) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (status.textContent === given.working) return
      status.textContent = given.working
      begin().then(
        () => {
          status.textContent = ''
          form.requestSubmit(event.submitter)
        },
        () => {
          status.textContent = given.failed
        }
      )
    },
    { capture: true }
  )
}
