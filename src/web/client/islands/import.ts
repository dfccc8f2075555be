/** Keeps the progress of an import current: asks for the page again each second, and shows it anew when it is over. */
const pollMs = 1000
/** When the server is away for a moment. */
const retryMs = 5000

function schedulePoll(milliseconds: number): void {
  setTimeout(() => void poll(), milliseconds)
}

async function poll(): Promise<void> {
  // Nobody looks: the page catches up when it is in sight again.
  if (document.hidden) {
    document.addEventListener('visibilitychange', () => schedulePoll(0), { once: true })
    return
  }
  const fresh = await fetchProgress()
  if (fresh === 'away') return schedulePoll(retryMs)
  if (fresh === undefined) return location.reload()
  document.querySelector('[data-live]')?.replaceWith(fresh)
  schedulePoll(pollMs)
}

/** What moves on the page as it is now; nothing if it moves no more. */
async function fetchProgress(): Promise<Element | 'away' | undefined> {
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (answer.status >= 500) return 'away'
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return page.querySelector('[data-live]') ?? undefined
  } catch {
    return 'away'
  }
}

for (const link of document.querySelectorAll<HTMLElement>('[data-without-script]')) link.hidden = true
schedulePoll(pollMs)

export {}
