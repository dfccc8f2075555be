import type { Challenge } from 'altcha-lib'

/**
 * Computes the proof of work for a form, if the organisation requires one. Starts when the form gets the focus, and
 * uses the browser's asynchronous crypto functions, so that typing is not blocked. Its texts come with the form.
 */
const place = document.querySelector<HTMLElement>('[data-proof]')
const form = place?.closest('form')
if (place && form) prove(place, form, JSON.parse(place.dataset.proof ?? ''))

interface ProofOptions {
  challenge: Challenge | null
  /** Where new challenges come from. */
  path: string
  working: string
  failed: string
}

/** Margin for the time the form takes to reach the server. */
const spareSeconds = 15

function prove(place: HTMLElement, form: HTMLFormElement, given: ProofOptions): void {
  const field = place.querySelector('input') as HTMLInputElement
  const status = place.querySelector('[role=status]') as HTMLElement
  let expiresAt = 0
  let isNeeded = true
  let work: Promise<void> | undefined

  const isReady = () => !isNeeded || (field.value !== '' && expiresAt - spareSeconds > Date.now() / 1000)

  async function solve(): Promise<void> {
    // Uses the challenge that came with the page while it is valid.
    let challenge = given.challenge
    given.challenge = null
    if (!challenge || Number(challenge.parameters.expiresAt) - spareSeconds <= Date.now() / 1000) {
      challenge = (await (await fetch(given.path, { headers: { accept: 'application/json' } })).json()).challenge
    }
    // The organisation no longer requires a proof.
    isNeeded = challenge !== null
    if (!challenge) return
    const { findSolution } = await import('../on-demand/find-solution.ts')
    const solution = await findSolution(challenge)
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
    // An error here happens again on submit, and is reported then.
    if (!isReady()) begin().catch(() => {})
  })

  // Captures the event, so that other listeners see the submit only when the proof is ready.
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
