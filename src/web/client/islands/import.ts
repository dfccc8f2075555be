/** Refreshes the progress of an import: fetches the page every second, and reloads it when the import has finished. */
const pollMs = 1000
/** Delay after a failed request. */
const retryMs = 5000

function schedulePoll(milliseconds: number): void {
  setTimeout(() => void poll(), milliseconds)
}

async function poll(): Promise<void> {
  // Not polled while the tab is hidden; the page catches up when it is visible again.
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

/** Fetches the current progress element; undefined if the import has finished. */
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
